"""Document classification: any number of labels for each document (HoC).

A document has the labels of all its sentences together. `example-f1` is BLUE's figure: precision
and recall of each document's set of labels, their means over documents, and F of the two means
(not the mean of the documents' F, which the details give too).

- A document for which nothing is predicted has precision 0 (and is noted if it is missing).
- A document without gold label has precision and recall 1 if nothing is predicted, else 0.
- A document that the gold lacks is an error: there is nothing to compare it with.
- A row belongs to the document that the gold gives its id; else to the document it names (which is
  noted, since the gold lacks the row).
"""

from collections.abc import Iterable, Sequence

import numpy as np

from bluered.corpora.catalog import Task
from bluered.documents.examples import LabelledText
from bluered.errors import BlueredError
from bluered.metrics import sums
from bluered.metrics.counts import Counts, compare
from bluered.tasks.correct.classes import check_label, counted_labels
from bluered.tasks.correct.matching import by_id, some
from bluered.tasks.correct.measured import Measured, averages, class_table

MISSING = "gold documents without a prediction, counted as without labels"
UNKNOWN = "predicted rows that the gold lacks, their labels counted for their document"
UNLABELLED = "gold documents without a label: right if nothing is predicted for them"

Labels = dict[str, set[str]]


def score(task: Task, gold: Sequence[LabelledText], predicted: Sequence[LabelledText]) -> Measured:
    """Compare the sets of labels document by document."""
    rows, answers = by_id(gold, side="gold"), by_id(predicted, side="prediction")
    truth = united(task, rows.values(), side="gold")
    said = united(task, placed(answers, rows, truth), side="prediction")
    labels = counted_labels(task, [n for found in (*truth.values(), *said.values()) for n in found])
    pairs = [(truth[name], said.get(name, set())) for name in truth]
    counts = class_table([_row(one, other, labels) for one, other in pairs], len(labels))
    ratios = np.array([(*precision_recall(*pair), 1.0) for pair in pairs])
    exact = np.array([(float(one == other), 1.0) for one, other in pairs])
    table, statistic = {
        "example-f1": (ratios, sums.example_f1),
        "micro-f1": (counts, sums.micro_f1),
        "macro-f1": (counts, sums.macro_f1),
        "accuracy": (exact, sums.accuracy),
    }[task.entry.metric]
    notes = {
        MISSING: sum(name not in said for name in truth),
        UNKNOWN: sum(name not in rows and name not in truth for name in answers),
        UNLABELLED: sum(not one for one in truth.values()),
    }
    return Measured(
        metric=task.entry.metric,
        score=float(statistic(table.sum(axis=0))),
        units=tuple(truth),
        table=table,
        statistic=statistic,
        details={
            "documents": len(truth),
            "precision": float(ratios[:, 0].mean()),
            "recall": float(ratios[:, 1].mean()),
            "f1": float(sums.example_f1(ratios.sum(axis=0))),
            "document_mean_f1": float(np.mean([_f1(*row) for row in ratios[:, :2]])),
            "exact_match": float(exact[:, 0].mean()),
            **averages(labels, counts, group="by_label"),
        },
        notes={note: number for note, number in notes.items() if number},
    )


def placed(
    answers: dict[str, LabelledText], gold: dict[str, LabelledText], documents: Labels
) -> list[LabelledText]:
    """Return the predicted rows with the document that each belongs to in the gold."""
    found, unknown = [], []
    for name, row in answers.items():
        one = gold.get(name)
        document = one.document if one else row.document
        document = next((n for n in (document, name) if n in documents), None)
        if document is None:
            unknown.append(name)
        else:
            found.append(LabelledText(id=name, document=document, text="", labels=row.labels))
    if unknown:
        raise BlueredError(
            f"{len(unknown)} rows of the prediction belong to no document of the gold "
            f"({some(unknown)}; the gold has {some(list(documents))}): are these of one split?"
        )
    return found


def united(task: Task, rows: Iterable[LabelledText], *, side: str) -> Labels:
    """Return each document's labels, those of all its sentences, in order of first appearance."""
    found: Labels = {}
    for row in rows:
        if row.labels is None:
            raise BlueredError(f"{row.id} has no answer in the {side}")
        labels = found.setdefault(row.document, set())
        labels |= {check_label(task, n, side=side, example=row.id) for n in row.labels}
    negative = task.entry.negative
    return {name: labels - {negative} for name, labels in found.items()}


def precision_recall(gold: set[str], predicted: set[str]) -> tuple[float, float]:
    """Return the precision and recall of one document's labels."""
    if not gold:
        right = float(not predicted)
        return right, right
    both = len(gold & predicted)
    return (both / len(predicted) if predicted else 0.0), both / len(gold)


def _row(gold: set[str], predicted: set[str], labels: tuple[str, ...]) -> list[Counts]:
    return [compare(gold & {label}, predicted & {label}) for label in labels]


def _f1(precision: float, recall: float) -> float:
    both = precision + recall
    return 2 * precision * recall / both if both else 0.0
