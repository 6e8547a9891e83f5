"""The weights of words beside the reader, as a file and as a share."""

import numpy as np
import pytest

from bluered.encoding.wording import BUCKETS, Wording
from bluered.errors import ModelError
from bluered.inference.words import PairWords, together


@pytest.fixture
def path(tmp_path):
    weights = np.random.default_rng(6).normal(size=(BUCKETS, 5)).astype(np.float16)
    np.save(tmp_path / "words.npy", weights)
    return tmp_path / "words.npy"


def test_the_last_two_columns_are_novelty(path):
    said = Wording(np.asarray([3, 9, 9]), np.asarray([2, 3]))
    types, novelty = PairWords(path).scores(said)
    weights = np.load(path).astype(np.float32)
    both = np.stack([(weights[3] + weights[9]) / np.sqrt(2), weights[9]])
    np.testing.assert_allclose(types, both[:, :3], rtol=1e-6)
    np.testing.assert_allclose(novelty, both[:, 3:], rtol=1e-6)


def test_no_pairs_have_no_scores(path):
    nothing = np.zeros(0, dtype=np.int64)
    types, novelty = PairWords(path).scores(Wording(nothing, nothing))
    assert (types.shape, novelty.shape) == ((0, 3), (0, 2))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.unlink(),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"nothing"),
        lambda path: path.write_bytes(path.read_bytes()[:100_000]),
        lambda path: np.save(path, np.zeros((7, 5), dtype=np.float16)),
        lambda path: np.save(path, np.zeros(BUCKETS, dtype=np.float16)),
        lambda path: np.save(path, np.asarray([None] * 3), allow_pickle=True),
    ],
)
def test_what_holds_no_weights_is_one_line(path, spoil):
    spoil(path)
    with pytest.raises(ModelError, match=r"words\.npy") as caught:
        PairWords(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("share", [0.0, 0.4, 0.9])
def test_scores_together_are_the_weighed_product_of_chances(share):
    rng = np.random.default_rng(7)
    reader, words = rng.normal(size=(2, 6, 3)).astype(np.float32)

    def chances(scores):
        powers = np.exp(scores.astype(np.float64))
        return powers / powers.sum(axis=1, keepdims=True)

    product = chances(reader) ** (1 - share) * chances(words) ** share
    wanted = product / product.sum(axis=1, keepdims=True)
    made = together(reader, words, share)
    assert made.dtype == np.float32
    np.testing.assert_allclose(chances(made), wanted, atol=1e-6)
