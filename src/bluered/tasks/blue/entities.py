"""eval_ner.py: strict mentions, each looked up among all of the other side."""

from collections.abc import Sequence

import numpy as np

from bluered.corpora.catalog import Task
from bluered.documents.document import Document
from bluered.metrics import sums
from bluered.metrics.counts import Counts, compare, total
from bluered.tasks.blue.printout import Lines, f1
from bluered.tasks.blue.stops import with_printed
from bluered.tasks.correct import entities
from bluered.tasks.correct.entities import Mention, asked_type
from bluered.tasks.correct.measured import Measured, class_table, leaf
from bluered.tasks.quirks import Quirk

_SCRIPT = "eval_ner.py"
QUIRKS = (
    Quirk(
        "type_ignored",
        "types are not compared: every mention in the prediction file counts",
        "data_structure.py, Annotation.strict_equal",
    ),
    Quirk(
        "span_order",
        "a discontinuous mention is right only if its spans are listed in the gold's order",
        "data_structure.py, Annotation.strict_equal",
    ),
    Quirk(
        "no_matching",
        "each mention is looked up on the other side by itself, not one to one: a repeated right "
        "prediction costs nothing, a repeated wrong one and a repeated gold mention count each",
        f"{_SCRIPT}, eval_cdr",
    ),
)
ALL = frozenset(quirk.name for quirk in QUIRKS)


def figures(
    task: Task, gold: Sequence[Document], predicted: Sequence[Document], quirks: frozenset[str]
) -> dict[str, float]:
    """Return score, precision and recall with some of the quirks."""
    if not quirks:
        measured = entities.score(task, gold, predicted)
        found = measured.details
        score = measured.score or 0.0
        return {"score": score, "precision": found["precision"], "recall": found["recall"]}
    counts = total(_counts(task, gold, predicted, quirks).values())
    return {
        "score": f1(counts.precision, counts.recall),
        "precision": counts.precision,
        "recall": counts.recall,
    }


def score(task: Task, gold: Sequence[Document], predicted: Sequence[Document]) -> Measured:
    """Return what the script prints."""
    by_document = _counts(task, gold, predicted, ALL)
    counts = total(by_document.values())
    measured = Measured(
        metric="mention-f1",
        score=f1(counts.precision, counts.recall),
        units=tuple(by_document),
        table=class_table([[one] for one in by_document.values()], 1),
        statistic=sums.micro_f1,
        details={"documents": len(gold), **leaf(np.array([counts.tp, counts.fp, counts.fn]))},
    )
    answers = sum(map(len, _mentions(task, predicted, ALL, gold=False).values()))
    return with_printed(measured, _SCRIPT, _lines(counts, right=answers - counts.fp), [])


def _lines(counts: Counts, *, right: int) -> Lines:
    """Return the printed lines; the first only if another number of predictions is right."""
    ratios = {"pre:": counts.precision, "rec:": counts.recall}
    ratios["f1:"] = f1(counts.precision, counts.recall)
    first = [["TP:", str(counts.tp), "vs", "TPs:", str(right)]] if right != counts.tp else []
    return [
        *first,
        ["tp:", str(counts.tp)],
        ["fp:", str(counts.fp)],
        ["fn:", str(counts.fn)],
        *([name, f"{value * 100:.1f}"] for name, value in ratios.items()),
        ["support:", str(counts.tp + counts.fn)],
    ]


def _counts(
    task: Task, gold: Sequence[Document], predicted: Sequence[Document], quirks: frozenset[str]
) -> dict[str, Counts]:
    """Return the counts of each document: found and missed gold mentions, false predictions."""
    truth = _mentions(task, gold, quirks, gold=True)
    said = _mentions(task, predicted, quirks, gold=False)
    entities.check_sides(truth, said)
    found: dict[str, Counts] = {}
    for name in {**truth, **said}:
        golds, answers = truth.get(name, []), said.get(name, [])
        if "no_matching" not in quirks:
            found[name] = compare(set(golds), set(answers))
            continue
        known, given = set(golds), set(answers)
        tp = sum(mention in given for mention in golds)
        fp = sum(mention not in known for mention in answers)
        found[name] = Counts(tp, fp, len(golds) - tp)
    return found


def _mentions(
    task: Task, documents: Sequence[Document], quirks: frozenset[str], *, gold: bool
) -> dict[str, list[Mention]]:
    """Return the mentions of each document; BLUE's gold files hold those of one type only."""
    found: dict[str, list[Mention]] = {}
    for document in documents:
        mentions = found.setdefault(document.id, [])
        for entity in document.entities:
            kind = asked_type(task, entity)
            if kind is None and (gold or "type_ignored" not in quirks):
                continue
            spans = [(span.start, span.end) for span in entity.spans]
            if "span_order" not in quirks:
                spans.sort()
            mentions.append(("" if "type_ignored" in quirks else kind or "", tuple(spans)))
    return found
