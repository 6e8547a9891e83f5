"""Relations between two mentions: micro or macro F1 over the labels that count.

What is compared are sets of (pair, label): ChemProt gives some pairs two labels, and then both are
sought. The negative label is no label. A row repeated in a file counts once; of two labels
predicted for one pair each is judged. A gold pair without a prediction is missed; a label predicted
for a pair that the gold lacks is false. Both are noted. Which of `micro` and `macro` is the score
says the task's metric; the details have both. The macro average is over the labels that gold or
prediction has. `accuracy` is the share of gold pairs whose labels are exactly right.

Rows are brought together by document and arguments where both sides have them, else by id
(bluered.tasks.correct.pairs); their order does not count. Arguments have an order (ChemProt:
chemical, gene): the reverse is another pair.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from bluered.corpora.catalog import Task
from bluered.documents.examples import RelationExample
from bluered.errors import BlueredError
from bluered.metrics import sums
from bluered.metrics.sums import Array
from bluered.tasks.correct.classes import check_label, counted_labels, label_fault
from bluered.tasks.correct.matching import nothing_in_common
from bluered.tasks.correct.measured import Measured, averages, unit_mean_f1
from bluered.tasks.correct.pairs import (
    GoldPairs,
    compared_name,
    document_of,
    has_arguments,
    pair_key,
    pair_name,
)

MISSING = "gold pairs without a prediction, counted as negative"
UNKNOWN = "predicted rows of pairs that the gold lacks, false unless negative"
REPEATED = "predicted rows that repeat another, counted once"
SEVERAL = "pairs with several predicted labels, each judged"
BOTH = "pairs predicted as negative and with a label, which counts"
UNCOUNTED = "gold rows with a label that the task does not count, taken as negative"

PairLabels = list[set[str]]


def score(
    task: Task, gold: Sequence[RelationExample], predicted: Sequence[RelationExample]
) -> Measured:
    """Compare the labels of each pair."""
    notes: Counter[str] = Counter()
    pairs = GoldPairs(gold)
    documents, said = predicted_labels(task, pairs, predicted, notes)
    truth = gold_labels(task, pairs, gold, notes)
    truth += [set() for _ in range(len(said) - len(pairs))]
    labels = counted_labels(task, {name for side in (*truth, *said) for name in side})
    units = tuple(dict.fromkeys(documents))
    place = {name: number for number, name in enumerate(units)}
    rows = [place[name] for name in documents]
    counts, right = _counts(truth, said, labels, rows), np.zeros((len(units), 2))
    exact = [(float(one == other), 1.0) for one, other in zip(truth, said, strict=True)]
    np.add.at(right, rows[: len(pairs)], np.array(exact[: len(pairs)]))
    table, statistic = {
        "micro-f1": (counts, sums.micro_f1),
        "macro-f1": (counts, sums.macro_f1),
        "accuracy": (right, sums.accuracy),
    }[task.entry.metric]
    return Measured(
        metric=task.entry.metric,
        score=float(statistic(table.sum(axis=0))),
        units=units,
        table=table,
        statistic=statistic,
        details={
            "pairs": len(pairs),
            **averages(labels, counts, group="by_label"),
            "document_mean_f1": unit_mean_f1(counts),
            "accuracy": float(sums.accuracy(right.sum(axis=0))),
        },
        notes={note: number for note, number in notes.items() if number},
    )


def gold_labels(
    task: Task, pairs: GoldPairs, gold: Sequence[RelationExample], notes: Counter[str]
) -> PairLabels:
    """Return the labels of each gold pair; one that the task does not count is as the negative."""
    if not gold:
        raise BlueredError("the gold holds no pair")
    found: PairLabels = [set() for _ in range(len(pairs))]
    for row, number in zip(gold, pairs.of_row, strict=True):
        if row.label is None:
            raise BlueredError(f"{pair_name(row)} has no label in the gold")
        if label_fault(task, row.label):
            notes[UNCOUNTED] += 1
        elif row.label != task.entry.negative:
            found[number].add(row.label)
    return found


def predicted_labels(
    task: Task, pairs: GoldPairs, predicted: Sequence[RelationExample], notes: Counter[str]
) -> tuple[list[str], PairLabels]:
    """Return documents and predicted labels of the gold's pairs, then of those only predicted."""
    documents = list(pairs.documents)
    found: PairLabels = [set() for _ in documents]
    others: dict[object, int] = {}
    seen: Counter[int] = Counter()
    for row in predicted:
        label = check_label(task, row.label, side="prediction", example=pair_name(row))
        number = pairs.find(row)
        if number is None:
            notes[UNKNOWN] += 1
            number = others.setdefault(pair_key(row), len(found))
            if number == len(found):
                documents.append(document_of(row))
                found.append(set())
        seen[number] += 1
        notes[REPEATED] += label in found[number]
        found[number].add(label)
    if predicted and notes[UNKNOWN] == len(predicted):
        golds = pairs.compared if any(map(has_arguments, predicted)) else pairs.names
        raise nothing_in_common(golds, [compared_name(row) for row in predicted], "pair")
    notes[MISSING] = sum(not seen[number] for number in range(len(pairs)))
    said = [labels - {task.entry.negative} for labels in found]
    notes[BOTH] = sum(len(one) > len(other) > 0 for one, other in zip(found, said, strict=True))
    notes[SEVERAL] = sum(len(labels) > 1 for labels in said)
    return documents, said


def _counts(
    gold: PairLabels, predicted: PairLabels, labels: tuple[str, ...], rows: Sequence[int]
) -> Array:
    """Return tp, fp and fn of each label, summed over the pairs that belong to one row."""
    counts = np.zeros((max(rows) + 1, len(labels), 3))
    number = {label: place for place, label in enumerate(labels)}
    for row, one, other in zip(rows, gold, predicted, strict=True):
        for label in one | other:
            kind = (label in one) + 2 * (label in other)  # 1: missed, 2: false, 3: found
            counts[row, number[label], 3 - kind] += 1
    return counts.reshape(len(counts), -1)
