"""A table of systems by tasks: mean and deviation over seeds, the published figures below each."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from bluered.corpora import catalog
from bluered.reports.blue import METRICS, TASKS, mean, percent
from bluered.reports.matrix_notes import notes
from bluered.reports.published import TableName, published_rows
from bluered.reports.tables import Table
from bluered.tasks.cells import NER, Cell, Gap, Spread, spread

BIORED = "biored"

HEADS = {"pair": "pair", "type": "+ type", "novelty": "+ novelty", "all": "all"}

PUBLISHED = "  published"


class System(Struct, frozen=True, kw_only=True):
    """A row: what it is called, and what published tables call it."""

    name: str
    published: str


class Group(Struct, frozen=True, kw_only=True):
    """The cells of a system and a recipe: those of the seeds that there are, and what is not."""

    row: str
    recipe: str
    task: str
    cells: tuple[Cell, ...]
    gaps: tuple[Gap, ...]

    def spread(self, figure: str) -> Spread | None:
        """Return mean and deviation of a figure over the seeds, None where no cell has it."""
        found = [cell.figures[figure].score for cell in self.cells if figure in cell.figures]
        return spread(found)


def groups(found: Sequence[Cell | Gap]) -> list[Group]:
    """Return the cells by system and recipe, in the order in which these come."""
    by: dict[tuple[str, str], list[Cell | Gap]] = {}
    for each in found:
        by.setdefault((each.row, each.recipe), []).append(each)
    return [
        Group(
            row=row,
            recipe=recipe,
            task=next((each.task for each in members if each.task), ""),
            cells=tuple(each for each in members if isinstance(each, Cell)),
            gaps=tuple(each for each in members if isinstance(each, Gap)),
        )
        for (row, recipe), members in by.items()
    ]


def tables(
    found: Sequence[Cell | Gap], systems: Sequence[System], *, title: str, split: str
) -> Iterator[Table]:
    """Yield the tables: tasks with one figure, BioRED's mentions and relations, what it took.

    What can't be said in a cell, such as why there is none, stands below the last but one.
    """
    all_groups = groups(found)
    shown: list[Table] = []
    plain = [group for group in all_groups if group.task and not is_biored(group.task)]
    if plain:
        shown.append(_task_table(plain, systems, f"{title}, {split}"))
    biored = [group for group in all_groups if is_biored(group.task)]
    if named := [group for group in biored if group.spread(NER)]:
        columns = {NER: "F1"}
        head = f"BioRED, {split}: mentions, exact spans and type"
        shown.append(_biored_table(named, systems, columns, head, "ner"))
    if related := [group for group in biored if group.spread("all")]:
        head = f"BioRED, {split}: relations on gold entities, F1"
        shown.append(_biored_table(related, systems, HEADS, head, "relations"))
    said = tuple(notes(found, split=split))
    if not shown:
        shown.append(Table(f"{title}, {split}: no cell has figures", ["system"], []))
    yield from shown[:-1]
    last = shown[-1]
    yield msgspec.structs.replace(last, notes=(*last.notes, *said))
    if any(group.cells for group in all_groups):
        yield _cost_table(all_groups)


def is_biored(name: str) -> bool:
    """Tell whether a task has BioRED's figures."""
    return bool(name) and catalog.task(name).entry.metric == BIORED


def shown(found: Spread | None) -> str:
    """Return a mean in per cent with its deviation; "-" for none."""
    if found is None:
        return "-"
    deviation = "" if found.deviation is None else f" ± {percent(found.deviation)}"
    return percent(found.mean) + deviation


Lines = list[tuple[str, dict[str, Group]]]


def _lines(members: Sequence[Group], row: str) -> Lines:
    """Return the lines of a system: one, unless it has two recipes for a task."""
    lines: list[dict[str, Group]] = []
    for group in (each for each in members if each.row == row):
        free = next((line for line in lines if group.task not in line), None)
        if free is None:
            free = {}
            lines.append(free)
        free[group.task] = group
    if len(lines) == 1:
        return [(row, lines[0])]
    return [(f"{row}: {', '.join(g.recipe for g in line.values())}", line) for line in lines]


def _task_table(members: Sequence[Group], systems: Sequence[System], title: str) -> Table:
    given = {group.task for group in members}
    tasks = [*(t for t in TASKS if t in given), *sorted(given - set(TASKS))]
    several = len(tasks) > 1
    rows: list[list[str]] = []
    for system in systems:
        over = tasks
        for name, line in _lines(members, system.name):
            own = {task: _figure(line.get(task)) for task in tasks}
            over = [task for task in tasks if own[task] and _compares(line[task])] or tasks
            rows.append([name, *map(shown, own.values())])
            if several:
                rows[-1].append(_mean_cell([found and found.mean for found in own.values()], tasks,
                                           over))  # fmt: skip
        rows += _published_lines(PUBLISHED, system.published, tasks, over)
    used = {system.published for system in systems}
    for system in (each for each in _publishers(tasks) if each not in used):
        rows += _published_lines(f"{system} (published)", system, tasks, tasks)
    heads = [f"{task}, {METRICS[catalog.task(task).entry.metric]}" for task in tasks]
    rule = "mean of tasks: over those that have a figure and compare (their number)"
    return Table(
        title,
        ["system", *heads, *(["mean of tasks"] if several else [])],
        rows,
        notes=(rule,) if several else (),
    )


