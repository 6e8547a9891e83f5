"""eval_rel.py: a table of classes over rows, first with all labels, then without `false`."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from bluered.corpora.catalog import Task
from bluered.documents.examples import RelationExample
from bluered.errors import BlueredError
from bluered.metrics import sums
from bluered.metrics.sums import Array
from bluered.tasks.blue.printout import class_counts, class_lines, confusion, ratios
from bluered.tasks.blue.stops import with_printed
from bluered.tasks.correct import relations
from bluered.tasks.correct.classes import counted_labels
from bluered.tasks.correct.measured import Measured, leaf
from bluered.tasks.correct.pairs import GoldPairs, document_of
from bluered.tasks.quirks import Quirk

_SCRIPT = "eval_rel.py"
FALSE = "false"
"""The only label that the script leaves out of its second table."""

QUIRKS = (
    Quirk(
        "rows",
        "rows are compared, not sets of labels per pair: a pair with two labels is two rows, each "
        "with one prediction; a repeated row counts again",
        f"{_SCRIPT}, eval_chemprot",
    ),
    Quirk(
        "same_order",
        "the n-th rows are compared; where document or arguments differ both rows are skipped, "
        "and it stops if the numbers of rows differ (here missing rows are then skipped)",
        f"{_SCRIPT}, eval_chemprot",
    ),
    Quirk(
        "false_by_name",
        "every label that is not literally `false` counts, so DDI-false does, and labels that the "
        "task does not count",
        f"{_SCRIPT}, sub_report",
    ),
    Quirk(
        "micro",
        "the figure is the micro average, while BLUE's table has the macro average for DDI",
        f"{_SCRIPT}, sub_report",
    ),
    Quirk(
        "accuracy_is_recall",
        "the column Accuracy of a class is its recall (no figure of ours moves)",
        "pmetrics.py, accuracy",
    ),
    Quirk(
        "absent_label",
        "a label whose rows were all skipped makes the table too small, and it stops",
        "pmetrics.py, classification_report",
    ),
    Quirk(
        "all_false",
        "labels that are all `false` are read as booleans, and it stops",
        f"{_SCRIPT}, pandas.read_csv",
    ),
)
ALL = frozenset(quirk.name for quirk in QUIRKS)

Examples = Sequence[RelationExample]


class Compared(Struct, frozen=True):
    """A row as it is compared: the document, the label on either side."""

    document: str
    gold: str
    predicted: str


def figures(
    task: Task, gold: Examples, predicted: Examples, quirks: frozenset[str]
) -> dict[str, float]:
    """Return score, precision and recall with some of the quirks."""
    macro = task.entry.metric == "macro-f1" and "micro" not in quirks
    if "rows" not in quirks:
        measured = relations.score(task, gold, predicted)
        average = measured.details["macro" if macro else "micro"]
        score = measured.score or 0.0
        return {"score": score, "precision": average["precision"], "recall": average["recall"]}
    rows = list(_rows(task, gold, predicted, in_order="same_order" in quirks))
    seen = {row.gold for row in rows} | {row.predicted for row in rows}
    labels = _counted(task, seen, quirks)
    counts = _counts(rows, labels)
    if "micro" not in quirks and task.entry.metric == "accuracy":
        score = float(np.mean([row.gold == row.predicted for row in rows]))
    elif macro:
        present = [column for column in counts.T if column[[0, 2, 3]].any()]
        columns = [ratios(column) for column in present] or [(0.0, 0.0, 0.0)]
        precision, recall, score = map(float, np.mean(columns, axis=0))
        return {"score": score, "precision": precision, "recall": recall}
    else:
        score = ratios(counts.sum(axis=1))[2]
    precision, recall, _ = ratios(counts.sum(axis=1))
    return {"score": score, "precision": precision, "recall": recall}


def score(task: Task, gold: Examples, predicted: Examples) -> Measured:
    """Return what the script prints; its score is the micro F1 of its second table."""
    rows = list(_rows(task, gold, predicted, in_order=True))
    if not rows:
        raise BlueredError(
            f"{_SCRIPT} compares rows in their order, and no row of the prediction is about the "
            "pair that stands in its place in the gold (--scorer correct finds rows by their ids)"
        )
    labels = sorted({str(row.label) for row in (*gold, *predicted)})
    counted = [label for label in labels if label != FALSE]
    every = class_counts(confusion(*_columns(rows), labels))
    some = every[:, [labels.index(label) for label in counted]]
    units, table = _by_document(rows, counted)
    skipped = max(len(gold), len(predicted)) - len(rows)
    measured = Measured(
        metric="micro-f1",
        score=ratios(some.sum(axis=1))[2],
        units=units,
        table=table,
        statistic=sums.micro_f1,
        details={
            "rows": len(rows),
            "micro": leaf(some.sum(axis=1)[[0, 2, 3]]),
            "by_label": {n: leaf(c[[0, 2, 3]]) for n, c in zip(counted, some.T, strict=True)},
        },
        notes={"rows about different pairs, skipped": skipped} if skipped else {},
    )
    printed = [*class_lines(labels, every), [], *class_lines(counted, some, whole="g")]
    return with_printed(measured, _SCRIPT, printed, list(_stops(gold, predicted, rows)))


def _stops(gold: Examples, predicted: Examples, rows: Sequence[Compared]) -> Iterator[str]:
    if len(gold) != len(predicted):
        yield f"{len(gold)} rows in the gold, {len(predicted)} in the prediction"
    for side, examples in (("gold", gold), ("prediction", predicted)):
        if {row.label for row in examples} == {FALSE}:
            yield f"all labels of the {side} are {FALSE}, which pandas reads as booleans"
    labels = {str(row.label) for row in (*gold, *predicted)}
    lost = labels - {row.gold for row in rows} - {row.predicted for row in rows}
    if lost:
        yield f"all rows with {', '.join(sorted(lost))} were skipped"


def _rows(task: Task, gold: Examples, predicted: Examples, *, in_order: bool) -> Iterator[Compared]:
    """Yield the rows that are compared: the n-th of both sides, or those of one pair."""
    pairs = GoldPairs(gold)
    found = [pairs.find(row) for row in predicted]
    if in_order and len(gold) == len(predicted):
        for one, other, pair, number in zip(gold, predicted, pairs.of_row, found, strict=True):
            if pair == number:
                yield _compared(one, other)
        return
    waiting: dict[int | None, deque[RelationExample]] = defaultdict(deque)
    for row, number in zip(predicted, found, strict=True):
        waiting[number].append(row)
    for row, number in zip(gold, pairs.of_row, strict=True):
        if waiting[number]:
            yield _compared(row, waiting[number].popleft())
        elif not in_order:
            yield Compared(document_of(row), str(row.label), task.entry.negative)
    if not in_order:
        for row in (row for rows in waiting.values() for row in rows):
            yield Compared(document_of(row), task.entry.negative, str(row.label))


def _compared(gold: RelationExample, predicted: RelationExample) -> Compared:
    return Compared(document_of(gold), str(gold.label), str(predicted.label))


def _columns(rows: Sequence[Compared]) -> tuple[list[str], list[str]]:
    return [row.gold for row in rows], [row.predicted for row in rows]


def _counted(task: Task, seen: set[str], quirks: frozenset[str]) -> list[str]:
    if "false_by_name" in quirks:
        return sorted(seen - {FALSE})
    return list(counted_labels(task, seen))


def _counts(rows: Sequence[Compared], labels: Sequence[str]) -> Array:
    """Return TP, TN, FP and FN of some labels; the others are no label."""
    every = sorted({*labels, *(row.gold for row in rows), *(row.predicted for row in rows)})
    counts = class_counts(confusion(*_columns(rows), every))
    return counts[:, [every.index(label) for label in labels]]


def _by_document(rows: Sequence[Compared], labels: Sequence[str]) -> tuple[tuple[str, ...], Array]:
    """Return the documents, and tp, fp and fn over the labels in each."""
    counts: dict[str, Counter[str]] = {}
    kept = set(labels)
    for row in rows:
        found = counts.setdefault(row.document, Counter())
        right = row.gold == row.predicted
        found["tp"] += right and row.gold in kept
        found["fp"] += not right and row.predicted in kept
        found["fn"] += not right and row.gold in kept
    table = [[one["tp"], one["fp"], one["fn"]] for one in counts.values()]
    return tuple(counts), np.array(table, dtype=float)
