"""How a model learned: its log as a table, and loss and dev scores by epoch as a picture."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

from jinja2 import Template
from msgspec import Struct

from bluered.reports.environment import environment
from bluered.reports.tables import Table

Epoch = Mapping[str, float]
"""What a run's log says of an epoch: its number, loss, seconds and the scores on dev."""

_LOSSES = ("loss", "entropy", "error")
"""What is the better the smaller it is, and has no upper bound."""

_PERPLEXITIES = ("forward_perplexity", "backward_perplexity")
"""Those of a bidirectional language model: e to the power of the entropy, far above all scores."""

_NO_SCORES = ("epoch", "seconds", "threshold", *_LOSSES, *_PERPLEXITIES)
_NOT_DRAWN = ("precision", "recall")
"""Scores that F1 stands for in the picture."""


def table(log: Sequence[Epoch], *, title: str) -> Table:
    """Return the log; the epoch whose weights are kept is marked."""
    heads = list(dict.fromkeys(name for epoch in log for name in epoch))
    kept = best(log)
    rows = [
        [
            (f"{epoch[name]:g}" if name in epoch else "")
            + (" *" if name == "epoch" and number == kept else "")
            for name in heads
        ]
        for number, epoch in enumerate(log)
    ]
    by = deciding(log[0])
    return Table(title, heads, rows, notes=(f"* kept: the best on dev by {by}",))


def deciding(epoch: Epoch) -> str:
    """Return the score by which the best epoch is told: the first after loss and seconds."""
    return next(name for name in epoch if name not in ("epoch", "seconds", "loss"))


def best(log: Sequence[Epoch]) -> int:
    """Return the index of the first epoch that no other one surpasses."""
    by = deciding(log[0])
    return max(range(len(log)), key=lambda n: (log[n][by], -n))


class Line(Struct, frozen=True):
    """A curve: its name, the last value, its points and where its name is written."""

    name: str
    last: str
    colour: int
    points: tuple[tuple[float, float], ...]
    label: float


class Panel(Struct, frozen=True):
    """One of the two fields: `left` and `right` bound it, `grid` has values and their heights."""

    title: str
    left: float
    right: float
    grid: tuple[tuple[str, float], ...]
    epochs: tuple[tuple[str, float], ...]
    lines: tuple[Line, ...]


WIDTH, HEIGHT = 900, 400
_TOP, _FLOOR = 104, 340
_FIELDS = ((60.0, 300.0), (490.0, 750.0))  # what is between and beside them is for names
_APART = 17  # pixels between two names
_MOST_TICKS = 10
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def svg(log: Sequence[Epoch], *, name: str) -> str:
    """Return the curves as a picture, readable on light and on dark pages."""
    names = list(log[0])
    losses = [each for each in names if each in _LOSSES]
    scores = [each for each in names if each not in (*_NO_SCORES, *_NOT_DRAWN)]
    panels = [
        _panel("loss", log, losses, field=_FIELDS[0], start=0.0, colour=0),
        _panel("scores on dev", log, scores, field=_FIELDS[1], start=None, colour=len(losses)),
    ]
    kept = best(log)
    return _template().render(
        title=f"{name}: loss and dev scores by epoch",
        subtitle=f"kept: epoch {log[kept]['epoch']:g}, the best by {deciding(log[0])}",
        described=", ".join(f"{each} {log[-1][each]:g}" for each in (*losses, *scores)),
        panels=[panel for panel in panels if panel.lines],
        width=WIDTH,
        height=HEIGHT,
        top=_TOP,
        floor=_FLOOR,
    )


def _panel(
    title: str,
    log: Sequence[Epoch],
    names: Sequence[str],
    *,
    field: tuple[float, float],
    start: float | None,
    colour: int,
) -> Panel:
    """Return a field; its scale begins at `start`, or at a round figure below all values."""
    values = [epoch[name] for epoch in log for name in names]
    ticks = _ticks(min(values, default=0.0) if start is None else start, max(values, default=1.0))
    low, high = ticks[0], ticks[-1]
    step = (field[1] - field[0]) / len(log)
    places = [round(field[0] + step * (n + 0.5), 1) for n in range(len(log))]

    def height(value: float) -> float:
        return round(_FLOOR - (value - low) / (high - low) * (_FLOOR - _TOP), 1)

    ends = [height(log[-1][name]) for name in names]
    lines = [
        Line(
            name,
            f"{log[-1][name]:g}",
            colour + number,
            tuple((x, height(epoch[name])) for x, epoch in zip(places, log, strict=True)),
            label,
        )
        for number, (name, label) in enumerate(zip(names, _spread(ends), strict=True))
    ]
    every = -(-len(log) // _MOST_TICKS)
    epochs = [(f"{e['epoch']:g}", x) for e, x in zip(log, places, strict=True)][::every]
    grid = tuple((f"{tick:g}", height(tick)) for tick in ticks)
    return Panel(title, *field, grid, tuple(epochs), tuple(lines))


def _ticks(low: float, high: float) -> list[float]:
    """Return round figures from one at or below `low` to one at or above `high`, six at most."""
    if high <= low:
        high = low + _STEPS[0]
    for step in _STEPS:
        first, last = int(low // step), int(-(-high // step))
        if last - first <= 5:
            break
    else:
        first, last, step = 0, 1, high
    return [round(number * step, 4) for number in range(first, max(last, first + 1) + 1)]


def _spread(heights: Sequence[float]) -> Iterator[float]:
    """Yield where names are written: at their heights, moved down where they would overlap."""
    order = sorted(range(len(heights)), key=lambda n: heights[n])
    moved = [heights[n] for n in order]
    for upper, lower in pairwise(range(len(moved))):
        moved[lower] = max(moved[lower], moved[upper] + _APART)
    excess = max(0.0, moved[-1] - _FLOOR) if moved else 0.0
    placed = dict(zip(order, moved, strict=True))
    return (round(placed[n] - excess, 1) for n in range(len(heights)))


@cache
def _template() -> Template:
    return environment().get_template("curve.svg.j2")
