"""What BLUE's table cannot say in its cells: the lines below it."""

from collections.abc import Iterator, Sequence

from bluered.metrics.significance import Interval
from bluered.reports.leakage import nothing_text, seen_text
from bluered.tasks.benchmark import Row, left_out
from bluered.tasks.results import Result, counted

WIDE = 0.10
"""An interval wider than this does not tell close systems apart: most differ by less."""

FEW = 50
"""So few documents or pairs tell close systems apart whatever the interval, itself a guess then."""


def notes(rows: Sequence[Row]) -> Iterator[str]:
    """Yield what the table itself cannot say."""
    taken = [row for row in rows if not left_out(row)]
    if len(taken) > 1:
        names = ", ".join(row.task.name for row in taken)
        yield f"mean of {len(taken)} rows: {names}; the published means are over the same rows"
    for row in rows:
        if row.reason:
            yield f"{row.task.name}: {row.reason}"
        if row.result is not None:
            yield from (f"{row.task.name}: {note}" for note in _of_row(row, row.result))
    yield from _nothing_seen(rows)
    if any(row.task.name == "ddi" and row.result for row in rows):
        yield "ddi: BLUE's figures are macro F1 since August 2019, elsewhere DDI is often micro F1"
        if any(row.result and row.result.scorer == "blue" for row in rows):
            yield "ddi: BLUE's script prints micro F1 with the negative class, never the macro F1"
    other = next((row.split for row in rows if row.split != "test"), None)
    if other is not None and any(row.task.entry.published for row in rows):
        yield f"the published figures are on test, ours on {other}: they do not compare"


def _of_row(row: Row, result: Result) -> Iterator[str]:
    if result.score is None:
        yield "the figure does not exist for these predictions"
    elif why := left_out(row):
        yield f"{why}: compares with no published figure, is in no mean"
    if few := small(result.units, result.interval, kind=row.task.entry.type):
        yield few
    if row.seen and row.seen.units:
        yield seen_text(row.seen.leaks, units=row.seen.units, of=row.seen.of)
    for note, number in result.notes.items():
        yield f"{note}: {number}"


def small(number: int, interval: Interval | None, *, kind: str) -> str:
    """Return that a test of so many units is small, "" if it is not; `kind` is the task's type."""
    units = counted(number, kind=kind)
    width = interval.high - interval.low if interval else 0.0
    if width > WIDE:
        wide = f"{units} leave an interval {100 * width:.0f} points wide"
        return f"{wide}: too few to tell close systems apart"
    return f"{units}: too few to tell close systems apart" if number < FEW else ""


def _nothing_seen(rows: Sequence[Row]) -> Iterator[str]:
    """Yield in which tests nothing that was trained on was found, those alike in one line."""
    alike: dict[str, list[str]] = {}
    for row in rows:
        if row.seen is not None and not row.seen.units:
            alike.setdefault(nothing_text(row.seen.leaks), []).append(row.task.name)
    for text, names in alike.items():
        yield f"{', '.join(names)}: {text}"
