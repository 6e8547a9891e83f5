"""What was found, invented and missed: tp, fp, fn, and precision, recall and F1 from them."""

from collections.abc import Iterable, Set
from typing import TypeVar

from msgspec import Struct

Item = TypeVar("Item")


class Counts(Struct, frozen=True):
    """True positives, false positives and false negatives; a ratio of nothing is 0."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def precision(self) -> float:
        """Share of the predictions that are right."""
        return _ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """Share of the gold that was found."""
        return _ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return _ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def compare(gold: Set[Item], predicted: Set[Item]) -> Counts:
    """Count two sets against each other."""
    tp = len(gold & predicted)
    return Counts(tp=tp, fp=len(predicted) - tp, fn=len(gold) - tp)


def total(counts: Iterable[Counts]) -> Counts:
    """Sum counts (micro average)."""
    return sum(counts, start=Counts())
