"""Scores as JSON and as tables: what `bluered score` and `bluered bench` print."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from bluered.metrics.counts import Counts, total
from bluered.metrics.significance import Interval, f1_interval
from bluered.reports.figures import bracketed, percent
from bluered.reports.linking import linking_table
from bluered.reports.published import TableName, published_rows
from bluered.reports.tables import Table
from bluered.tasks.quirks import Step
from bluered.tasks.scores import Path, Scores

Intervals = Mapping[Path, Interval]

COLUMNS = {"pair": "pair", "type": "+ type", "novelty": "+ novelty", "all": "all"}
"""The relation measures and their headings; "all" is pair, type and novelty together."""

HEADINGS: dict[TableName, str] = {
    "ner": "Mentions, exact spans and type",
    "mention_ids": "Mentions with their ids: exact spans, type and id",
    "concepts": "Concepts of documents: type and id",
    "linking": "Ids of gold mentions",
    "relations": "Relations",
    "end_to_end": "Relations from text alone (predicted entities)",
}


def intervals(scores: Scores) -> dict[Path, Interval]:
    """Return the 95% bootstrap interval over documents of every measure's F1."""
    return {path: f1_interval(counts) for path, counts in scores.counts.items()}


def to_json(
    scores: Scores, *, signature: str, intervals: Intervals | None = None
) -> dict[str, Any]:
    """Return the scores as nested dictionaries, each measure at its path.

    A leaf holds tp, fp, fn, precision, recall and f1 (0 to 1) and, if given, interval.
    """
    result: dict[str, Any] = {
        "task": scores.task,
        "scorer": scores.scorer,
        "signature": signature,
    }
    for path, counts in scores.counts.items():
        place = result
        for name in path[:-1]:
            place = place.setdefault(name, {})
        place[path[-1]] = counts_json(total(counts), (intervals or {}).get(path))
    if scores.notes:
        result["notes"] = scores.notes
    return result


def counts_json(counts: Counts, interval: Interval | None = None) -> dict[str, Any]:
    """Return counts with their ratios."""
    leaf: dict[str, Any] = {
        "tp": counts.tp,
        "fp": counts.fp,
        "fn": counts.fn,
        "precision": counts.precision,
        "recall": counts.recall,
        "f1": counts.f1,
    }
    if interval is not None:
        leaf["interval"] = [interval.low, interval.high]
    return leaf


