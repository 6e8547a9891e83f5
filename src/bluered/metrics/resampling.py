"""How sure any figure made of sums is: bootstrap intervals, and the difference of two systems.

A table has a row per unit that stands or falls together (a document, a pair of sentences); a
statistic turns sums of its rows into the figure (bluered.metrics.sums). Units are drawn with
replacement; intervals are the bias-corrected and accelerated ones (Efron 1987) where they exist.
"""

from collections.abc import Iterator
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from bluered.metrics.significance import RESAMPLES, SEED, Difference, Interval
from bluered.metrics.sums import Array, Statistic

_AT_ONCE = 4_000_000  # drawn units held in memory


def interval(
    table: Array,
    statistic: Statistic,
    *,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Interval | None:
    """Return the bootstrap interval of a figure over the rows of a table; None if it has no value.

    Resamples for which the figure does not exist (a correlation of one value) are left out.
    """
    observed = _figure(table, statistic)
    if len(table) == 0 or np.isnan(observed):
        return None
    rng = np.random.default_rng(seed)
    drawn = np.concatenate([statistic(w @ table) for w in _weights(len(table), resamples, rng)])
    drawn = np.sort(drawn[~np.isnan(drawn)])
    if len(drawn) == 0 or drawn[0] == drawn[-1]:
        return Interval(observed, observed)
    tails = (1 - level) / 2, (1 + level) / 2
    low, high = np.quantile(drawn, _accelerated(tails, table, statistic, drawn))
    return Interval(float(low), float(high))


def difference(
    first: Array,
    second: Array,
    statistic: Statistic,
    *,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Difference:
    """Compare two systems on the same units, a row each in the same order.

    The interval is the percentile interval of the paired bootstrap; the p-value comes from
    approximate randomization (Noreen 1989): for each unit the two systems' rows are swapped at
    random, and one is added to both counts of the ratio so that it is never 0.
    """
    if first.shape != second.shape:
        raise ValueError(f"paired comparison of {len(first)} and {len(second)} units")
    rng = np.random.default_rng(seed)
    drawn, swapped = [], []
    for weights in _weights(len(first), resamples, rng):
        drawn.append(statistic(weights @ second) - statistic(weights @ first))
        swap = rng.integers(0, 2, size=weights.shape).astype(float)
        kept, given = (
            first.sum(0) + swap @ (second - first),
            second.sum(0) + swap @ (first - second),
        )
        swapped.append(statistic(given) - statistic(kept))
    observed = _figure(second, statistic) - _figure(first, statistic)
    tails = (1 - level) / 2, (1 + level) / 2
    low, high = np.nanquantile(np.concatenate(drawn), tails)
    extreme = int(np.sum(np.abs(np.concatenate(swapped)) >= abs(observed) - 1e-12))
    return Difference(observed, Interval(float(low), float(high)), (extreme + 1) / (resamples + 1))


def _figure(table: Array, statistic: Statistic) -> float:
    return float(statistic(table.sum(axis=0)))


def _weights(units: int, resamples: int, rng: np.random.Generator) -> Iterator[Array]:
    """Yield how often each unit is drawn in each resample: `(some resamples, units)`."""
    step = max(1, _AT_ONCE // max(1, units))
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        picked = rng.integers(0, units, size=(rows, units))
        picked += units * np.arange(rows)[:, None]
        counts = np.bincount(picked.ravel(), minlength=rows * units)
        yield counts.reshape(rows, units).astype(float)


def _accelerated(
    tails: tuple[float, float], table: Array, statistic: Statistic, drawn: Array
) -> NDArray[np.float64]:
    """Return the quantiles to take instead of the plain tails; these if there is no correction."""
    normal = NormalDist()
    observed = _figure(table, statistic)
    below = (np.sum(drawn < observed) + np.sum(drawn <= observed)) / (2 * len(drawn))
    without = statistic(table.sum(axis=0) - table)
    without = without[~np.isnan(without)]
    off = without.mean() - without if len(without) else without
    spread = np.sum(off**2)
    if not 0 < below < 1 or spread == 0:
        return np.array(tails)
    bias, acceleration = normal.inv_cdf(below), np.sum(off**3) / (6 * spread**1.5)
    shifted = [bias + normal.inv_cdf(tail) for tail in tails]
    return np.array([normal.cdf(bias + z / (1 - acceleration * z)) for z in shifted])
