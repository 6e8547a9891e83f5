"""Inference: the label of a pair of sentences (MedNLI), scored by accuracy.

A gold pair without a prediction counts as wrong and is noted; a pair that the gold lacks is an
error, and so is a label that is not the task's.
"""

from collections.abc import Sequence

import numpy as np

from bluered.corpora.catalog import Task
from bluered.documents.examples import TextPair
from bluered.metrics import sums
from bluered.metrics.counts import Counts
from bluered.tasks.correct.classes import check_label, counted_labels
from bluered.tasks.correct.matching import by_id, matched
from bluered.tasks.correct.measured import Measured, averages, class_table

MISSING = "gold pairs without a prediction, counted as wrong"


def score(task: Task, gold: Sequence[TextPair], predicted: Sequence[TextPair]) -> Measured:
    """Compare labels pair by pair: accuracy, or micro or macro F1 over the labels."""
    golds = by_id(gold, side="gold")
    answers = matched(golds, by_id(predicted, side="prediction"), absent="wrong")
    truth = {n: check_label(task, p.label, side="gold", example=n) for n, p in golds.items()}
    said = {n: check_label(task, p.label, side="prediction", example=n) for n, p in answers.items()}
    labels = counted_labels(task, [*truth.values(), *said.values()])
    counts = class_table([_row(truth[n], said.get(n), labels) for n in golds], len(labels))
    right = np.array([[float(truth[n] == said.get(n)), 1.0] for n in golds])
    table, statistic = {
        "accuracy": (right, sums.accuracy),
        "micro-f1": (counts, sums.micro_f1),
        "macro-f1": (counts, sums.macro_f1),
    }[task.entry.metric]
    missing = len(golds) - len(said)
    return Measured(
        metric=task.entry.metric,
        score=float(statistic(table.sum(axis=0))),
        units=tuple(golds),
        table=table,
        statistic=statistic,
        details={
            "pairs": len(golds),
            "correct": int(right[:, 0].sum()),
            "accuracy": float(right[:, 0].mean()),
            **averages(labels, counts, group="by_label"),
        },
        notes={MISSING: missing} if missing else {},
    )


def _row(truth: str, said: str | None, labels: tuple[str, ...]) -> list[Counts]:
    """Return the counts of each label for one pair."""
    return [
        Counts(
            tp=int(truth == said == label),
            fp=int(said == label != truth),
            fn=int(truth == label != said),
        )
        for label in labels
    ]
