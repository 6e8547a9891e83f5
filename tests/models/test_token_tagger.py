"""The plain BERT taggers equal brute force: the first pieces' states, softmax, and the CRF."""

import itertools
import math

import numpy as np
import pytest

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")

TAGS = 5  # O, and B and I of two types
LENGTHS = (4, 2, 1)


@pytest.fixture
def tagger(tiny_encoder):
    """Give a tagger of two types on a tiny BERT, with or without a CRF of random scores."""

    def made(*, crf: bool):
        from bluered.models.encoder import TypedEncoder, build_encoder
        from bluered.models.token_tagger import TokenTagger

        torch.manual_seed(3)
        encoder = TypedEncoder(build_encoder(tiny_encoder("Bert"), pretrained=True), kinds=0)
        model = TokenTagger(encoder, tags=TAGS, crf=crf).eval()
        with torch.no_grad():
            for parameter in model.crf.parameters() if model.crf else ():
                parameter.normal_()
        return model

    return made


def batch():
    """Return emissions (3, 4, tags), gold tags and the mask of words."""
    generator = torch.Generator().manual_seed(7)
    emissions = torch.randn(3, 4, TAGS, generator=generator)
    tags = torch.randint(TAGS, (3, 4), generator=generator)
    return emissions, tags, torch.arange(4)[None] < torch.tensor(LENGTHS)[:, None]


def score(crf, emissions, tags) -> float:
    """Return the score of one tag sequence of a text, added up by hand."""
    with torch.no_grad():
        total = crf.start_transitions[tags[0]] + crf.end_transitions[tags[-1]]
        total += sum(emissions[word, tag] for word, tag in enumerate(tags))
        total += sum(crf.transitions[a, b] for a, b in itertools.pairwise(tags))
    return float(total)


def valid(tags) -> bool:
    """Tell whether each I- follows a B- or I- of its type."""
    return all(
        t == 0 or t % 2 or before in (t - 1, t) for before, t in itertools.pairwise((0, *tags))
    )


def test_the_likelihood_is_that_over_all_sequences(tagger):
    model = tagger(crf=True)
    emissions, tags, words = batch()
    given = float(model.loss(emissions, tags, words).detach())
    expected = 0.0
    for window, length in enumerate(LENGTHS):
        scores = [
            score(model.crf, emissions[window], some)
            for some in itertools.product(range(TAGS), repeat=length)
        ]
        gold = score(model.crf, emissions[window], tags[window, :length].tolist())
        expected += math.log(sum(map(math.exp, scores))) - gold
    assert given == pytest.approx(expected / sum(LENGTHS), rel=1e-5)


def test_the_best_path_is_the_best_valid_sequence(tagger):
    from bluered.encoding.viterbi import best_path
    from bluered.training.tagger import chain_of

    model = tagger(crf=True)
    emissions, _, _ = batch()
    for window, length in enumerate(LENGTHS):
        best = max(
            filter(valid, itertools.product(range(TAGS), repeat=length)),
            key=lambda some, w=window: score(model.crf, emissions[w], some),
        )
        given = best_path(emissions[window, :length].numpy(), chain_of(model.crf))
        assert given.tolist() == list(best)


def test_without_a_crf_the_loss_is_the_mean_over_words(tagger):
    emissions, tags, words = batch()
    given = float(tagger(crf=False).loss(emissions, tags, words))
    wanted = [
        -math.log(math.exp(scores[tag]) / sum(map(math.exp, scores)))
        for window, length in enumerate(LENGTHS)
        for scores, tag in zip(
            emissions[window, :length].tolist(), tags[window].tolist(), strict=False
        )
    ]
    assert given == pytest.approx(np.mean(wanted), rel=1e-5)


@pytest.mark.parametrize("crf", [True, False])
def test_emissions_are_of_first_pieces_and_padding_changes_nothing(tagger, crf):
    model = tagger(crf=crf)
    ids = torch.randint(5, 120, (2, 12), generator=torch.Generator().manual_seed(1))
    mask = (torch.arange(12) < torch.tensor([[12], [7]])).long()
    first = torch.tensor([[1, 4, 5, 10], [1, 3, 0, 0]])
    with torch.no_grad():
        both = model(ids * mask, mask, first)
        states = model.encoder(ids[:1], None)[0]
        alone = model(ids[1:, :7], None, first[1:, :2])
        assert torch.allclose(both[0], model.emit(states[[1, 4, 5, 10]]), atol=1e-5)
    assert torch.allclose(both[1, :2], alone[0], atol=1e-5)
