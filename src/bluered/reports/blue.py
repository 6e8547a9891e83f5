"""BLUE's table: ten tasks, ours with intervals beside the published figures, and their mean."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from bluered.metrics.significance import Interval
from bluered.reports.blue_notes import notes
from bluered.reports.leakage import leaks_json
from bluered.reports.tables import Table
from bluered.tasks.benchmark import Row, left_out
from bluered.tasks.results import Result

TASKS = (
    "medsts",
    "biosses",
    "bc5cdr-disease",
    "bc5cdr-chemical",
    "shareclef",
    "ddi",
    "chemprot",
    "i2b2-2010",
    "hoc",
    "mednli",
)
"""BLUE's ten rows, in its order."""

SYSTEMS = {
    "ELMo": "ELMo",
    "BioBERT": "BioBERT",
    "BlueBERT base P": "base P",
    "BlueBERT base P+M": "base P+M",
    "BlueBERT large P": "large P",
    "BlueBERT large P+M": "large P+M",
    "SOTA of April 2019": "SOTA 2019",
}
"""The published systems as the entries of the corpora call them, with the heads of columns."""

METRICS = {
    "pearson": "Pearson",
    "mention-f1": "F1",
    "micro-f1": "micro F1",
    "macro-f1": "macro F1",
    "example-f1": "example F1",
    "accuracy": "accuracy",
    "biored": "F1",
}

OWN_BERT = "base, large: BlueBERT, pre-trained on PubMed (P) or PubMed and MIMIC-III (P+M)"


def table(rows: Sequence[Row], *, system: str, strays: Sequence[str] = ()) -> Table:
    """Return the table: a line per task, the mean over those that count, and what to know.

    `strays` are files of predictions that no task is named like.
    """
    lines = [line for row in rows for line in _lines(row)]
    counted = [row for row in rows if not left_out(row)]
    if len(counted) > 1:
        lines.append(_mean_line(counted))
    published = "published figures: in per cent as the BLUE README prints them (docs/blue.md)"
    return Table(
        f"BLUE, {rows[0].split if rows else 'test'}: {system} beside published figures",
        ["task", "metric", system, "95% interval", *SYSTEMS.values()],
        lines,
        notes=(*_stray_notes(strays), *notes(rows), OWN_BERT, published),
    )


def _stray_notes(strays: Sequence[str]) -> Iterator[str]:
    if strays:
        yield f"not scored, since no task is named like these files: {', '.join(strays)}"


def _lines(row: Row) -> Iterator[list[str]]:
    name, own = row.task.name, row.task.entry.metric
    published = [_cell(value) for value in _published(row).values()]
    result = row.result
    if result is None:
        yield [name, METRICS[own], "-", "", *published]
        return
    beside = published if result.metric == own else _empty()
    mark = " (differs)" if row.differs else ""
    metric = METRICS[result.metric]
    yield [name + mark, metric, percent(result.score), _bracket(result), *beside]
    if row.seen and row.seen.units and row.seen.score is not None:
        rest = f"  without the {row.seen.units} seen"
        interval = _interval(row.seen.interval)
        yield [rest, metric, percent(row.seen.score), interval, *_empty()]
    other = _other_average(result)
    if other is not None:
        beside = published if other == own else _empty()
        yield [name + mark, METRICS[other], percent(_average(result, other)), "", *beside]


def _empty() -> list[str]:
    return [""] * len(SYSTEMS)


def _other_average(result: Result) -> str | None:
    """Return micro for a macro F1 and the other way round, where the papers differ: DDI."""
    other = {"macro-f1": "micro-f1", "micro-f1": "macro-f1"}.get(result.metric)
    return other if result.task == "ddi" and other and _average(result, other) is not None else None


def _average(result: Result, metric: str) -> float | None:
    average = result.details.get(metric.removesuffix("-f1"))
    return average.get("f1") if isinstance(average, dict) else None


