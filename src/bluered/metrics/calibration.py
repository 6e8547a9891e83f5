"""Whether confidences are probabilities: reliability bins and their error, and how to mend them.

Of all predictions made with confidence 0.8, eight in ten should be right. Predictions are sorted
into bins by confidence; the expected calibration error (Naeini et al. 2015; Guo et al. 2017,
equation 3) is the mean distance between mean confidence and share of right ones in a bin, weighted
by the bins' sizes. Bins are of equal width, as in those papers, or of equal mass, which leaves no
bin nearly empty (Nixon et al. 2019). None of it depends on the order of the predictions.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

BINS = 10
"""How many bins are made unless another number is asked for."""

SEED = 1
_DRAWS = 200
_STEPS = 40
_TINY = 1e-10

Floats = NDArray[np.float64]


class Bin(Struct, frozen=True):
    """The predictions whose confidence lies between two bounds.

    `confidence` is their mean confidence, `right` the share of them that is right; both are 0 in an
    empty bin.
    """

    low: float
    high: float
    count: int
    confidence: float
    right: float

    @property
    def gap(self) -> float:
        """Mean confidence minus share of right ones: above 0 where the model is too sure."""
        return self.confidence - self.right


def equal_width(confidences: ArrayLike, right: ArrayLike, *, bins: int = BINS) -> tuple[Bin, ...]:
    """Return `bins` bins of equal width over [0, 1]; a bin holds its upper bound, not its lower.

    As in Guo et al.; the first holds 0 too. ValueError for a confidence that is no probability.
    """
    values, truth = _checked(confidences, right)
    edges = np.arange(bins + 1) / bins
    return _binned(values, truth, edges, np.searchsorted(edges[1:-1], values, side="left"))


def equal_mass(confidences: ArrayLike, right: ArrayLike, *, bins: int = BINS) -> tuple[Bin, ...]:
    """Return at most `bins` bins with as nearly as many predictions each; none is empty.

    The bounds are the least and the greatest confidence of a bin. Equal confidences stay together,
    so there are fewer bins where many are equal.
    """
    values, truth = _checked(confidences, right)
    if not len(values):
        return ()
    ranked = np.sort(values)
    places = np.searchsorted(_cuts(ranked, bins), np.searchsorted(ranked, values), side="right")
    used, places = np.unique(places, return_inverse=True)
    found = _binned(values, truth, np.zeros(len(used) + 1), places)
    bounds = [values[places == number] for number in range(len(used))]
    return tuple(
        Bin(float(inside.min()), float(inside.max()), one.count, one.confidence, one.right)
        for one, inside in zip(found, bounds, strict=True)
    )


def _cuts(ranked: Floats, bins: int) -> NDArray[np.int64]:
    """Return where bins begin among sorted values, at the nearer end of a run of equal ones."""
    ideal = np.arange(1, bins) * len(ranked) // bins
    first = np.searchsorted(ranked, ranked[ideal], side="left")
    after = np.searchsorted(ranked, ranked[ideal], side="right")
    return np.where(ideal - first <= after - ideal, first, after)


def calibration_error(bins: Sequence[Bin]) -> float:
    """Return the expected calibration error, 0 to 1; of no predictions it is 0."""
    count = sum(one.count for one in bins)
    return sum(one.count * abs(one.gap) for one in bins) / count if count else 0.0


def chance_error(confidences: ArrayLike, *, bins: int = BINS, seed: int = SEED) -> float:
    """Return the error over bins of equal width that true probabilities would show by chance.

    The mean over outcomes drawn with the confidences as probabilities: few predictions show an
    error however good their confidences are (Bröcker and Smith 2007, consistency resampling).
    """
    values = np.asarray(confidences, dtype=np.float64)
    rng = np.random.default_rng(seed)
    drawn = (rng.random(len(values)) < values for _ in range(_DRAWS))
    return float(np.mean([calibration_error(equal_width(values, one, bins=bins)) for one in drawn]))


class Scaling(Struct, frozen=True):
    """What makes probabilities of confidences: the log-odds are slope * theirs + intercept."""

    slope: float = 1.0
    intercept: float = 0.0

    def apply(self, confidences: ArrayLike) -> Floats:
        """Return the probabilities that confidences stand for."""
        return _sigmoid(self.slope * log_odds(confidences) + self.intercept)


def fit_scaling(confidences: ArrayLike, right: ArrayLike) -> Scaling:
    """Return the scaling of the greatest likelihood of what was right (Platt 1999).

    A temperature alone keeps a half a half: it cannot mend what is too sure throughout, as least
    probabilities of several words are. The targets are drawn in from 0 and 1 as Platt does, so that
    separable ones have an answer; Newton's method with halved steps finds it (Lin et al. 2007).
    Without both right and wrong ones there is nothing to fit: Scaling().
    """
    values, truth = _checked(confidences, right)
    good = float(truth.sum())
    bad = len(truth) - good
    if not good or not bad:
        return Scaling()
    target = np.where(truth > 0, (good + 1) / (good + 2), 1 / (bad + 2))
    table = np.stack([log_odds(values), np.ones(len(values))], axis=1)  # (predictions, 2)

    def surprise(weights: Floats) -> float:
        odds = table @ weights
        return float((np.logaddexp(0, odds) - target * odds).sum())

    weights: Floats = np.array([0.0, np.log((good + 1) / (bad + 1))], dtype=np.float64)
    least = surprise(weights)
    for _ in range(_STEPS):
        chances = _sigmoid(table @ weights)
        slope = table.T @ (chances - target)
        bend = (table * (chances * (1 - chances))[:, None]).T @ table + 1e-9 * np.eye(2)
        step = np.linalg.solve(bend, slope)
        while (now := surprise(weights - step)) > least and np.abs(step).max() > _TINY:
            step = step / 2
        if now >= least:
            break
        weights, least = weights - step, now
    return Scaling(float(weights[0]), float(weights[1]))


def log_odds(confidences: ArrayLike) -> Floats:
    """Return ln(p / (1 - p)), of 0 and 1 that of a millionth less or more."""
    values = np.clip(np.asarray(confidences, dtype=np.float64), 1e-6, 1 - 1e-6)
    return np.log(values) - np.log1p(-values)


def _sigmoid(odds: Floats) -> Floats:
    return np.exp(-np.logaddexp(0, -odds))


def _checked(confidences: ArrayLike, right: ArrayLike) -> tuple[Floats, Floats]:
    values = np.asarray(confidences, dtype=np.float64)
    truth = np.asarray(right, dtype=np.float64)
    if values.shape != truth.shape or values.ndim != 1:
        raise ValueError(f"{values.shape} confidences for {truth.shape} predictions")
    if not np.all((values >= 0) & (values <= 1)):
        raise ValueError("a confidence must lie between 0 and 1")
    return values, truth


def _binned(
    values: Floats, truth: Floats, edges: Floats, places: NDArray[np.int64]
) -> tuple[Bin, ...]:
    size = len(edges) - 1
    counts = np.bincount(places, minlength=size)
    whole = np.maximum(counts, 1)
    means = np.bincount(places, weights=values, minlength=size) / whole
    shares = np.bincount(places, weights=truth, minlength=size) / whole
    return tuple(
        Bin(float(low), float(high), int(count), float(mean), float(share))
        for low, high, count, mean, share in zip(
            edges[:-1], edges[1:], counts, means, shares, strict=True
        )
    )
