"""Whether one system is better than another on a task's gold, and whether that can be told."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from bluered.corpora.catalog import Task
from bluered.documents.examples import Example, TextPair
from bluered.errors import BlueredError
from bluered.metrics.resampling import difference
from bluered.metrics.significance import Interval
from bluered.metrics.sums import Array
from bluered.tasks.results import counted
from bluered.tasks.scoring import Scorer, measure, paired_tables

ENOUGH = 6
"""Units that must differ before p can be under 0.05: of 5 swaps 2 in 32 are as extreme as any."""

WIDE = 0.10
"""An interval wider than this leaves open what is in question between close systems."""


class Comparison(Struct, frozen=True, kw_only=True):
    """The score of the system that was predicted minus that of the other, `against`.

    `units` is how many documents or pairs of sentences there are, `differing` in how many of them
    the two systems' counts differ; `notes` are those of scoring the other system.
    """

    score: float
    against: float
    difference: float
    interval: Interval
    p_value: float
    units: int
    differing: int
    notes: dict[str, int]


def comparison(
    task: Task,
    gold: Sequence[Example],
    predicted: Sequence[Example],
    against: Sequence[Example],
    *,
    scorer: Scorer = "correct",
) -> Comparison:
    """Compare two systems by the task's own metric, as bluered.tasks.scoring.compare does."""
    one = measure(task, gold, predicted, scorer=scorer)
    other = measure(task, gold, against, scorer=scorer)
    if one.score is None or other.score is None:
        side = "prediction" if one.score is None else "other prediction"
        raise BlueredError(f"{task.name}: the {side} has no score, so there is no difference")
    first, second = paired_tables(task, other, one)
    found = difference(first, second, one.statistic)
    return Comparison(
        score=one.score,
        against=other.score,
        difference=found.difference,
        interval=found.interval,
        p_value=found.p_value,
        units=len(first),
        differing=_differing(predicted, against, first, second),
        notes=other.notes,
    )


def _differing(
    predicted: Sequence[Example], against: Sequence[Example], first: Array, second: Array
) -> int:
    """Return in how many units two systems differ.

    Scores are compared themselves: the sums of a correlation are about the mean, which moves all.
    """
    one, other = (
        {e.id: e.score for e in side if isinstance(e, TextPair)} for side in (predicted, against)
    )
    if any(score is not None for score in (*one.values(), *other.values())):
        return sum(one.get(name) != other.get(name) for name in one | other)
    return int(np.sum(np.any(first != second, axis=1)))


def too_few(found: Comparison, *, kind: str) -> str | None:
    """Return why the gold of a type of task is too small to tell the two apart, or None."""
    units = counted(found.units, kind=kind)
    if found.differing == 0:
        return f"the two are scored alike in all {units}"
    if found.differing < ENOUGH:
        return (
            f"the two differ in {found.differing} of {units}: too few to tell, since "
            f"p can be under 0.05 only if at least {ENOUGH} differ"
        )
    width = found.interval.high - found.interval.low
    if width > WIDE:
        return (
            f"{units} leave an interval {100 * width:.0f} points wide: too few to "
            "tell close systems apart"
        )
    return None