def _mean_line(done: Sequence[Row]) -> list[str]:
    ours = mean([_score(row) for row in done])
    published = [_cell(mean([_published(row)[s] for row in done])) for s in SYSTEMS]
    return [f"mean of {len(done)} rows", "", percent(ours), "", *published]


def mean(values: Sequence[float | None]) -> float | None:
    """Return the mean, None if there is none or one of the values is not known."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def _published(row: Row) -> dict[str, float | None]:
    """Return the published figures of a task as shares, None where there is none."""
    known = {each.system: each.score / 100 for each in row.task.entry.published}
    return {system: known.get(system) for system in SYSTEMS}


def _score(row: Row) -> float | None:
    return row.result.score if row.result is not None else None


def _cell(value: float | None) -> str:
    return "-" if value is None else percent(value)


def percent(value: float | None) -> str:
    """Return a figure in per cent with one decimal, as the papers print it."""
    return "none" if value is None else f"{100 * value:.1f}"


def _bracket(result: Result) -> str:
    return _interval(result.interval)


def _interval(interval: Interval | None) -> str:
    return f"[{percent(interval.low)}, {percent(interval.high)}]" if interval else ""


def single(row: Row, *, system: str) -> Table:
    """Return the table of one task: our figure, and below it those that its entry names."""
    result = row.result
    name = METRICS[(result.metric if result else row.task.entry.metric)]
    lines = [[system, percent(result.score), _bracket(result)]] if result else []
    if row.seen and row.seen.units and row.seen.score is not None:
        rest = f"  without the {row.seen.units} seen"
        lines.append([rest, percent(row.seen.score), _interval(row.seen.interval)])
    comparable = result is None or result.metric == row.task.entry.metric
    published = row.task.entry.published if comparable else ()
    lines += [[each.system, f"{each.score:.1f}", ""] for each in published]
    beside = " beside published figures" if published else ""
    return Table(
        f"{row.task.entry.title or row.task.name}, {row.split}: {name}{beside}",
        ["system", name, "95% interval"],
        lines,
        notes=(*dict.fromkeys(each.source for each in published), *notes([row])),
    )


def to_json(row: Row) -> dict[str, Any]:
    """Return a row: its figure between 0 and 1, what it is made of, or the reason it is absent."""
    found: dict[str, Any] = {
        "task": row.task.name,
        "corpus": row.task.corpus.name,
        "metric": row.task.entry.metric,
        "score": None,
    }
    result = row.result
    if result is not None:
        found |= {"metric": result.metric, "score": result.score, "units": result.units}
        found["interval"] = _pair(result.interval)
        found["differs"] = list(row.differs)
        found |= {"gold": row.gold, "details": result.details, "notes": result.notes}
    if row.reason:
        found["reason"] = row.reason
    if row.seen is not None:
        found["seen_in_training"] = {
            "units": row.seen.units,
            "of": row.seen.of,
            "score_without": row.seen.score,
            "interval_without": _pair(row.seen.interval),
            "parts": leaks_json(row.seen.leaks),
        }
    found["published"] = [msgspec.to_builtins(each) for each in row.task.entry.published]
    return found


def mean_json(rows: Sequence[Row]) -> dict[str, Any] | None:
    """Return the mean of the rows that count and of the published figures on the same rows.

    `left_out` says why a row that was scored is not in it.
    """
    counted = [row for row in rows if not left_out(row)]
    if len(counted) < 2:
        return None
    scored = [row for row in rows if _score(row) is not None]
    return {
        "rows": [row.task.name for row in counted],
        "left_out": {row.task.name: why for row in scored if (why := left_out(row))},
        "score": mean([_score(row) for row in counted]),
        "published": {s: mean([_published(row)[s] for row in counted]) for s in SYSTEMS},
    }


def _pair(interval: Interval | None) -> list[float] | None:
    return [interval.low, interval.high] if interval else None
