"""Pearson over pairs of sentences, as scipy has it; what cannot be correlated is refused."""

import pytest
from scipy.stats import pearsonr

from bluered.errors import BlueredError
from bluered.tasks.scoring import score

from ..made_up import SIMILARITY, scores


def test_pearson_equals_scipys():
    gold = scores(a=1, b=2, c=4.5, d=0.25)
    predicted = scores(d=0.5, c=3.25, b=2.5, a=1.5)
    expected = pearsonr([1, 2, 4.5, 0.25], [1.5, 2.5, 3.25, 0.5])[0]
    assert score(SIMILARITY, gold, predicted).score == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("value", [2.5, 2.7, 0.1])
def test_a_constant_prediction_has_no_correlation(value):
    gold = scores(**{f"p{n}": n / 3 for n in range(20)})
    constant = scores(**{f"p{n}": value for n in range(20)})
    result = score(SIMILARITY, gold, constant, with_interval=True)
    assert (result.score, result.interval) == (None, None)
    assert sum("no correlation" in note for note in result.notes) == 1


@pytest.mark.parametrize(
    ("predicted", "message"),
    [
        (scores(a=1, b=2), r"1 of 3 gold items have no prediction \(c\)"),
        (scores(a=1, b=2, c=3, z=4), r"1 ids of the prediction are not in the gold \(z"),
        (scores(a=1, b=2, c=3) + scores(a=2), "a stands twice in the prediction"),
        (scores(a=1, b=2, c=None), "pair c has no score in the prediction"),
        (scores(a=1, b=2, c=float("nan")), "pair c has no score in the prediction: found nan"),
        (scores(a=1, b=2, c=float("inf")), "pair c has no score in the prediction: found inf"),
        ([], "the prediction holds nothing"),
    ],
)
def test_scores_that_cannot_be_correlated_are_refused(predicted, message):
    with pytest.raises(BlueredError, match=message):
        score(SIMILARITY, scores(a=1, b=2, c=4), predicted)
