"""`bluered score TASK` for all tasks but BioRED's: BLUE's ten and the user's own."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bluered.corpora.catalog import Task
    from bluered.documents.examples import Example
    from bluered.reports.tables import Table
    from bluered.tasks.results import Result
    from bluered.tasks.scoring import Scorer


def run(
    name: str,
    *,
    gold: Path | None,
    pred: Path,
    against: Path | None,
    split: str,
    scorer: "Scorer",
    interval: bool,
    quirks: bool,
) -> "tuple[dict[str, Any], list[Table], Result, str]":
    """Return the result for programs, the tables, the score and its signature."""
    from bluered.corpora import catalog
    from bluered.formats.streams import source_name
    from bluered.reports import comparisons
    from bluered.reports import task_scores as report
    from bluered.tasks.answers import read
    from bluered.tasks.comparison import comparison
    from bluered.tasks.scoring import check_metric, score, shifts

    task = catalog.task(name)
    check_metric(task)
    golds = gold_examples(task, gold, split, scorer=scorer)
    answers = read(task, pred, rules=scorer)
    result = score(task, golds, answers, scorer=scorer, with_interval=interval)
    moved = shifts(task, golds, answers) if quirks else None
    signed = sign(result, golds, split=None if gold else split)
    tables = list(report.tables(result, kind=task.entry.type, shifts=moved))
    found = report.to_json(result, signature=signed, shifts=moved)
    if against is not None:
        other = read(task, against, rules=scorer)
        compared = comparison(task, golds, answers, other, scorer=scorer)
        kind = task.entry.type
        found["against"] = comparisons.to_json(compared, kind=kind)
        names = source_name(pred), source_name(against)
        tables.append(comparisons.table(compared, names=names, metric=result.metric, kind=kind))
    return found, tables, result, signed


def gold_examples(
    task: "Task", gold: Path | None, split: str, *, scorer: "Scorer"
) -> "list[Example]":
    """Return the gold of a file, or of a split of the task's corpus if that is on this machine."""
    from bluered.cli.bench_biored import warn_of_changes
    from bluered.tasks.answers import read
    from bluered.tasks.examples import examples

    if gold is not None:
        return read(task, gold, rules=scorer, side="gold")
    found = list(examples(task, split))
    warn_of_changes(task.corpus, split)
    return found


def sign(result: "Result", golds: "list[Example]", *, split: str | None) -> str:
    """Return the signature of a score: what was counted, how, against which gold."""
    from bluered import __version__
    from bluered.metrics.signature import gold_hash, signature
    from bluered.metrics.significance import RESAMPLES, SEED

    drawn = f"units,BCa,n={RESAMPLES},seed={SEED}" if result.interval else None
    return signature(
        {
            "task": result.task,
            "scorer": result.scorer,
            "metric": result.metric,
            "split": split,
            "units": result.units,
            "gold": gold_hash(golds),
            "bootstrap": drawn,
            "version": __version__,
        }
    )
