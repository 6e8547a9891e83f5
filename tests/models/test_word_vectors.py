"""The table of word vectors: known, unknown and absent words, and what is trained of it."""

import numpy as np
import pytest

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")

VECTORS = np.array([[1, 2], [3, 4], [5, 6]], dtype=np.float32)


def table(*, trained=False, count=3):
    from bluered.models.word_vector_files import WordVectors
    from bluered.models.word_vectors import WordEmbedding

    rows = dict(list({"BRCA1": 0, "brca1": 1, "of": 2}.items())[:count])
    return WordEmbedding(WordVectors(rows, VECTORS[:count]), trained=trained)


def test_words_have_ids_and_ids_have_vectors():
    made = table()
    ids = made.ids([["BRCA1", "Brca1", "OF", "by"], ["of"], []])
    assert ids.tolist() == [[2, 3, 4, 1], [4, 0, 0, 0], [0] * 4]
    with torch.no_grad():
        made.unknown.fill_(9)
        found = made(torch.from_numpy(ids))
    assert found.shape == (3, 4, 2)
    assert found[0].tolist() == [[1, 2], [3, 4], [5, 6], [9, 9]]
    assert found[1].tolist() == [[5, 6], [0, 0], [0, 0], [0, 0]]


def test_no_words_at_all():
    made = table(count=0)
    ids = made.ids([["of", "by"], []])
    assert made(torch.from_numpy(ids)).shape == (2, 2, 2)
    assert made.ids([]).shape == (0, 0)
    assert table()(torch.from_numpy(made.ids([[]]))).shape == (1, 0, 2)


@pytest.mark.parametrize("trained", [False, True])
def test_vectors_learn_only_where_asked(trained):
    made = table(trained=trained)
    made(torch.tensor([[2, 1, 0]])).sum().backward()
    assert made.unknown.grad.tolist() == [[1, 1]]
    assert made.known.requires_grad is trained
    if trained:
        assert made.known.grad.tolist() == [[1, 1], [0, 0], [0, 0]]


def test_training_leaves_the_vectors_that_were_read():
    made = table(trained=True)
    with torch.no_grad():
        made.known.zero_()
    assert VECTORS.any()
