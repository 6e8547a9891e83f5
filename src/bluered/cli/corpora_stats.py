"""`bluered corpora stats`: the counts of a corpus and its tasks beside those expected."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from bluered.cli.corpora import Json, Name, print_json, print_table

if TYPE_CHECKING:
    from bluered.corpora.comparison import Comparison
    from bluered.tasks.counts import TaskCount, TaskCounts


def stats(name: Name, *, json: Json = False) -> None:
    """Count a corpus as its paper does, and what there is to find for each of its tasks.

    Beside every count stands the expected one, and what BLUE or another benchmark published where
    that differs, with the reason; every difference is named.
    """
    from msgspec import to_builtins

    from bluered.corpora.catalog import corpus
    from bluered.corpora.comparison import compare, deviations
    from bluered.tasks.counts import task_counts

    entry = corpus(name)
    comparisons = compare(entry)
    tasks = list(task_counts(entry))
    lines = [
        *deviations(entry, comparisons),
        *(line for task in tasks for line in task.deviations()),
    ]
    if json:
        splits = {c.split: {"found": c.found, "expected": c.expected} for c in comparisons}
        described = {
            task.task: {
                "counted": task.what,
                "splits": {count.split: _without_split(count) for count in task.splits},
                "difference": task.difference,
            }
            for task in tasks
        }
        report = {"corpus": name, "version": entry.version, "splits": splits}
        print_json(to_builtins(report | {"tasks": described, "differences": lines}))
        return
    typer.echo(f"{entry.title}, version {entry.version}: found/expected, ! where they differ\n")
    print_table(_corpus_table(comparisons))
    typer.echo("")
    if tasks:
        _print_tasks(tasks)
    counted = any(c.expected is not None for c in comparisons) or any(
        count.expected is not None for task in tasks for count in task.splits
    )
    fine = (
        "Every count is as expected; the files are the published ones."
        if counted
        else "The entry says nothing of counts: there is nothing to compare with."
    )
    for line in lines or [fine]:
        typer.echo(line)


def _without_split(count: "TaskCount") -> dict[str, int | None]:
    return {"found": count.found, "expected": count.expected, "published": count.published}


def _print_tasks(tasks: "Sequence[TaskCounts]") -> None:
    typer.echo("tasks: what there is to find, found/expected (published, where it is another)\n")
    splits = [count.split for count in tasks[0].splits]
    rows = [[task.task, task.what, *map(_cell, task.splits)] for task in tasks]
    print_table([["", "", *splits], *rows])
    typer.echo("")
    for task in tasks:
        if task.difference:
            typer.echo(f"{task.task}: {task.difference}")
    if any(task.difference for task in tasks):
        typer.echo("")


def _cell(count: "TaskCount") -> str:
    if count.expected is None:
        shown = f"{count.found}/-"
    else:
        shown = f"{count.found}/{count.expected}" + "!" * (count.found != count.expected)
    other = count.published is not None and count.published != count.expected
    return shown + (f" ({count.published})" if other else "")


def _corpus_table(comparisons: "Sequence[Comparison]") -> list[tuple[str, ...]]:
    from bluered.corpora.counts import rows

    labels: dict[str, None] = {}
    columns: list[dict[str, str]] = []
    for comparison in comparisons:
        found = {row.label: row.value for row in rows(comparison.found)}
        expected = comparison.expected
        asked = {row.label: row.value for row in rows(expected)} if expected is not None else {}
        cells: dict[str, str] = {}
        for label in found | asked:
            value = found.get(label, 0)
            if label in asked:
                cells[label] = f"{value}/{asked[label]}" + ("!" * (value != asked[label]))
            else:
                cells[label] = f"{value}/-"
            labels.setdefault(label)
        if comparison.found.novel is not None:
            share = comparison.found.novel / max(1, sum(comparison.found.relations.values()))
            cells["novel share"] = f"{share:.1%}"
            labels.setdefault("novel share")
        columns.append(cells)
    ordered = _in_order(list(labels))
    table = [("", *(comparison.split for comparison in comparisons))]
    table += [(label, *(cells.get(label, "0") for cells in columns)) for label in ordered]
    return table


def _in_order(labels: list[str]) -> list[str]:
    """Bring labels that only later splits have to the other labels of their measure."""
    measures = list(dict.fromkeys(label.partition(":")[0] for label in labels))
    return sorted(labels, key=lambda label: measures.index(label.partition(":")[0]))
