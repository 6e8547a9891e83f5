"""eval_hoc.py: labels of 315 documents, precision and recall printed under each other's name."""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from bluered.corpora.catalog import Task
from bluered.documents.examples import LabelledText
from bluered.metrics import sums
from bluered.tasks.blue.printout import Lines, f1
from bluered.tasks.blue.stops import by_stated_rule, row_fault, with_printed
from bluered.tasks.correct import documents
from bluered.tasks.correct.documents import precision_recall, united
from bluered.tasks.correct.measured import Measured
from bluered.tasks.quirks import Quirk

_SCRIPT = "eval_hoc.py"
DOCUMENTS = 315
"""How many documents the script insists on: HoC's test part."""

QUIRKS = (
    Quirk(
        "same_rows",
        "gold and prediction must have the same sentences in the same order, or it stops",
        f"{_SCRIPT}, assertions",
    ),
    Quirk(
        "315_documents",
        "it stops if there are not 315 documents, so that no other split can be scored",
        f"{_SCRIPT}, assertion",
    ),
    Quirk(
        "no_gold_label",
        "it stops at a document without a gold label (ZeroDivisionError)",
        f"{_SCRIPT}, get_p_r_f_arrary",
    ),
    Quirk(
        "example_f1",
        "the figure is F of the mean precision and the mean recall, whatever the task's metric",
        f"{_SCRIPT}, get_p_r_f_arrary",
    ),
    Quirk(
        "first_underscore",
        "the document of a sentence is what stands before the first underscore of its id, and if "
        "there is none, all but the last character",
        f"{_SCRIPT}, eval_hoc",
    ),
    Quirk(
        "precision_and_recall_swapped",
        "precision is printed as recall and recall as precision",
        f"{_SCRIPT}, eval_hoc",
    ),
)


def figures(
    task: Task,
    gold: Sequence[LabelledText],
    predicted: Sequence[LabelledText],
    quirks: frozenset[str],
) -> dict[str, float]:
    """Return score, precision and recall with some of the quirks."""
    if "example_f1" in quirks:
        task = _by_example(task)
    if "first_underscore" in quirks and not row_fault(gold, predicted):
        gold, predicted = _regrouped(gold), _regrouped(predicted)
    measured = documents.score(task, gold, predicted)
    precision, recall = measured.details["precision"], measured.details["recall"]
    if "precision_and_recall_swapped" in quirks:
        precision, recall = recall, precision
    return {"score": measured.score or 0.0, "precision": precision, "recall": recall}


def score(task: Task, gold: Sequence[LabelledText], predicted: Sequence[LabelledText]) -> Measured:
    """Return what the script prints; `precision` and `recall` in the details are as it calls them.

    Documents without gold label, at which it stops, count as in the stated rule.
    """
    task = _by_example(task)
    fault = row_fault(gold, predicted)
    if fault:
        return by_stated_rule(lambda: documents.score(task, gold, predicted), _SCRIPT, fault)
    truth = united(task, _regrouped(gold), side="gold")
    said = united(task, _regrouped(predicted), side="prediction")
    pairs = [precision_recall(truth[name], said[name]) for name in truth]
    precision, recall = (float(np.mean(column)) for column in zip(*pairs, strict=True))
    found = f1(precision, recall)
    measured = Measured(
        metric="example-f1",
        score=found,
        units=tuple(truth),
        table=np.array([(*pair, 1.0) for pair in pairs]),
        statistic=sums.example_f1,
        details={"documents": len(truth), "precision": recall, "recall": precision, "f1": found},
    )
    return with_printed(measured, _SCRIPT, _lines(recall, precision, found), _stops(truth))


def _lines(precision: float, recall: float, found: float) -> Lines:
    return [
        ["Precision:", f"{precision * 100:.1f}"],
        ["Recall", ":", f"{recall * 100:.1f}"],
        ["F1", ":", f"{found * 100:.1f}"],
    ]


def _stops(truth: dict[str, set[str]]) -> list[str]:
    stops = []
    if len(truth) != DOCUMENTS:
        stops.append(f"{len(truth)} documents, not {DOCUMENTS}")
    bare = [name for name, labels in truth.items() if not labels]
    if bare:
        stops.append(f"{len(bare)} documents without a gold label ({bare[0]})")
    return stops


def _by_example(task: Task) -> Task:
    return replace(task, entry=replace(task.entry, metric="example-f1"))


def _regrouped(rows: Sequence[LabelledText]) -> list[LabelledText]:
    return [replace(row, document=row.id[: row.id.find("_")]) for row in rows]
