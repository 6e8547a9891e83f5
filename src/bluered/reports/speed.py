"""Accuracy against speed on BioRED as a picture: a point per system, memory as text beside it."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import ceil, floor, log10

from jinja2 import Template
from msgspec import Struct

from bluered.reports.environment import environment
from bluered.reports.figures import percent
from bluered.reports.matrix import Group, groups, is_biored
from bluered.tasks.cells import NER, Cell, Gap


class Point(Struct, frozen=True):
    """A system: where it stands, and what is written beside it, on the left or the right."""

    name: str
    said: str
    x: float
    y: float
    label: float
    anchor: str
    colour: int


class Panel(Struct, frozen=True):
    """A field: F1 of mentions or of relations upwards, documents a second to the right."""

    title: str
    left: float
    right: float
    grid: tuple[tuple[str, float], ...]
    ticks: tuple[tuple[str, float], ...]
    points: tuple[Point, ...]


WIDTH, HEIGHT = 1080, 460
_TOP, _FLOOR = 104, 390
_FIELDS = ((56.0, 516.0), (596.0, 1056.0))
_APART = 32  # pixels between two labels, of two lines each
_STEPS = (1, 2, 5, 10, 20)
MEASURES = {NER: "mentions, F1", "all": "relations: pair, type and novelty, F1"}


def svg(found: Sequence[Cell | Gap], *, title: str, split: str, signature: str) -> str:
    """Return the picture, readable on light and on dark pages; "" if BioRED has no cell."""
    members = [group for group in groups(found) if is_biored(group.task) and group.cells]
    fields = iter(_FIELDS)
    panels = []
    for measure, head in MEASURES.items():
        drawn = [group for group in members if group.spread(measure) and _speed(group)]
        if drawn:
            panels.append(_panel(head, measure, drawn, field=next(fields)))
    if not panels:
        return ""
    points = [point for panel in panels for point in panel.points]
    return _template().render(
        title=f"{title}: accuracy against speed",
        subtitle=f"BioRED {split}, mean over seeds; memory is what answering held at most",
        described="; ".join(f"{point.name} {point.said}" for point in points),
        signature=signature,
        panels=panels,
        width=WIDTH if len(panels) > 1 else _FIELDS[1][0] - 40,
        height=HEIGHT,
        top=_TOP,
        floor=_FLOOR,
    )


def _speed(group: Group) -> float:
    """Return documents a second, 0 where it was too fast to be measured."""
    seconds = sum(cell.answer_seconds for cell in group.cells)
    return len(group.cells) / seconds if seconds else 0.0


def _memory(group: Group) -> str:
    known = [cell.answer_memory for cell in group.cells if cell.answer_memory]
    return f", {sum(known) / len(known) / 2**20:.0f} MB" if known else ""


def _panel(
    title: str, measure: str, drawn: Sequence[Group], *, field: tuple[float, float]
) -> Panel:
    speeds = [_speed(group) for group in drawn]
    spreads = [group.spread(measure) for group in drawn]
    scores = [100 * found.mean for found in spreads if found is not None]
    low, high = floor(log10(min(speeds)) - 0.05), ceil(log10(max(speeds)) + 0.05)
    ticks = _ticks(min(scores), max(scores))

    def across(speed: float) -> float:
        return round(field[0] + (log10(speed) - low) / (high - low) * (field[1] - field[0]), 1)

    def height(score: float) -> float:
        share = (score - ticks[0]) / (ticks[-1] - ticks[0])
        return round(_FLOOR - share * (_FLOOR - _TOP), 1)

    rows = {group.row for group in drawn}
    names = [g.row if len(rows) == len(drawn) else f"{g.row}: {g.recipe}" for g in drawn]
    places = [(across(x), height(y)) for x, y in zip(speeds, scores, strict=True)]
    middle = sum(field) / 2
    sides = ["end" if x > middle else "start" for x, _ in places]
    labels = _spread(places, sides)
    points = tuple(
        Point(
            name=name,
            said=f"{percent(score / 100)}, {_rate(speed)}/s{_memory(group)}",
            x=x,
            y=y,
            label=label,
            anchor=side,
            colour=number,
        )
        for number, (group, name, score, speed, (x, y), side, label) in enumerate(
            zip(drawn, names, scores, speeds, places, sides, labels, strict=True)
        )
    )
    decades = tuple((_rate(10.0**n), across(10.0**n)) for n in range(low, high + 1))
    return Panel(title, *field, tuple((f"{t:g}", height(t)) for t in ticks), decades, points)


def _rate(speed: float) -> str:
    return f"{speed:.2g}" if speed < 10 else f"{speed:.0f}"


def _ticks(low: float, high: float) -> list[float]:
    """Return round figures around two, six at most, with space at both ends."""
    step = next((s for s in _STEPS if ceil(high / s + 0.2) - floor(low / s - 0.2) <= 5), _STEPS[-1])
    first, last = floor(low / step - 0.2), ceil(high / step + 0.2)
    return [float(step * number) for number in range(first, last + 1)]


def _spread(places: Sequence[tuple[float, float]], sides: Sequence[str]) -> list[float]:
    """Return the heights of labels: at their points, moved down where two of a side overlap."""
    labels = [y for _, y in places]
    for side in set(sides):
        order = sorted((n for n, s in enumerate(sides) if s == side), key=lambda n: labels[n])
        for upper, lower in pairwise(order):
            labels[lower] = max(labels[lower], labels[upper] + _APART)
        excess = max(0.0, labels[order[-1]] - _FLOOR + _APART / 2)
        for number in order:
            labels[number] = round(labels[number] - excess, 1)
    return labels


@cache
def _template() -> Template:
    return environment().get_template("speed.svg.j2")
