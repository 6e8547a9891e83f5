"""Where the relations from text are lost: as tables, for programs and as a picture."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal

from jinja2 import Template
from msgspec import Struct

from bluered.metrics.counts import Counts
from bluered.metrics.significance import Interval, f1_difference
from bluered.reports.environment import environment
from bluered.reports.figures import bracketed, percent
from bluered.reports.scores import COLUMNS
from bluered.reports.tables import Table
from bluered.tasks.biored.correct import MEASURES
from bluered.tasks.biored.waterfall import STAGES, WATERFALL
from bluered.tasks.scores import Path, Scores

LABELS = {
    "mentions": "mentions",
    "ids": "ids",
    "pair": "pairs",
    "type": "types",
    "novelty": "novelty",
}

INPUTS = {
    ("relations",): "gold mentions, gold ids",
    ("inputs", "gold_mentions_predicted_ids"): "gold mentions, predicted ids",
    ("inputs", "predicted_mentions_gold_ids"): "predicted mentions, gold ids",
    ("end_to_end",): "predicted mentions, predicted ids",
}
"""What the relation step was given, by where its scores stand."""


class Loss(Struct, frozen=True):
    """What a stage has lost: F1 (0 to 1) before it and after it, and the interval of the loss."""

    stage: str
    before: float
    after: float
    interval: Interval

    @property
    def lost(self) -> float:
        """F1 before the stage minus F1 after it."""
        return self.before - self.after


def losses(scores: Scores) -> tuple[Loss, ...]:
    """Return the loss of each stage; () for scores without the chain. They sum to 1 - final F1."""
    if (WATERFALL, STAGES[0]) not in scores.counts:
        return ()
    before = [Counts(tp=c.tp + c.fn) for c in scores.counts[WATERFALL, STAGES[0]]]
    found: list[Loss] = []
    for stage in STAGES:
        after = scores.counts[WATERFALL, stage]
        change = f1_difference(after, before)
        value = scores.total(WATERFALL, stage).f1
        found.append(Loss(stage, found[-1].after if found else 1.0, value, change.interval))
        before = after
    return tuple(found)


def losses_json(found: tuple[Loss, ...]) -> dict[str, Any]:
    """Return the loss of each stage (0 to 1) with its 95% interval."""
    return {
        loss.stage: {"lost": loss.lost, "interval": [loss.interval.low, loss.interval.high]}
        for loss in found
    }


def tables(
    scores: Scores, found: tuple[Loss, ...], *, intervals: Mapping[Path, Interval]
) -> Iterator[Table]:
    """Yield the chain, each stage alone on gold input, and relations by what they were given."""
    if not found:
        return
    yield _chain(scores, found)
    if any(path[0] == "right_pairs" for path in scores.counts):
        yield _alone(scores, intervals)
        yield _inputs(scores, intervals)


def _chain(scores: Scores, found: tuple[Loss, ...]) -> Table:
    gold = sum(c.tp + c.fn for c in scores.counts[WATERFALL, STAGES[0]])
    rows = [["gold", str(gold), "0", "0", *["100.0"] * 3, "", ""]]
    for loss in found:
        counts = scores.total(WATERFALL, loss.stage)
        whole = map(str, (counts.tp, counts.fp, counts.fn))
        ratios = map(percent, (counts.precision, counts.recall, counts.f1))
        spread = bracketed(loss.interval).strip()
        rows.append([LABELS[loss.stage], *whole, *ratios, percent(loss.lost), spread])
    rows.append(["lost in all", *[""] * 6, percent(1 - found[-1].after), ""])
    return Table(
        "Where relations from text are lost",
        ["stage", "tp", "fp", "fn", "P", "R", "F1 left", "lost", "95% interval"],
        rows,
        notes=(
            "each row: the errors of its stage and those before stay, later stages make none; R is "
            'what perfect later stages could still find; the last row but one is F1 of "all"',
        ),
    )


def _alone(scores: Scores, intervals: Mapping[Path, Interval]) -> Table:
    """Return what each stage does on gold input."""
    rows = []
    for stage, given, what, path in (
        ("mentions", "text", "F1", ("ner", "overall")),
        ("ids", "gold mentions", "accuracy", ("linking", "overall")),
        ("pair", "gold mentions and ids", "F1", ("relations", "pair")),
        ("type", "its right pairs", "accuracy", ("right_pairs", "type")),
        ("novelty", "its right pairs", "accuracy", ("right_pairs", "novelty")),
    ):
        if path in scores.counts:
            counts = scores.total(*path)
            of, value = str(counts.tp + counts.fn), percent(counts.f1)
            rows.append([stage, given, what, of, value + bracketed(intervals.get(path))])
        else:
            rows.append([stage, given, what, "", "no ids"])
    return Table("Each stage alone, on gold input", ["stage", "given", "measure", "of", ""], rows)


def _inputs(scores: Scores, intervals: Mapping[Path, Interval]) -> Table:
    rows = []
    for place, words in INPUTS.items():
        paths = [(*place, measure) for measure in MEASURES]
        cells = [percent(scores.total(*p).f1) + bracketed(intervals.get(p)) for p in paths]
        rows.append([words, *cells])
    return Table("Relations by what they were found from: F1", ["given", *COLUMNS.values()], rows)


class Bar(Struct, frozen=True):
    """A bar of the picture in its units, and what is written at it; `level` is what is left."""

    kind: Literal["whole", "lost"]
    label: str
    text: str
    x: float
    top: float
    height: float
    level: float


WIDTH, HEIGHT = 760, 400
_LEFT, _RIGHT, _TOP, _FLOOR = 56, 24, 96, 350  # the field in which the bars stand
_BAR = 64


def svg(found: tuple[Loss, ...], *, system: str, split: str, signature: str) -> str:
    """Return the chain as a picture, readable on light and on dark pages."""
    grid = [(value, _height(value / 100)) for value in (0, 25, 50, 75, 100)]
    bars = tuple(_bars(found))
    return _template().render(
        title=f"{system}: where relations from text are lost",
        subtitle=f"BioRED {split}, F1 in per cent; right are pairs with their type and novelty",
        described=", ".join(f"{bar.label} {bar.text}" for bar in bars),
        signature=signature,
        bars=bars,
        grid=grid,
        width=WIDTH,
        height=HEIGHT,
        left=_LEFT,
        right=WIDTH - _RIGHT,
        floor=_FLOOR,
        bar=_BAR,
    )


def _bars(found: tuple[Loss, ...]) -> Iterator[Bar]:
    step = (WIDTH - _LEFT - _RIGHT) / (len(found) + 2)
    places = [round(_LEFT + step * (n + 0.5) - _BAR / 2, 1) for n in range(len(found) + 2)]
    yield Bar("whole", "gold", "100.0", places[0], _TOP, _FLOOR - _TOP, _TOP)
    for place, loss in zip(places[1:-1], found, strict=True):
        before, after = _height(loss.before), _height(loss.after)
        sign = "\N{MINUS SIGN}" if loss.lost > 0 else "+" if loss.lost < 0 else ""
        text = sign + percent(abs(loss.lost))
        height = round(abs(after - before), 1)
        yield Bar("lost", LABELS[loss.stage], text, place, min(before, after), height, after)
    left = found[-1].after
    level = _height(left)
    yield Bar("whole", "left", percent(left), places[-1], level, round(_FLOOR - level, 1), level)


def _height(ratio: float) -> float:
    return round(_FLOOR - ratio * (_FLOOR - _TOP), 1)


@cache
def _template() -> Template:
    return environment().get_template("waterfall.svg.j2")
