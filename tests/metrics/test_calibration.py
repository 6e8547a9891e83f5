"""Bins of confidences, their error, and fitted scaling, against what brute force gives."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluered.metrics.calibration import (
    Scaling,
    calibration_error,
    chance_error,
    equal_mass,
    equal_width,
    fit_scaling,
    log_odds,
)

PREDICTIONS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60)
BINNINGS = pytest.mark.parametrize("binning", [equal_width, equal_mass])


def split(predictions):
    return [c for c, _ in predictions], [r for _, r in predictions]


def test_a_worked_example():
    bins = equal_width([0.1, 0.05, 0.95, 1.0, 0.9], [False, True, True, True, False], bins=10)
    assert [one.count for one in bins] == [2, 0, 0, 0, 0, 0, 0, 0, 1, 2]  # 0.1, 0.9: upper bounds
    assert (bins[0].confidence, bins[0].right) == (pytest.approx(0.075), 0.5)
    assert bins[8].gap == pytest.approx(0.9)
    expected = (2 * 0.425 + 0.9 + 2 * 0.025) / 5
    assert calibration_error(bins) == pytest.approx(expected)


@BINNINGS
@given(predictions=PREDICTIONS, bins=st.integers(1, 12))
def test_bins_hold_all_and_the_error_is_that_of_plain_counting(binning, predictions, bins):
    found = binning(*split(predictions), bins=bins)
    assert sum(one.count for one in found) == len(predictions)
    assert sum(one.count * one.right for one in found) == pytest.approx(
        sum(right for _, right in predictions)
    )
    error = 0.0
    for number, one in enumerate(found):
        first = binning is equal_mass or number == 0
        inside = [
            (c, r)
            for c, r in predictions
            if one.low < c <= one.high or (first and c == one.low and one.count)
        ]
        assert len(inside) == one.count
        if inside:
            error += abs(sum(c for c, _ in inside) - sum(r for _, r in inside))
    assert calibration_error(found) == pytest.approx(error / len(predictions), abs=1e-9)
    assert 0 <= calibration_error(found) <= 1


@BINNINGS
@given(predictions=PREDICTIONS, chance=st.randoms())
def test_the_order_of_predictions_changes_nothing(binning, predictions, chance):
    mixed = list(predictions)
    chance.shuffle(mixed)
    one, other = binning(*split(predictions)), binning(*split(mixed))
    assert [b.count for b in one] == [b.count for b in other]
    assert calibration_error(one) == pytest.approx(calibration_error(other), abs=1e-12)


@given(
    values=st.lists(st.floats(0, 1), min_size=1, max_size=80, unique=True), bins=st.integers(1, 9)
)
def test_bins_of_equal_mass_differ_by_one_at_most(values, bins):
    counts = [one.count for one in equal_mass(values, [True] * len(values), bins=bins)]
    assert len(counts) == min(bins, len(values))
    assert max(counts) - min(counts) <= 1


def test_equal_confidences_stay_in_one_bin():
    found = equal_mass([0.5] * 30 + [0.9], [True] * 31)
    assert [(one.low, one.count) for one in found] == [(0.5, 30), (0.9, 1)]


def test_perfect_and_reversed_confidence():
    assert calibration_error(equal_width([1, 0, 1], [True, False, True])) == 0
    assert calibration_error(equal_width([1, 0], [False, True])) == 1
    assert calibration_error(equal_width([], [])) == 0
    assert equal_mass([], []) == ()


@pytest.mark.parametrize("count", [1, 20, 2000])
def test_the_error_by_chance_is_that_of_true_probabilities(count):
    rng = np.random.default_rng(7)
    values = np.repeat(rng.random(5), count)
    errors = [
        calibration_error(equal_width(values, rng.random(len(values)) < values)) for _ in range(400)
    ]
    assert chance_error(values) == pytest.approx(np.mean(errors), rel=0.15)
    assert chance_error([0.0, 1.0]) == chance_error([]) == 0
    assert chance_error([0.5] * 9) == pytest.approx(0.1367, rel=0.15)  # of 9 tosses


@BINNINGS
@pytest.mark.parametrize(
    ("confidences", "right", "says"),
    [
        ([1.2], [True], "between 0 and 1"),
        ([float("nan")], [True], "between 0 and 1"),
        ([0.5], [True, False], "2"),
    ],
)
def test_what_is_no_confidence_is_refused(binning, confidences, right, says):
    with pytest.raises(ValueError, match=says):
        binning(confidences, right)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("slope", "intercept"), [(1.0, 0.0), (0.3, -1.0), (2.0, 0.5)])
def test_the_scaling_that_made_the_outcomes_is_found(seed, slope, intercept):
    rng = np.random.default_rng(seed)
    confidences = rng.beta(3, 1, size=6000)
    true = Scaling(slope, intercept).apply(confidences)
    right = rng.random(6000) < true
    found = fit_scaling(confidences, right)
    assert found.slope == pytest.approx(slope, abs=0.15)
    assert found.intercept == pytest.approx(intercept, abs=0.15)
    assert np.abs(found.apply(confidences) - true).max() < 0.05
    assert calibration_error(equal_mass(found.apply(confidences), right)) < 0.02

    def likelihood(scaling: Scaling) -> float:
        chances = scaling.apply(confidences)
        return float(np.log(np.where(right, chances, 1 - chances)).sum())

    moved = [
        Scaling(found.slope + a, found.intercept + b)
        for a, b in itertools.product((-0.2, 0, 0.2), repeat=2)
        if a or b
    ]
    assert all(likelihood(one) < likelihood(found) for one in moved)


@given(predictions=PREDICTIONS)
def test_any_outcomes_have_a_scaling_that_stays_within_bounds(predictions):
    confidences, right = split(predictions)
    found = fit_scaling(confidences, right)
    assert np.isfinite([found.slope, found.intercept]).all()
    mended = found.apply([0.0, *confidences, 1.0])
    assert ((mended >= 0) & (mended <= 1)).all()
    if all(right) or not any(right):
        assert found == Scaling()
    else:  # as likely on the whole as right ones are, drawn in to the middle
        good = sum(right)
        target = good * (good + 1) / (good + 2)
        target += (len(right) - good) / (len(right) - good + 2)
        assert found.apply(confidences).sum() == pytest.approx(target, abs=1e-3)


def test_no_scaling_changes_nothing():
    values = np.linspace(0.001, 0.999, 50)
    assert Scaling().apply(values) == pytest.approx(values)
    assert log_odds([0.5])[0] == 0
    assert np.isfinite(log_odds([0.0, 1.0])).all()
