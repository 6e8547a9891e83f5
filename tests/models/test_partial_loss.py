"""The loss of words that may have several tags equals the sum over all tag sequences."""

import itertools
import math

import pytest

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")


@pytest.fixture
def head():
    from bluered.models.tagger import TaggerHead

    torch.manual_seed(3)
    made = TaggerHead(8, tags=3)
    with torch.no_grad():
        for parameter in made.crf.parameters():
            parameter.normal_()
    return made


def log_sum(head, emissions, allowed) -> float:
    """Return the logarithm of the summed weight of the sequences that `allowed` permits."""
    crf, total = head.crf, 0.0
    for tags in itertools.product(*[[t for t in range(3) if row[t]] for row in allowed]):
        score = crf.start_transitions[tags[0]] + crf.end_transitions[tags[-1]]
        score += sum(emissions[word, tag] for word, tag in enumerate(tags))
        score += sum(crf.transitions[a, b] for a, b in itertools.pairwise(tags))
        total += math.exp(float(score.detach()))
    return math.log(total)


@pytest.mark.parametrize("seed", range(4))
def test_it_equals_the_sum_over_all_sequences(head, seed):
    generator = torch.Generator().manual_seed(seed)
    emissions = torch.randn(2, 4, 3, generator=generator)
    possible = torch.rand(2, 4, 3, generator=generator) < 0.5
    possible[..., 0] |= ~possible.any(dim=2)
    lengths = (4, 2)
    words = torch.arange(4)[None] < torch.tensor(lengths)[:, None]
    given = head.partial_loss(emissions, possible, words)
    expected = 0.0
    for window, length in enumerate(lengths):
        scores, allowed = emissions[window, :length], possible[window, :length].tolist()
        expected += log_sum(head, scores, [[True] * 3] * length) - log_sum(head, scores, allowed)
    assert float(given.detach()) == pytest.approx(expected / sum(lengths), abs=1e-5)


def test_one_possible_tag_for_each_word_is_the_usual_loss(head):
    emissions = torch.randn(2, 4, 3)
    tags = torch.randint(3, (2, 4))
    words = torch.tensor([[True] * 4, [True] * 3 + [False]])
    possible = torch.nn.functional.one_hot(tags, 3).bool()
    partial = head.partial_loss(emissions, possible, words)
    assert float(partial.detach()) == pytest.approx(
        float(head.loss(emissions, tags, words).detach()), abs=1e-5
    )


def test_where_everything_is_possible_nothing_is_learned(head):
    emissions = torch.randn(1, 4, 3, requires_grad=True)
    loss = head.partial_loss(emissions, torch.ones(1, 4, 3).bool(), torch.ones(1, 4).bool())
    loss.backward()
    assert float(loss.detach()) == pytest.approx(0, abs=1e-6)
    assert float(emissions.grad.abs().max()) < 1e-6
