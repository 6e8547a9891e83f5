"""How sure a score is: bootstrap intervals over documents, the paired difference of two systems.

Documents, not mentions, are drawn: what is found within one abstract stands or falls together.
The interval is the bias-corrected and accelerated one (Efron 1987) where it exists.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bluered.metrics.counts import Counts

RESAMPLES = 9999
SEED = 1


class Interval(Struct, frozen=True, array_like=True):
    """The lower and upper bound of a confidence interval."""

    low: float
    high: float


class Difference(Struct, frozen=True):
    """F1 of the second system minus F1 of the first, with its interval and two-sided p-value."""

    difference: float
    interval: Interval
    p_value: float


def f1_interval(
    documents: Sequence[Counts],
    *,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Interval:
    """Return the bootstrap interval of micro F1 over documents, each given by its counts."""
    from scipy.stats import bootstrap

    table = _table(documents)
    if len(table) < 2 or _constant(table):
        value = float(_f1(*table.T)) if len(table) else 0.0
        return Interval(value, value)
    result = bootstrap(
        tuple(table.T),
        _f1,
        paired=True,
        vectorized=True,
        n_resamples=resamples,
        confidence_level=level,
        method="BCa",
        rng=np.random.default_rng(seed),
        batch=max(1, 2_000_000 // len(table)),
    )
    low, high = result.confidence_interval
    if np.isnan(low) or np.isnan(high):  # all resamples equal: no acceleration to estimate
        low, high = np.quantile(result.bootstrap_distribution, ((1 - level) / 2, (1 + level) / 2))
    return Interval(float(low), float(high))


def f1_difference(
    first: Sequence[Counts],
    second: Sequence[Counts],
    *,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Difference:
    """Compare two systems on the same documents, given in the same order.

    The interval is the percentile interval of the paired bootstrap; the p-value comes from
    approximate randomization (Noreen 1989): for each document the two systems' counts are swapped
    at random, and one is added to both counts of the ratio so that it is never 0.
    """
    one, two = _table(first), _table(second)
    if len(one) != len(two):
        raise ValueError(f"paired comparison of {len(one)} and {len(two)} documents")
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(len(one), np.full(len(one), 1 / len(one)), size=resamples)
    differences = _f1_rows(drawn @ two) - _f1_rows(drawn @ one)
    tail = (1 - level) / 2
    low, high = np.quantile(differences, (tail, 1 - tail))
    observed = float(_f1(*two.T) - _f1(*one.T))
    swap = rng.integers(0, 2, size=(resamples, len(one)))
    swapped = _f1_rows(two.sum(0) + swap @ (one - two)) - _f1_rows(one.sum(0) + swap @ (two - one))
    extreme = int(np.sum(np.abs(swapped) >= abs(observed) - 1e-12))
    p_value = (extreme + 1) / (resamples + 1)
    return Difference(observed, Interval(float(low), float(high)), p_value)


def _table(documents: Sequence[Counts]) -> NDArray[np.int64]:
    """Return an array (documents, 3) of tp, fp, fn."""
    return np.array([(c.tp, c.fp, c.fn) for c in documents], dtype=np.int64).reshape(-1, 3)


def _constant(table: NDArray[np.int64]) -> bool:
    """Say whether every sample of the documents must give the same F1."""
    tp, errors = table[:, 0], table[:, 1] + table[:, 2]
    return not tp.any() or not errors.any() or bool(np.all(table == table[0]))


def _f1(
    tp: NDArray[np.int64], fp: NDArray[np.int64], fn: NDArray[np.int64], axis: int = -1
) -> NDArray[np.float64]:
    found = 2 * tp.sum(axis=axis)
    whole = found + fp.sum(axis=axis) + fn.sum(axis=axis)
    return found / np.maximum(whole, 1)


def _f1_rows(sums: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return F1 for each row (tp, fp, fn)."""
    return 2 * sums[:, 0] / np.maximum(2 * sums[:, 0] + sums[:, 1] + sums[:, 2], 1)
