"""`--scorer bioredirect`: what BioREDirect's evaluator would print for a prediction file.

Source: github.com/ncbi-nlp/BioREDirect at fc09043: src/evaluation.py, `evaluate_biored_f1_score`
(the counts), src/data_processor.py, `BioREDDataset` (the labels) and src/dataset_format_converter
(the rows). That evaluator reads a model's scores, not a file: here each candidate row has the
label that the prediction file gives its pair of ids, as the gold file would give it.

Direction is judged only where files have it: a relation whose `roles` say "Subject" for one end.
Without, both sides say "no direction" and rel_dir equals rel, all equals rel_nov.
"""

from collections.abc import Callable, Iterable, Set

from bluered.documents.document import Document
from bluered.metrics.counts import Counts
from bluered.tasks.biored.rows import ASSOCIATION, Label, Row, ids_of, row_labels
from bluered.tasks.scores import Paired, Scores, collect, pair_documents

Judge = Callable[[Label, Label, Set[str]], Counts]


def score(gold: Iterable[Document], predicted: Iterable[Document]) -> Scores:
    """Score the candidate rows as BioREDirect does."""
    pairs = pair_documents(gold, predicted)
    rows = {pair.id: row_labels(pair.gold, pair.predicted) for pair in pairs}
    number = sum(map(len, rows.values()))
    rows = {key: [row for row in found if row.labelled] for key, found in rows.items()}
    labels = {row.gold.type for found in rows.values() for row in found} - {""}
    counts = collect(
        {(name,): _sum(rows[pair.id], judge, labels) for name, judge in MEASURES.items()}
        for pair in pairs
    )
    lost = sum(_without_row(pair) for pair in pairs)
    notes = {"candidate rows (pairs of ids)": number}
    if lost:
        notes["predicted relations without a row, never counted"] = lost
    if not any(row.gold.subject for found in rows.values() for row in found):
        notes["gold relations with a direction (so rel_dir repeats rel, all repeats rel_nov)"] = 0
    return Scores(
        task="biored",
        scorer="bioredirect",
        documents=tuple(rows),
        counts=counts,
        notes=notes,
    )


def pair_counts(gold: Label, predicted: Label, labels: Set[str]) -> Counts:
    """Judge whether there is a relation at all."""
    is_gold = gold.type in labels
    is_predicted = predicted.type in labels or predicted.type == ASSOCIATION
    return _judged(
        right=is_gold and is_predicted, wrong=True, is_gold=is_gold, is_predicted=is_predicted
    )


def pair_nov_counts(gold: Label, predicted: Label, labels: Set[str]) -> Counts:
    """Judge the novelty of a pair, whatever its type."""
    one = ASSOCIATION if gold.type in labels else gold.type
    two = ASSOCIATION if predicted.type in labels else predicted.type
    same = one == two and gold.novel == predicted.novel
    return _judged(
        right=same and bool(one), wrong=not same, is_gold=one in labels, is_predicted=two in labels
    )


def type_counts(*parts: str, relaxed: bool = False) -> Judge:
    """Return the judge of the type and of the named parts of a label ("novel", "subject").

    Relaxed, a predicted Association is right where the gold says positive or negative correlation
    (but not the other way round).
    """

    def judge(gold: Label, predicted: Label, labels: Set[str]) -> Counts:
        same = all(getattr(gold, part) == getattr(predicted, part) for part in parts)
        if relaxed and gold.type.endswith("_Correlation") and predicted.type == ASSOCIATION:
            return Counts(tp=1) if same else Counts(fp=1, fn=1)
        same = same and gold.type == predicted.type
        return _judged(
            right=same and bool(gold.type),
            wrong=not same,
            is_gold=gold.type in labels,
            is_predicted=predicted.type in labels,
        )

    return judge


def _judged(*, right: bool, wrong: bool, is_gold: bool, is_predicted: bool) -> Counts:
    if right:
        return Counts(tp=1)
    return Counts(fp=int(wrong and is_predicted), fn=int(wrong and is_gold))


# The original hands the same triples to the same function for the three relaxed measures below, so
# they are one number, and the direction is never looked at.
MEASURES: dict[str, Judge] = {
    "pair": pair_counts,
    "pair_nov": pair_nov_counts,
    "rel": type_counts(),
    "rel_nov": type_counts("novel"),
    "rel_dir": type_counts("subject"),
    "all": type_counts("novel", "subject"),
    "relaxed_rel": type_counts(relaxed=True),
    "relaxed_rel_nov": type_counts("novel", relaxed=True),
    "relaxed_rel_dir": type_counts("novel", relaxed=True),
    "relaxed_all": type_counts("novel", relaxed=True),
}


def _sum(rows: Iterable[Row], judge: Judge, labels: Set[str]) -> Counts:
    tp = fp = fn = 0
    for row in rows:
        one = judge(row.gold, row.predicted, labels)
        tp, fp, fn = tp + one.tp, fp + one.fp, fn + one.fn
    return Counts(tp, fp, fn)


def _without_row(pair: Paired) -> int:
    if pair.predicted is None:
        return 0
    rows = ids_of(pair.gold)
    return sum(frozenset({r.head, r.tail}) not in rows for r in pair.predicted.relations)
