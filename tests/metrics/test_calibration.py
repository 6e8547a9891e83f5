"""Bins of confidences, their error, and fitted temperatures, against what brute force gives."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluered.encoding.viterbi import Chain, Floats, marginals
from bluered.metrics.calibration import (
    COOLEST,
    HOTTEST,
    Scaling,
    best_temperature,
    calibration_error,
    chance_error,
    equal_mass,
    equal_width,
    fit_marginal_temperature,
    fit_scaling,
    fit_temperature,
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


def likelihood(scores, labels, temperature):
    powers = np.exp(scores / temperature)
    chances = powers / powers.sum(axis=1, keepdims=True)
    return np.log(chances[np.arange(len(labels)), labels]).sum()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("true", [0.5, 1.0, 3.0])
def test_the_temperature_that_made_the_labels_is_found(seed, true):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(4000, 4)) * 3
    chances = np.exp(scores / true)
    chances /= chances.sum(axis=1, keepdims=True)
    labels = (chances.cumsum(axis=1) > rng.random((4000, 1))).argmax(axis=1)
    found = fit_temperature(scores, labels)
    assert found == pytest.approx(true, rel=0.1)
    best = likelihood(scores, labels, found)
    assert all(best >= likelihood(scores, labels, t) for t in np.geomspace(COOLEST, HOTTEST, 99))
    shifted = scores + rng.normal(size=(4000, 1)) * 100  # a softmax does not see it
    assert fit_temperature(shifted, labels) == pytest.approx(found, rel=1e-6)
    assert fit_temperature(scores * 4, labels) == pytest.approx(found * 4, rel=1e-5)


def test_temperatures_stay_within_bounds():
    right = np.eye(3)
    assert fit_temperature(right * 9, [0, 1, 2]) == pytest.approx(COOLEST, rel=1e-3)
    assert fit_temperature(right * 9, [1, 2, 0]) == pytest.approx(HOTTEST, rel=1e-3)
    assert fit_temperature(np.zeros((3, 2)), [0, 1, 0]) == 1
    assert fit_temperature(np.zeros((0, 2)), []) == 1
    assert best_temperature(lambda t: (np.log(t) - 0.7) ** 2) == pytest.approx(np.exp(0.7))
    with pytest.raises(ValueError, match="shape"):
        fit_temperature(np.zeros((3, 2)), [0, 1])


def normal(rng: np.random.Generator, *shape: int) -> Floats:
    return rng.normal(size=shape).astype(np.float32)


def cooled(chain: Chain, temperature: float) -> Chain:
    by = np.float32(temperature)
    return Chain(chain.starts / by, chain.ends / by, chain.transitions / by)


def enumerated(emissions, chain, temperature):
    """Return marginals by adding up all sequences."""
    words, tags = emissions.shape
    sums = np.zeros((words, tags))
    for path in itertools.product(range(tags), repeat=words):
        score = chain.starts[path[0]] + chain.ends[path[-1]]
        score += sum(emissions[word, tag] for word, tag in enumerate(path))
        score += sum(chain.transitions[a, b] for a, b in itertools.pairwise(path))
        sums[np.arange(words), path] += np.exp(score / temperature)
    return sums / sums.sum(axis=1, keepdims=True)


def test_the_temperature_of_a_chain_is_that_of_all_its_sequences():
    rng = np.random.default_rng(3)
    chain = Chain(normal(rng, 3), normal(rng, 3), normal(rng, 3, 3) * 2)
    sequences = [normal(rng, words, 3) * 4 for words in (1, 2, 4, 3)]
    tags = [rng.integers(0, 3, size=len(one)) for one in sequences]
    found = fit_marginal_temperature(
        lambda t: [marginals(one / np.float32(t), cooled(chain, t)) for one in sequences], tags
    )

    def surprise(temperature: float) -> float:
        return -sum(
            np.log(enumerated(one, chain, temperature)[np.arange(len(right)), right]).sum()
            for one, right in zip(sequences, tags, strict=True)
        )

    grid = np.geomspace(COOLEST, HOTTEST, 200)
    best = grid[np.argmin([surprise(t) for t in grid])]
    assert found == pytest.approx(best, rel=0.04)
    assert surprise(found) <= min(surprise(t) for t in grid) + 1e-6


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
