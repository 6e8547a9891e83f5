import itertools

import numpy as np
import pytest

from bluered.encoding.viterbi import Chain, best_path, marginals, valid_bio


def random_chain(seed: int, tags: int) -> Chain:
    generator = np.random.default_rng(seed)
    draw = lambda *shape: generator.normal(size=shape).astype(np.float32)  # noqa: E731
    return Chain(draw(tags), draw(tags), draw(tags, tags))


def score(path, emissions, chain) -> float:
    total = chain.starts[path[0]] + chain.ends[path[-1]]
    total += sum(emissions[i, tag] for i, tag in enumerate(path))
    return float(total + sum(chain.transitions[a, b] for a, b in itertools.pairwise(path)))


@pytest.mark.parametrize("seed", range(20))
def test_best_path_and_marginals_equal_brute_force(seed):
    chain = random_chain(seed, 3)
    emissions = np.random.default_rng(seed + 100).normal(size=(4, 3)).astype(np.float32)
    paths = list(itertools.product(range(3), repeat=4))
    scores = np.asarray([score(path, emissions, chain) for path in paths])
    assert tuple(best_path(emissions, chain)) == paths[int(scores.argmax())]
    chances = np.exp(scores) / np.exp(scores).sum()
    expected = np.zeros((4, 3))
    for path, chance in zip(paths, chances, strict=True):
        expected[np.arange(4), path] += chance
    np.testing.assert_allclose(marginals(emissions, chain), expected, atol=1e-5)


def test_no_words_no_tags():
    chain = random_chain(0, 3)
    empty = np.zeros((0, 3), dtype=np.float32)
    assert len(best_path(empty, chain)) == 0
    assert marginals(empty, chain).shape == (0, 3)


def test_a_long_text_neither_overflows_nor_vanishes():
    chain = valid_bio(random_chain(1, 5))
    emissions = np.random.default_rng(2).normal(scale=30, size=(20_000, 5)).astype(np.float32)
    found = marginals(emissions, chain)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-4)


@pytest.mark.parametrize("seed", range(5))
def test_constrained_paths_are_valid_bio(seed):
    chain = valid_bio(random_chain(seed, 5))
    emissions = np.random.default_rng(seed).normal(scale=3, size=(200, 5)).astype(np.float32)
    path = best_path(emissions, chain).tolist()
    assert path[0] not in (2, 4)
    for before, after in itertools.pairwise(path):
        assert after not in (2, 4) or before in (after - 1, after)


@pytest.mark.train
@pytest.mark.parametrize("seed", range(5))
def test_the_paths_are_those_of_pytorch_crf(seed):
    torch = pytest.importorskip("torch")
    crf_module = pytest.importorskip("torchcrf")
    crf = crf_module.CRF(7, batch_first=True)
    emissions = np.random.default_rng(seed).normal(size=(50, 7)).astype(np.float32)
    chain = Chain(
        crf.start_transitions.detach().numpy(),
        crf.end_transitions.detach().numpy(),
        crf.transitions.detach().numpy(),
    )
    mask = torch.ones((1, 50), dtype=torch.bool)
    expected = crf.decode(torch.from_numpy(emissions)[None], mask=mask)[0]
    assert best_path(emissions, chain).tolist() == expected
