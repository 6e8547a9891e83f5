"""`bluered bench blue` and `bench TASK`: predictions or trained runs on the tasks' test sets."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from bluered.corpora.catalog import Task
    from bluered.documents.examples import Example
    from bluered.reports.tables import Table
    from bluered.tasks.benchmark import Answer, Row
    from bluered.tasks.scoring import Scorer

BLUE = "blue"


def run(
    name: str,
    split: str,
    *,
    model: Path | None,
    predictions: Path | None,
    tasks: str | None,
    scorer: "Scorer",
    trained_on: Sequence[str],
    called: str | None = None,
) -> "tuple[dict[str, Any], list[Table], str]":
    """Return the result for programs, the tables and the signature."""
    from bluered.errors import BlueredError
    from bluered.formats.streams import STANDARD
    from bluered.reports import blue as report

    source = predictions or model
    if source is None:
        raise BlueredError(f"name what shall be scored on {name}: --predictions or --model")
    from_stdin = str(predictions) == STANDARD
    if not from_stdin and not source.exists():
        raise BlueredError(f"no file or folder {source}")
    chosen = _chosen(name, tasks)
    several = name == BLUE
    if several and not source.is_dir():
        raise BlueredError(f"{source} is not a folder: bench blue wants one with a file per task")
    strays: list[str] = []
    if predictions is not None and predictions.is_dir():
        strays = _strays(predictions, chosen)
    rows = [
        _row_or_reason(
            task,
            split,
            source,
            is_model=model is not None,
            scorer=scorer,
            trained_on=trained_on,
            several=several,
        )
        for task in chosen
    ]
    _warn_of_differences(rows)
    _warn_of_seen(rows)
    if not several and rows[0].reason:
        raise BlueredError(f"{name}: {rows[0].reason}")
    system = called or ("stdin" if from_stdin else source.resolve().name)
    signed = _signature(name, split, system=system, scorer=scorer, rows=rows)
    result: dict[str, Any] = {
        "benchmark": name,
        "system": system,
        "split": split,
        "scorer": scorer,
        "signature": signed,
        "rows": [report.to_json(row) for row in rows],
    }
    if not several:
        return result, [report.single(rows[0], system=system)], signed
    result |= {"mean": report.mean_json(rows), "strays": strays}
    return result, [report.table(rows, system=system, strays=strays)], signed


def _chosen(name: str, tasks: str | None) -> "list[Task]":
    """Return the tasks of a benchmark, or those of them that were asked for."""
    from bluered.corpora import catalog
    from bluered.errors import BlueredError, unknown_name
    from bluered.reports.blue import TASKS

    if name != BLUE:
        if tasks is not None:
            raise BlueredError("--tasks is for `bluered bench blue`")
        return [catalog.task(name)]
    asked = [task.strip() for task in (tasks or "").split(",") if task.strip()]
    if tasks is not None and not asked:
        raise BlueredError(f"--tasks names no task: some of {', '.join(TASKS)}")
    for task in asked:
        if task not in TASKS:
            raise BlueredError(unknown_name("task of blue", task, list(TASKS)))
    return [catalog.task(task) for task in TASKS if tasks is None or task in asked]


def _strays(folder: Path, chosen: "Sequence[Task]") -> list[str]:
    """Return the files that no task takes, and warn of them: a wrong name would go unnoticed."""
    from bluered.reports.blue import TASKS

    known = {*TASKS, *(task.name for task in chosen)}
    strays = sorted(p.name for p in folder.iterdir() if _task_of(p) not in known)
    if strays:
        shown = ", ".join(strays[:5]) + (", ..." if len(strays) > 5 else "")
        typer.echo(f"warning: no task is named like these in {folder}: {shown}", err=True)
    return strays


def _task_of(path: Path) -> str:
    return path.name.partition(".")[0]


def _row_or_reason(
    task: "Task",
    split: str,
    source: Path,
    *,
    is_model: bool,
    scorer: "Scorer",
    trained_on: Sequence[str],
    several: bool,
) -> "Row":
    """Score one task; of several, one that cannot be scored says why and stops no other."""
    from bluered.errors import BlueredError
    from bluered.tasks.benchmark import Row

    try:
        return _row(task, split, source, is_model=is_model, scorer=scorer, trained_on=trained_on)
    except BlueredError as error:
        if not several:
            raise
        typer.echo(f"warning: {task.name} is not scored: {error}", err=True)
        return Row(task=task, split=split, reason=str(error))


def _row(
    task: "Task",
    split: str,
    source: Path,
    *,
    is_model: bool,
    scorer: "Scorer",
    trained_on: Sequence[str],
) -> "Row":
    """Score one task, or say why it is not."""
    from bluered.tasks.benchmark import Row, absent, evaluate

    reason = absent(task.corpus)
    if reason:
        return Row(task=task, split=split, reason=reason)
    if is_model:
        answer, seen = _asked(task, source)
    else:
        answer, seen = _read(task, source, scorer), ()
    if answer is None:
        none = "no trained run in the folder" if is_model else "no predictions"
        return Row(task=task, split=split, reason=none)
    return evaluate(task, split, answer, scorer=scorer, trained_on=(*seen, *trained_on))


def _warn_of_differences(rows: "Sequence[Row]") -> None:
    """Say where the data are not the published ones: scores on them compare with no others."""
    for row in rows:
        if row.differs:
            typer.echo(
                f"warning: {row.task.name}:{row.split} is not the data that was published: "
                f"{'; '.join(row.differs)}",
                err=True,
            )


def _warn_of_seen(rows: "Sequence[Row]") -> None:
    """Say which test documents a model card names as trained on, and what is not known."""
    from bluered.reports.leakage import seen_text, unknown_text

    known = [(row, row.seen) for row in rows if row.seen is not None]
    for row, seen in known:
        text = seen_text(seen.leaks, units=seen.units, of=seen.of)
        if text:
            typer.echo(f"warning: {row.task.name}:{row.split}: {text}", err=True)
    text = unknown_text(leak for _, seen in known for leak in seen.leaks)
    if text:
        typer.echo(f"warning: {text}", err=True)


def _read(task: "Task", source: Path, scorer: "Scorer") -> "Answer | None":
    """Return what reads the predictions for a task, None if the folder has none."""
    from bluered.errors import BlueredError
    from bluered.formats.files import is_brat
    from bluered.tasks.answers import read

    path = source
    if source.is_dir() and not is_brat(source):
        found = sorted(p for p in source.iterdir() if _task_of(p) == task.name)
        if len(found) > 1:
            names = " and ".join(p.name for p in found)
            raise BlueredError(f"{source} holds several files for {task.name}: {names}")
        if not found:
            return None
        path = found[0]
    return lambda gold: read(task, path, rules=scorer)


def _asked(task: "Task", source: Path) -> "tuple[Answer | None, tuple[str, ...]]":
    """Return what asks the run for a task, and what it was trained on; None if there is no run."""
    from bluered.errors import ModelError

    try:
        from bluered.training.predict import find_run, predict
        from bluered.training.run import RESULT, all_trained_on
    except ModuleNotFoundError as error:
        raise ModelError(f"--model needs {error.name}: pip install 'bluered[train]'") from None
    run = source if (source / RESULT).is_file() else find_run(source, task.name)
    if run is None:
        return None, ()

    def answer(gold: "Sequence[Example]") -> "Iterable[Example]":
        typer.echo(f"{task.name}: {run.name} reads {len(gold)} examples ...", err=True)
        return predict(run, gold)

    return answer, tuple(dict.fromkeys(all_trained_on(run)))


def _signature(name: str, split: str, *, system: str, scorer: str, rows: "Sequence[Row]") -> str:
    """Return the line that says what the table is a table of; the gold of each row by its hash.

    `differs` names the rows whose data are not the published ones, `seen` how much of a test was
    trained on.
    """
    from bluered import __version__
    from bluered.metrics.signature import signature
    from bluered.metrics.significance import RESAMPLES, SEED
    from bluered.reports.leakage import seen_code

    differs = ",".join(row.task.name for row in rows if row.differs)
    seen = ",".join(
        f"{row.task.name}={seen_code(row.seen.leaks, units=row.seen.units, of=row.seen.of)}"
        for row in rows
        if row.seen
    )
    golds = ",".join(f"{row.task.name}={row.gold}" for row in rows if row.gold)
    return signature(
        {
            "benchmark": name,
            "scorer": scorer,
            "split": split,
            "system": system,
            "gold": golds or None,
            "differs": differs or None,
            "seen": seen or None,
            "bootstrap": f"BCa,n={RESAMPLES},seed={SEED}" if golds else None,
            "version": __version__,
        }
    )
