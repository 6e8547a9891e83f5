"""Intervals and paired differences of any figure that is made of sums."""

import numpy as np
import pytest
from scipy.stats import bootstrap, pearsonr

from bluered.metrics import sums
from bluered.metrics.counts import Counts
from bluered.metrics.resampling import difference, interval
from bluered.metrics.significance import f1_difference, f1_interval


def counts(*, units: int, classes: int = 1, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.integers(0, [12, 5, 6] * classes, size=(units, 3 * classes)).astype(float)


def noisy_pairs(*, pairs: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 4, size=pairs)
    return x, x + rng.normal(0, 1, size=pairs)


def bounds(interval) -> tuple[float, float]:
    return interval.low, interval.high


def test_interval_of_f1_equals_scipys():
    table = counts(units=60)
    ours = interval(table, sums.micro_f1)
    scipys = f1_interval([Counts(*map(int, row)) for row in table])
    assert bounds(ours) == pytest.approx(bounds(scipys), abs=0.002)


def test_interval_of_a_correlation_equals_scipys():
    x, y = noisy_pairs(pairs=40)
    ours = interval(sums.pearson_terms(x, y), sums.pearson)
    scipys = bootstrap(
        (x, y), lambda a, b: pearsonr(a, b)[0], paired=True, vectorized=False, n_resamples=2999,
        method="BCa", rng=np.random.default_rng(1),
    ).confidence_interval  # fmt: skip
    assert bounds(ours) == pytest.approx(tuple(scipys), abs=0.02)


def test_interval_is_wide_for_twenty_pairs():
    x, y = noisy_pairs(pairs=20)
    low, high = bounds(interval(sums.pearson_terms(x, y), sums.pearson))
    assert high - low > 0.2


def test_interval_covers_the_truth_about_as_often_as_it_says():
    truth = float(sums.macro_f1(counts(units=50_000, classes=3, seed=0).sum(axis=0)))
    drawn = [
        interval(counts(units=60, classes=3, seed=seed), sums.macro_f1, resamples=400)
        for seed in range(1, 101)
    ]
    covered = sum(low <= truth <= high for low, high in map(bounds, drawn))
    assert 86 <= covered <= 100


def test_interval_is_the_same_for_the_same_seed():
    table = counts(units=30)
    assert interval(table, sums.micro_f1) == interval(table, sums.micro_f1)
    assert interval(table, sums.micro_f1) != interval(table, sums.micro_f1, seed=2)


def test_resamples_that_do_not_fit_at_once_are_drawn_in_turns(monkeypatch):
    table = counts(units=30)
    whole = interval(table, sums.micro_f1, resamples=500)
    monkeypatch.setattr("bluered.metrics.resampling._AT_ONCE", 100)
    turns = interval(table, sums.micro_f1, resamples=500)
    assert bounds(turns) == pytest.approx(bounds(whole), abs=0.02)


def test_interval_of_a_perfect_score_is_a_point():
    table = np.array([[3.0, 0.0, 0.0], [5.0, 0.0, 0.0]])
    assert bounds(interval(table, sums.micro_f1)) == (1, 1)


def test_no_interval_where_there_is_no_figure():
    constant = sums.pearson_terms(np.arange(5.0), np.full(5, 2.0))
    assert interval(constant, sums.pearson) is None
    assert interval(np.zeros((0, 3)), sums.micro_f1) is None


def test_difference_of_f1_equals_that_over_counts():
    one, two = counts(units=40, seed=4), counts(units=40, seed=5)
    ours = difference(one, two, sums.micro_f1)
    theirs = f1_difference(*([Counts(*map(int, row)) for row in table] for table in (one, two)))
    assert ours.difference == pytest.approx(theirs.difference)
    assert bounds(ours.interval) == pytest.approx(bounds(theirs.interval), abs=0.005)
    assert ours.p_value == pytest.approx(theirs.p_value, abs=0.02)


def test_difference_of_correlations_sees_the_better_system():
    x, y = noisy_pairs(pairs=80)
    worse = sums.pearson_terms(x, y + np.random.default_rng(2).normal(0, 2, size=80))
    better = sums.pearson_terms(x, y)
    found = difference(worse, better, sums.pearson, resamples=999)
    assert found.difference > 0
    assert found.interval.low > 0
    assert found.p_value < 0.01
    assert difference(better, better, sums.pearson, resamples=99).p_value == 1


def test_systems_over_different_units_are_refused():
    with pytest.raises(ValueError, match="2 and 3 units"):
        difference(counts(units=2), counts(units=3), sums.micro_f1)


def test_two_systems_on_other_scales_are_one_system():
    rng = np.random.default_rng(5)
    gold = rng.uniform(0, 4, size=20)
    said = gold + rng.normal(size=20)
    first, second = sums.pearson_terms(gold, said), sums.pearson_terms(gold, 1000 * said + 7)
    found = difference(first, second, sums.pearson)
    assert found.difference == pytest.approx(0, abs=1e-12)
    assert found.p_value == 1
