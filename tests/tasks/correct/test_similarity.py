"""Pearson over pairs of sentences, as scipy has it; what cannot be correlated is refused."""

import numpy as np
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


FAR = [lambda v: v + 1e7, lambda v: v * 1e-7, lambda v: v * 1e200, lambda v: v * 1e-200]
FAR += [lambda v: v * 1e307, lambda v: v * 2.0**-1000]


@pytest.mark.parametrize("move", FAR)
@pytest.mark.parametrize("side", [0, 1])
def test_scores_of_any_size_have_their_correlation_and_interval(move, side):
    x, y = [1.0, 2.0, 3.0, 4.5, 0.5, 2.5], [1.5, 1.0, 3.5, 4.0, 0.0, 3.0]
    expected = _scored(x, y)
    found = _scored(*([move(v) for v in one] if n == side else one for n, one in enumerate((x, y))))
    assert found.score == pytest.approx(expected.score)
    assert [found.interval.low, found.interval.high] == pytest.approx(
        [expected.interval.low, expected.interval.high], abs=1e-6
    )


def test_one_score_far_from_all_others_does_not_overflow():
    x = [1.0, 2.0, 3.0, 4.5]
    expected = np.corrcoef(x, [0, 1, 0, 0])[0, 1]
    assert _scored(x, [2.0, 1e308, 3.0, -1.0]).score == pytest.approx(expected)


def test_blues_script_prints_what_overflows_without_a_warning():
    gold = scores(a=1.0, b=2.0, c=3.5)
    found = score(SIMILARITY, gold, scores(a=1e200, b=3e200, c=4e200), scorer="blue")
    assert found.score == 0


def _scored(x, y):
    sides = ({f"p{n}": v for n, v in enumerate(side)} for side in (x, y))
    return score(SIMILARITY, *(scores(**side) for side in sides), with_interval=True)