def _figure(group: Group | None) -> Spread | None:
    return group.spread(group.cells[0].metric) if group is not None and group.cells else None


def _compares(group: Group) -> bool:
    return not any(cell.left_out for cell in group.cells)


def _mean_cell(values: Sequence[float | None], tasks: Sequence[str], over: Sequence[str]) -> str:
    """Return the mean over some of the tasks and their number; "-" where one has no figure."""
    value = mean([v for task, v in zip(tasks, values, strict=True) if task in over])
    return "-" if value is None else f"{percent(value)} ({len(over)})"


def _publishers(tasks: Sequence[str]) -> list[str]:
    """Return the systems that published figures of any of the tasks, in the order of entries."""
    named = (p.system for task in tasks for p in catalog.task(task).entry.published)
    return list(dict.fromkeys(named))


def _published_lines(
    name: str, system: str, tasks: Sequence[str], over: Sequence[str]
) -> Iterator[list[str]]:
    """Yield the line of a published system, nothing if it has no figure of these tasks."""
    figures = [{p.system: p.score for p in catalog.task(t).entry.published} for t in tasks]
    values = [None if (f := each.get(system)) is None else f / 100 for each in figures]
    if any(value is not None for value in values):
        ends = [_mean_cell(values, tasks, over)] if len(tasks) > 1 else []
        yield [name, *("-" if v is None else percent(v) for v in values), *ends]


def _biored_table(
    members: Sequence[Group],
    systems: Sequence[System],
    columns: Mapping[str, str],
    title: str,
    table: TableName,
) -> Table:
    known = {r.system: r for r in published_rows() if r.table == table and r.comparable}
    rows: list[list[str]] = []
    used: set[str] = set()
    for system in systems:
        for name, line in _lines(members, system.name):
            rows += [[name, *(shown(g.spread(c)) for c in columns)] for g in line.values()]
        if system.published in known and any(group.row == system.name for group in members):
            rows.append([PUBLISHED, *_published_cells(known[system.published].f1, columns)])
            used.add(system.published)
    for name in (each for each in known if each not in used):
        rows.append([f"{name} (published)", *_published_cells(known[name].f1, columns)])
    sources = dict.fromkeys(row.source for row in known.values())
    return Table(title, ["system", *columns.values()], rows, notes=tuple(sources))


def _published_cells(f1: Mapping[str, float], columns: Iterable[str]) -> list[str]:
    found = [f1.get("overall" if column == NER else column) for column in columns]
    return ["-" if value is None else f"{value:.1f}" for value in found]


def _cost_table(members: Sequence[Group]) -> Table:
    """Return time and memory, means over the seeds."""
    rows = []
    for group in members:
        if not group.cells:
            continue
        train = _mean([cell.train_seconds for cell in group.cells])
        answer = _mean([cell.answer_seconds for cell in group.cells])
        memory = [_mean([cell.train_memory for cell in group.cells])]
        memory.append(_mean([cell.answer_memory for cell in group.cells]))
        rows.append([
            group.row,
            group.recipe,
            str(len(group.cells)),
            "-" if train is None else f"{train / 60:.1f}",
            "-" if not answer else f"{1 / answer:.1f}",
            *("-" if each is None else f"{each / 2**20:.0f}" for each in memory),
        ])  # fmt: skip
    heads = ["system", "recipe", "seeds", "training, min", "answers, per s", "training, MB"]
    return Table(
        "What it took, mean over seeds",
        [*heads, "answering, MB"],
        rows,
        notes=(
            "answers: documents, or pairs of sentences, once the model is loaded; MB: the most "
            "that the process held, torch and all",
        ),
    )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def to_json(found: Sequence[Cell | Gap], systems: Sequence[System]) -> list[dict[str, Any]]:
    """Return the rows: of each recipe its figures over seeds (0 to 1), cells, and reasons."""
    members = groups(found)
    return [
        {
            "system": system.name,
            "recipes": [_group_json(group) for group in members if group.row == system.name],
            "published": _published_json(members, system),
        }
        for system in systems
    ]


def _group_json(group: Group) -> dict[str, Any]:
    figures = dict.fromkeys(name for cell in group.cells for name in cell.figures)
    return {
        "recipe": group.recipe,
        "task": group.task,
        "metric": group.cells[0].metric if group.cells else None,
        "figures": {name: msgspec.to_builtins(group.spread(name)) for name in figures},
        "cells": [msgspec.to_builtins(cell) for cell in group.cells],
        "reasons": {str(gap.seed): gap.reason for gap in group.gaps},
    }


def _published_json(members: Sequence[Group], system: System) -> dict[str, Any]:
    """Return the published figures of a system, in per cent as they were printed."""
    tasks = [group.task for group in members if group.row == system.name and group.task]
    plain = [task for task in dict.fromkeys(tasks) if not is_biored(task)]
    given = {
        task: published.score
        for task in plain
        for published in catalog.task(task).entry.published
        if published.system == system.published
    }
    rows = [r for r in published_rows() if r.system == system.published and r.comparable]
    biored = {row.table: row.f1 for row in rows} if any(map(is_biored, tasks)) else {}
    return {**given, **({BIORED: biored} if biored else {})}


def scored(found: Sequence[Cell | Gap]) -> bool:
    """Tell whether any cell has figures."""
    return any(isinstance(each, Cell) for each in found)