def quirks_json(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """Return what each quirk moved."""
    return [
        {
            "quirk": step.quirk.name,
            "says": step.quirk.says,
            "source": step.quirk.source,
            "moved": {
                name: {"tp": moved.tp, "fp": moved.fp, "fn": moved.fn}
                for name, moved in step.moved.items()
            },
        }
        for step in steps
    ]


def published_json() -> list[dict[str, Any]]:
    """Return the published rows, F1 in per cent as they were printed."""
    return [msgspec.to_builtins(row) for row in published_rows()]


def tables(
    scores: Scores,
    *,
    intervals: Intervals | None = None,
    system: str | None = None,
) -> Iterator[Table]:
    """Yield the tables of the scores; with `system` the published rows stand beside that name."""
    found = intervals or {}
    if scores.scorer != "correct":
        yield _flat_table(scores, found)
        return
    for name in HEADINGS:
        if not any(path[0] == name for path in scores.counts):
            continue
        if system is not None and any(row.table == name for row in published_rows()):
            yield _comparison(scores, name, found, system=system)
        if name == "linking":
            yield linking_table(scores, found, title=HEADINGS[name])
        elif name in ("ner", "mention_ids", "concepts"):
            yield _type_table(scores, name, found)
        else:
            yield _measure_table(scores, name, found)
            for group in ("by_concept_pair", "by_relation_type"):
                if any(path[:2] == (name, group) for path in scores.counts):
                    yield _group_table(scores, (name, group), group.replace("_", " "))


def _flat_table(scores: Scores, found: Intervals) -> Table:
    names = [path for path in scores.counts if len(path) == 1]
    rows = [_row(path[0], scores, path, found) for path in names]
    return Table(f"Relations as {scores.scorer} counts them", _heads("", found), rows)


def _type_table(scores: Scores, name: TableName, found: Intervals) -> Table:
    paths = [path for path in scores.counts if path[0] == name]
    rows = [_row(path[-1], scores, path, found) for path in paths]
    return Table(HEADINGS[name], _heads("type", found), rows)


def _measure_table(scores: Scores, name: TableName, found: Intervals) -> Table:
    rows = [_row(heading, scores, (name, measure), found) for measure, heading in COLUMNS.items()]
    notes = tuple(_other_alignments(scores)) if name == "end_to_end" else ()
    return Table(HEADINGS[name], _heads("measure", found), rows, notes=notes)


def _other_alignments(scores: Scores) -> Iterator[str]:
    """Yield what the other way to bring predicted concepts to gold ids would give."""
    for way, words in (("mentions", "aligned by mentions"), ("ids", "compared by id")):
        place = f"end_to_end_{way}"
        if (place, "pair") in scores.counts:
            figures = (f"{COLUMNS[m]} {percent(scores.total(place, m).f1)}" for m in COLUMNS)
            yield f"concepts {words} instead: F1 {', '.join(figures)}"


def _group_table(scores: Scores, prefix: Path, title: str) -> Table:
    """Return F1 of the measures for each member of a group."""
    inside = [path for path in scores.counts if path[: len(prefix)] == prefix]
    measures = list(dict.fromkeys(path[-1] for path in inside))
    rows = []
    for member in dict.fromkeys(path[-2] for path in inside):
        by_measure = {m: total(scores.counts[*prefix, member, m]) for m in measures}
        first = next(iter(by_measure.values()))
        gold, predicted = first.tp + first.fn, first.tp + first.fp
        cells = [percent(counts.f1) for counts in by_measure.values()]
        rows.append([member, str(gold), str(predicted), *cells])
    heads = ["", "gold", "predicted", *(f"{COLUMNS[m]} F1" for m in measures)]
    return Table(f"{HEADINGS[_name(prefix)]}, {title}", heads, rows)


def _name(path: Path) -> TableName:
    return next(name for name in HEADINGS if name == path[0])


def _comparison(scores: Scores, name: TableName, found: Intervals, *, system: str) -> Table:
    """Return our F1 with the published ones below, and where these come from."""
    columns = {"overall": "F1"} if name == "ner" else COLUMNS
    ours = [system]
    for measure in columns:
        path = (name, measure)
        ours.append(percent(scores.total(*path).f1) + bracketed(found.get(path)))
    rows, notes = [ours], []
    for row in published_rows():
        if row.table != name:
            continue
        mark = "" if row.comparable else "*"
        cells = [f"{row.f1[m]:.1f}" if m in row.f1 else "-" for m in columns]
        rows.append([row.system + mark, *cells])
        notes.append(row.source + ("" if row.comparable else f"; *on {row.documents}"))
    if name == "relations":
        notes.append('the paper prints 47.7 as "+ novelty" of pair and type, which is "all" here')
    return Table(
        f"{HEADINGS[name]}: F1 beside published figures",
        ["system", *columns.values()],
        rows,
        notes=tuple(dict.fromkeys(notes)),
    )


def quirk_table(steps: Sequence[Step]) -> Table:
    """Return what each quirk moved, as tp/fp/fn for each measure."""
    measures = list(steps[0].moved)
    rows = [[step.quirk.name, *(_moved(step, measure) for measure in measures)] for step in steps]
    notes = tuple(
        f"{step.quirk.name}: {step.quirk.says} ({step.quirk.source})"
        for step in steps
        if any(step.moved.values())
    )
    return Table(
        "What each quirk moved: tp/fp/fn, from the clean rule on, one after the other",
        ["quirk", *measures],
        rows,
        notes=notes,
    )


def _moved(step: Step, measure: str) -> str:
    moved = step.moved[measure]
    return f"{moved.tp:+d}/{moved.fp:+d}/{moved.fn:+d}" if moved else "-"


def _heads(first: str, found: Intervals) -> list[str]:
    interval = ["95% interval"] if found else []
    return [first, "gold", "tp", "fp", "fn", "P", "R", "F1", *interval]


def _row(label: str, scores: Scores, path: Path, found: Intervals) -> list[str]:
    counts = scores.total(*path)
    whole = [counts.tp + counts.fn, counts.tp, counts.fp, counts.fn]
    ratios = [percent(r) for r in (counts.precision, counts.recall, counts.f1)]
    interval = [bracketed(found.get(path)).strip()] if found else []
    return [label, *map(str, whole), *ratios, *interval]
