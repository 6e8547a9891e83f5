"""The score of a task as JSON and as tables: what `bluered score TASK` prints for BLUE's tasks."""

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import Any

from bluered.reports.tables import Table
from bluered.tasks.blue.relations import FALSE
from bluered.tasks.blue.scripts import SCRIPTS
from bluered.tasks.quirks import Shift
from bluered.tasks.results import Result, counted

GROUPS = {"by_label": "label", "by_type": "type"}
HEADS = ("gold", "tp", "fp", "fn", "P", "R", "F1")
LONE = ("document_mean_f1", "exact_match", "accuracy")
"""Further figures that stand in the details by themselves."""

TWO_TABLES = (", all labels", f", without `{FALSE}`")
"""What the two tables of eval_rel.py are of."""

SMALL = 1e-9
"""Less is the rounding of the last digits, not a move."""


def to_json(
    result: Result, *, signature: str, shifts: Sequence[Shift] | None = None
) -> dict[str, Any]:
    """Return a score as plain values; `interval`, `notes` and `quirks` only where there are any."""
    found: dict[str, Any] = {
        "task": result.task,
        "scorer": result.scorer,
        "metric": result.metric,
        "score": result.score,
        "signature": signature,
        "details": result.details,
    }
    if result.interval is not None:
        found["interval"] = [result.interval.low, result.interval.high]
    if result.notes:
        found["notes"] = result.notes
    if shifts is not None:
        found["quirks"] = [_shift_json(shift) for shift in shifts]
    return found


def _shift_json(shift: Shift) -> dict[str, Any]:
    moved = {name: None if isnan(value) else value for name, value in shift.moved.items()}
    quirk = shift.quirk
    return {"quirk": quirk.name, "says": quirk.says, "source": quirk.source, "moved": moved}


def tables(result: Result, *, kind: str, shifts: Sequence[Shift] | None = None) -> Iterator[Table]:
    """Yield the score, its classes, what a script of BLUE prints and what its quirks move."""
    yield _score_table(result, kind)
    groups = [group for group in GROUPS if group in result.details]
    for group in groups:
        yield _class_table(result, group)
    if "tp" in result.details and not groups:
        rows = [["all", *_counts(result.details)]]
        yield Table(f"{result.task}: counts", ["", *HEADS], rows)
    if "printed" in result.details:
        yield from _printed(SCRIPTS[kind].name, result.details["printed"])
    if shifts is not None:
        yield _shift_table(SCRIPTS[kind].name, shifts)


def _score_table(result: Result, kind: str) -> Table:
    interval = result.interval
    heads = ["metric", "score", *(["95% interval"] if interval else []), "over"]
    shown = [f"[{percent(interval.low)}, {percent(interval.high)}]"] if interval else []
    rows = [[result.metric, percent(result.score), *shown, counted(result.units, kind=kind)]]
    rest = [""] * len(shown)
    for name in LONE:
        if name != result.metric and isinstance(value := result.details.get(name), float):
            rows += [[name.replace("_", " "), percent(value), *rest, ""]]
    return Table(f"{result.task} by the scorer {result.scorer}", heads, rows)


def _class_table(result: Result, group: str) -> Table:
    details = result.details
    rows = [[name, *_counts(leaf)] for name, leaf in details[group].items()]
    if "micro" in details:
        rows.append(["micro", *_counts(details["micro"])])
    elif "tp" in details:
        rows.append(["micro", *_counts(details)])
    if "macro" in details:
        macro = details["macro"]
        ratios = [percent(macro[name]) for name in ("precision", "recall", "f1")]
        rows.append(["macro", "", "", "", "", *ratios])
    if result.metric == "example-f1":
        ratios = [percent(details[name]) for name in ("precision", "recall", "f1")]
        rows.append(["mean over documents", "", "", "", "", *ratios])
    return Table(f"{result.task} by {GROUPS[group]}", [GROUPS[group], *HEADS], rows)


def _counts(leaf: Mapping[str, Any]) -> list[str]:
    whole = (leaf["tp"] + leaf["fn"], leaf["tp"], leaf["fp"], leaf["fn"])
    ratios = (leaf["precision"], leaf["recall"], leaf["f1"])
    return [*map(str, whole), *map(percent, ratios)]


def _printed(script: str, lines: Sequence[Sequence[str]]) -> Iterator[Table]:
    """Yield what a script prints: tables with heads, or names and values."""
    title = f"As {script} prints it"
    if not lines:
        yield Table(f"{title}: nothing, see below", ["it stops"], [])
    elif len({len(line) for line in lines if line}) == 1 and len(lines[0]) > 4:
        blocks: list[list[Sequence[str]]] = [[]]
        for line in lines:
            if line:
                blocks[-1].append(line)
            else:
                blocks.append([])
        names = TWO_TABLES if len(blocks) == len(TWO_TABLES) else ("",) * len(blocks)
        for block, name in zip(blocks, names, strict=True):
            yield Table(title + name, block[0], block[1:])
    else:
        rows = [[" ".join(line[:-1]).replace(" :", ":"), line[-1]] for line in lines]
        yield Table(title, ["figure", "printed"], rows)


def _shift_table(script: str, shifts: Sequence[Shift]) -> Table:
    """Return a row for each quirk that moved a figure; the others are named in one line."""
    names = list(shifts[0].moved)
    movers = [shift for shift in shifts if any(map(_moved, shift.moved.values()))]
    rows = [[s.quirk.name, *(_move(s.moved[name]) for name in names)] for s in movers]
    whole = [sum(s.moved[name] for s in shifts) for name in names]
    notes = [f"{s.quirk.name}: {s.quirk.says} ({s.quirk.source})" for s in movers]
    others = [shift.quirk.name for shift in shifts if shift not in movers]
    if others:
        notes.append(f"moved nothing: {', '.join(others)} (docs/scores.md says what they are)")
    return Table(
        f"What each quirk of {script} moves, in points, from the stated rule on, one after the "
        "other",
        ["quirk", *names],
        [*rows, ["all", *map(_move, whole)]],
        notes=tuple(notes),
    )


def _moved(value: float) -> bool:
    return isnan(value) or abs(value) > SMALL


def _move(value: float) -> str:
    if isnan(value):
        return "none"
    return f"{100 * value:+.2f}" if _moved(value) else "-"


def percent(value: float | None) -> str:
    """Return a figure in per cent with one decimal; a dash for one that does not exist."""
    return "-" if value is None else f"{100 * value:.1f}"
