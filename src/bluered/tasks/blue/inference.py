"""eval_mednli.py: the table of classes with its micro average, which is accuracy."""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from bluered.corpora.catalog import Task
from bluered.documents.examples import TextPair
from bluered.metrics import sums
from bluered.tasks.blue.printout import class_counts, class_lines, confusion, ratios
from bluered.tasks.blue.stops import by_stated_rule, row_fault, with_printed
from bluered.tasks.correct import inference
from bluered.tasks.correct.classes import check_label, counted_labels
from bluered.tasks.correct.measured import Measured, leaf
from bluered.tasks.quirks import Quirk

_SCRIPT = "eval_mednli.py"
QUIRKS = (
    Quirk(
        "same_rows",
        "gold and prediction must have the same ids in the same order, or it stops",
        f"{_SCRIPT}, assertions",
    ),
    Quirk(
        "micro",
        "the figure is the micro average of the labels, which is the accuracy",
        f"{_SCRIPT}, classification_report",
    ),
    Quirk(
        "accuracy_is_recall",
        "the column Accuracy of a class is its recall (no figure of ours moves)",
        "pmetrics.py, accuracy",
    ),
    Quirk(
        "absent_label",
        "a label that neither gold nor prediction has makes the table too small, and it stops",
        "pmetrics.py, classification_report",
    ),
)


def figures(
    task: Task, gold: Sequence[TextPair], predicted: Sequence[TextPair], quirks: frozenset[str]
) -> dict[str, float]:
    """Return score, precision and recall with some of the quirks."""
    measured = inference.score(task, gold, predicted)
    average = measured.details["micro" if "micro" in quirks else _average(task)]
    score = measured.details["accuracy"] if "micro" in quirks else measured.score or 0.0
    return {"score": score, "precision": average["precision"], "recall": average["recall"]}


def _average(task: Task) -> str:
    return "macro" if task.entry.metric == "macro-f1" else "micro"


def score(task: Task, gold: Sequence[TextPair], predicted: Sequence[TextPair]) -> Measured:
    """Return what the script prints."""
    accuracy = replace(task, entry=replace(task.entry, metric="accuracy"))
    fault = row_fault(gold, predicted)
    if fault:
        return by_stated_rule(lambda: inference.score(accuracy, gold, predicted), _SCRIPT, fault)
    truth = [check_label(task, p.label, side="gold", example=p.id) for p in gold]
    said = [check_label(task, p.label, side="prediction", example=p.id) for p in predicted]
    labels = sorted(counted_labels(task, (*truth, *said)))
    counts = class_counts(confusion(truth, said, labels))
    whole = counts.sum(axis=1)
    right = np.array([(float(one == other), 1.0) for one, other in zip(truth, said, strict=True)])
    measured = Measured(
        metric="accuracy",
        score=ratios(whole)[2],
        units=tuple(pair.id for pair in gold),
        table=right,
        statistic=sums.accuracy,
        details={
            "pairs": len(gold),
            "micro": leaf(whole[[0, 2, 3]]),
            "by_label": {n: leaf(c[[0, 2, 3]]) for n, c in zip(labels, counts.T, strict=True)},
        },
    )
    absent = [label for label in labels if label not in {*truth, *said}]
    stops = [f"no row of gold or prediction is {', '.join(absent)}"] if absent else []
    return with_printed(measured, _SCRIPT, class_lines(labels, counts), stops)
