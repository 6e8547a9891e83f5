"""Which oddity of an original evaluator moved how many counts: switched on one after the other."""

from collections.abc import Callable, Mapping, Sequence
from math import isnan

from msgspec import Struct

from bluered.metrics.counts import Counts

Totals = Mapping[str, Counts]


class Quirk(Struct, frozen=True):
    """A rule of an original evaluator that is not the clean rule: what it does, where it stands."""

    name: str
    says: str
    source: str


class Moved(Struct, frozen=True):
    """What a quirk adds to (or, negative, takes from) the counts of one measure."""

    tp: int
    fp: int
    fn: int

    def __bool__(self) -> bool:
        return bool(self.tp or self.fp or self.fn)


class Step(Struct, frozen=True):
    """One quirk switched on after those before it, and what that moved in each measure."""

    quirk: Quirk
    moved: dict[str, Moved]


def walk(quirks: Sequence[Quirk], score: Callable[[frozenset[str]], Totals]) -> list[Step]:
    """Go from the clean rule to the original's, one quirk after the other.

    `score` counts with the named quirks switched on. The moves add up to the whole difference;
    how it is shared among quirks that overlap depends on their order.
    """
    steps: list[Step] = []
    switched_on: frozenset[str] = frozenset()
    before = score(switched_on)
    for quirk in quirks:
        switched_on |= {quirk.name}
        after = score(switched_on)
        moved = {
            measure: Moved(
                now.tp - before[measure].tp,
                now.fp - before[measure].fp,
                now.fn - before[measure].fn,
            )
            for measure, now in after.items()
        }
        steps.append(Step(quirk, moved))
        before = after
    return steps


class Shift(Struct, frozen=True):
    """One quirk switched on after those before it, and by how much that moved each figure."""

    quirk: Quirk
    moved: dict[str, float]


def walk_figures(
    quirks: Sequence[Quirk], figures: Callable[[frozenset[str]], Mapping[str, float]]
) -> list[Shift]:
    """Go from the clean rule to the original's as `walk` does, by figures instead of counts.

    A move to or from a figure that does not exist (nan) is nan.
    """
    steps: list[Shift] = []
    switched_on: frozenset[str] = frozenset()
    before = figures(switched_on)
    for quirk in quirks:
        switched_on |= {quirk.name}
        after = figures(switched_on)
        moved = {name: _move(before[name], after[name]) for name in after}
        steps.append(Shift(quirk, moved))
        before = after
    return steps


def _move(before: float, after: float) -> float:
    return 0.0 if isnan(before) and isnan(after) else after - before
