"""What every scorer of a task returns: the figure, what it is made of, and the sums behind it."""

from typing import Any

import numpy as np
from msgspec import Struct, field

from bluered.metrics.counts import Counts
from bluered.metrics.sums import Array, Statistic, by_class, share


class Measured(Struct, frozen=True, kw_only=True):
    """A score with the table it depends on: a row per unit, `statistic` of the sums is the score.

    `units` name the rows: documents, or pairs of sentences. A score of None does not exist.
    """

    metric: str
    score: float | None
    units: tuple[str, ...]
    table: Array
    statistic: Statistic
    details: dict[str, Any] = field(default_factory=dict)
    notes: dict[str, int] = field(default_factory=dict)


def leaf(counts: Array) -> dict[str, Any]:
    """Return tp, fp, fn with precision, recall and F1 as plain values."""
    tp, fp, fn = map(int, counts)
    one = Counts(tp, fp, fn)
    return {
        "tp": tp,
        "fp": fp,
        "fn": fn,
        "precision": one.precision,
        "recall": one.recall,
        "f1": one.f1,
    }


def averages(classes: tuple[str, ...], table: Array, *, group: str) -> dict[str, Any]:
    """Return the micro and macro average and each class of a table of tp, fp, fn per class.

    The macro average is over the classes that gold or prediction has; `group` names the classes.
    """
    counts = by_class(table.sum(axis=0))
    leaves = {name: leaf(row) for name, row in zip(classes, counts, strict=True)}
    present = [one for one in leaves.values() if one["tp"] + one["fp"] + one["fn"]]
    ratios = ("precision", "recall", "f1")
    macro = {name: _mean([one[name] for one in present]) for name in ratios}
    return {"micro": leaf(counts.sum(axis=0)), "macro": macro, group: leaves}


def unit_mean_f1(table: Array) -> float:
    """Return the mean of the units' own F1, over those in which there is something to count."""
    tp, fp, fn = by_class(table).sum(axis=1).T
    whole = 2 * tp + fp + fn
    return _mean(list(share(2 * tp, whole)[whole > 0]))


def class_table(rows: list[list[Counts]], classes: int) -> Array:
    """Return `(units, classes * 3)` from the counts of each unit's classes."""
    flat = [[n for c in row for n in (c.tp, c.fp, c.fn)] for row in rows]
    return np.array(flat, dtype=float).reshape(len(rows), classes * 3)


def _mean(values: list[float]) -> float:
    return float(np.mean(values)) if values else 0.0
