"""Whether confidences can be believed: as tables, for programs and as a reliability diagram."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import Template
from msgspec import Struct

from bluered.metrics.calibration import (
    Bin,
    calibration_error,
    chance_error,
    equal_mass,
    equal_width,
)
from bluered.reports.environment import environment
from bluered.reports.figures import percent
from bluered.reports.tables import Table
from bluered.tasks.biored.calibration import Answers

RIGHT = {
    "mentions": "exact spans and type",
    "relations": "pair and type",
    "novelty": "novelty of right pairs",
}
"""What makes a prediction right."""

NONE = "the predictions have no confidences: there is nothing to calibrate"


class Reliability(Struct, frozen=True):
    """The bins of a target's confidences, and how many predictions have none.

    `chance` is the error that true probabilities would show with so few predictions.
    """

    target: str
    bins: tuple[Bin, ...]
    mass: tuple[Bin, ...]
    without: int
    chance: float

    @property
    def count(self) -> int:
        """How many predictions have a confidence."""
        return sum(one.count for one in self.bins)

    @property
    def error(self) -> float:
        """The expected calibration error over bins of equal width."""
        return calibration_error(self.bins)

    def mean(self, name: str) -> float:
        """Return the mean of "confidence" or "right" over all predictions."""
        total = sum(one.count * getattr(one, name) for one in self.bins)
        return total / self.count if self.count else 0.0


def reliabilities(found: Mapping[str, Answers]) -> tuple[Reliability, ...]:
    """Return the bins of each target."""
    return tuple(
        Reliability(
            target,
            equal_width(one.confidences, one.right),
            equal_mass(one.confidences, one.right),
            one.without,
            chance_error(one.confidences),
        )
        for target, one in found.items()
    )


def to_json(found: Sequence[Reliability]) -> dict[str, Any]:
    """Return bins and errors by target, ratios from 0 to 1; `error` is that of equal width."""
    return {
        one.target: {
            "right": RIGHT[one.target],
            "predictions": one.count,
            "without_confidence": one.without,
            "mean_confidence": one.mean("confidence"),
            "accuracy": one.mean("right"),
            "error": one.error,
            "error_by_chance": one.chance,
            "error_equal_mass": calibration_error(one.mass),
            "bins": [_bin_json(each) for each in one.bins],
            "bins_equal_mass": [_bin_json(each) for each in one.mass],
        }
        for one in found
    }


def _bin_json(one: Bin) -> dict[str, float]:
    return {
        "low": one.low,
        "high": one.high,
        "predictions": one.count,
        "mean_confidence": one.confidence,
        "accuracy": one.right,
    }


def tables(found: Sequence[Reliability]) -> Iterator[Table]:
    """Yield how far confidences are from the truth in all, then the bins of each target."""
    rows = [_summary(one) for one in found]
    heads = [
        "",
        "right is",
        "n",
        "confidence",
        "right",
        "error",
        "by chance",
        "equal mass",
        "without",
    ]
    size = len(found[0].bins) if found else 0
    notes = [
        f"error: expected calibration error in points over {size} bins of equal width, or of equal "
        "mass; by chance: what true probabilities would show with so few predictions; without: "
        "predictions that state no confidence"
    ]
    if not any(one.count for one in found):
        notes.append(NONE)
    yield Table("Confidences: can they be believed?", heads, rows, notes=tuple(notes))
    for one in found:
        if one.count:
            yield _bins(one)


def _summary(one: Reliability) -> list[str]:
    if not one.count:
        return [one.target, RIGHT[one.target], "0", "", "", "", "", "", str(one.without)]
    figures = (
        one.mean("confidence"),
        one.mean("right"),
        one.error,
        one.chance,
        calibration_error(one.mass),
    )
    return [
        one.target,
        RIGHT[one.target],
        str(one.count),
        *map(percent, figures),
        str(one.without),
    ]


def _bins(one: Reliability) -> Table:
    rows = [
        [
            f"{each.low:.1f} to {each.high:.1f}",
            str(each.count),
            percent(each.confidence),
            percent(each.right),
            f"{100 * each.gap:+.1f}",
        ]
        for each in one.bins
        if each.count
    ]
    heads = ["confidence", "n", "mean", "right", "too sure by"]
    return Table(f"Confidences of {one.target}: {RIGHT[one.target]}", heads, rows)


class Column(Struct, frozen=True):
    """A bin in the picture's units: its bar, its share in the strip, and the gap to the truth."""

    x: float
    width: float
    top: float
    mean: float
    ideal: float
    strip: float
    described: str


class Panel(Struct, frozen=True):
    """A target's part of the picture."""

    target: str
    subtitle: str
    left: float
    columns: tuple[Column, ...]


WIDTH, HEIGHT = 860, 432
_SIDE = 220  # of a panel
_LEFT, _GAP, _TOP = 60, 58, 124
_FLOOR = _TOP + _SIDE
_STRIP = 26  # height of the strip that shows how many predictions a bin holds


def svg(found: Sequence[Reliability], *, system: str, split: str, signature: str) -> str:
    """Return the reliability diagram, readable on light and on dark pages."""
    panels = tuple(_panel(number, one) for number, one in enumerate(found))
    return _template().render(
        title=f"{system}: can its confidences be believed?",
        subtitle=f"BioRED {split}: share of right ones by confidence; the diagonal is the ideal",
        described="; ".join(_described(panel) for panel in panels),
        signature=signature,
        panels=panels,
        ticks=[(f"{value:g}", _SIDE * value) for value in (0, 0.25, 0.5, 0.75, 1)],
        width=WIDTH,
        height=HEIGHT,
        top=_TOP,
        floor=_FLOOR,
        side=_SIDE,
        strip=_STRIP,
    )


def _panel(number: int, one: Reliability) -> Panel:
    left = _LEFT + number * (_SIDE + _GAP)
    most = max((each.count for each in one.bins), default=0)
    columns = tuple(
        Column(
            x=round(left + _SIDE * each.low + 1, 1),
            width=round(_SIDE * (each.high - each.low) - 2, 1),
            top=_height(each.right),
            mean=round(left + _SIDE * each.confidence, 1),
            ideal=_height(each.confidence),
            strip=round(max(1.0, _STRIP * each.count / most), 1),
            described=(
                f"{each.count} of {each.low:.1f} to {each.high:.1f}: "
                f"{percent(each.right)} right, {percent(each.confidence)} sure"
            ),
        )
        for each in one.bins
        if each.count
    )
    subtitle = f"{one.count} predicted, error {percent(one.error)}" if one.count else "none given"
    return Panel(one.target, subtitle, left, columns)


def _described(panel: Panel) -> str:
    parts = [f"{panel.target}: {panel.subtitle}", *(one.described for one in panel.columns)]
    return ", ".join(parts)


def _height(ratio: float) -> float:
    return round(_FLOOR - _SIDE * ratio, 1)


@cache
def _template() -> Template:
    return environment().get_template("calibration.svg.j2")
