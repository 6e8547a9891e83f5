"""What a table of systems cannot say in its cells: what is missing, which tests are small."""

from collections.abc import Iterator, Sequence

from bluered.corpora import catalog
from bluered.metrics.significance import Interval
from bluered.reports.blue_notes import small
from bluered.tasks.cells import Cell, Gap
from bluered.tasks.results import counted


def notes(found: Sequence[Cell | Gap], *, split: str) -> Iterator[str]:
    """Yield the lines below the tables."""
    cells = [each for each in found if isinstance(each, Cell)]
    yield from _gaps([each for each in found if isinstance(each, Gap)])
    yield from _few_seeds(found)
    for task in dict.fromkeys(cell.task for cell in cells):
        yield from _of_task(task, [cell for cell in cells if cell.task == task])
    if split != "test" and cells:
        yield f"the published figures are on test, ours on {split}: they do not compare"


def _gaps(gaps: Sequence[Gap]) -> Iterator[str]:
    """Yield each reason once, with the systems and recipes that it stops."""
    by: dict[str, list[Gap]] = {}
    for gap in gaps:
        by.setdefault(gap.reason, []).append(gap)
    for reason, members in by.items():
        rows: dict[str, list[str]] = {}
        for gap in members:
            rows.setdefault(gap.row, []).append(gap.recipe)
        alike: dict[tuple[str, ...], list[str]] = {}
        for row, recipes in rows.items():
            alike.setdefault(tuple(dict.fromkeys(recipes)), []).append(row)
        where = (f"{', '.join(names)} ({', '.join(recipes)})" for recipes, names in alike.items())
        yield f"{'; '.join(where)}: {reason}"


def _few_seeds(found: Sequence[Cell | Gap]) -> Iterator[str]:
    """Yield which figures are over fewer seeds than were asked for."""
    by: dict[tuple[str, str], list[Cell | Gap]] = {}
    for each in found:
        by.setdefault((each.row, each.recipe), []).append(each)
    for (row, recipe), members in by.items():
        done = sum(isinstance(each, Cell) for each in members)
        if 0 < done < len(members):
            yield f"{row} ({recipe}): {done} of {len(members)} seeds"


def _of_task(task: str, cells: Sequence[Cell]) -> Iterator[str]:
    narrowest = min(map(_interval, cells), key=_width)
    kind = catalog.task(task).entry.type
    if few := small(cells[0].units, narrowest, kind=kind):
        yield f"{task}: {few}"
    for text in dict.fromkeys(cell.left_out for cell in cells if cell.left_out):
        yield f"{task}: {text}: compares with no published figure"
    if seen := max(cell.seen for cell in cells):
        yield f"{task}: texts of {seen} of {counted(cells[0].units, kind=kind)} were trained on"
    if task == "ddi":
        yield "ddi: BLUE's figures are macro F1 since August 2019, elsewhere DDI is often micro F1"


def _interval(cell: Cell) -> Interval | None:
    return cell.figures[cell.metric].interval


def _width(interval: Interval | None) -> float:
    return interval.high - interval.low if interval else 1.0
