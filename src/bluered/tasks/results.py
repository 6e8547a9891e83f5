"""What scoring a task gives: one figure, how sure it is, and what it is made of."""

from typing import Any

from msgspec import Struct, field

from bluered.metrics.significance import Interval


class Result(Struct, frozen=True, kw_only=True):
    """A score between 0 and 1 (Pearson from -1 to 1); None where the figure does not exist.

    `units` is how many documents or pairs the interval was drawn over; `details` holds the figures
    behind the score (tp, fp, fn, per class, other averages) as plain values; `notes` say in words
    what was missing, unknown or counted by a special rule, and how often.
    """

    task: str
    scorer: str
    metric: str
    score: float | None
    units: int
    interval: Interval | None = None
    details: dict[str, Any] = field(default_factory=dict)
    notes: dict[str, int] = field(default_factory=dict)


def counted(units: int, *, kind: str) -> str:
    """Return how many documents or pairs a figure is over, by the type of the task.

    >>> counted(20, kind="sentence-similarity")
    '20 pairs'
    """
    one = "pair" if kind in ("sentence-similarity", "inference") else "document"
    return f"{units} {one}{'' if units == 1 else 's'}"
