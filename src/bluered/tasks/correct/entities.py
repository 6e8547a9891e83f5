"""Named entities: strict F1 of mentions (BC5CDR, ShARe/CLEF).

A mention is right if all its spans and its type are the gold's, exactly; a discontinuous mention is
compared as a whole, whatever the order in which its spans are listed. Mentions are a set per
document, so a repeated one counts once. Only the types that the task asks for count, on both sides
(their names in any case); a mention that names no type has the task's, if that has only one.
A document that the prediction lacks is missed, one that the gold lacks is false; both are noted.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from bluered.corpora.catalog import Task
from bluered.documents.document import Document, Entity
from bluered.errors import BlueredError
from bluered.metrics import sums
from bluered.metrics.counts import compare
from bluered.tasks.correct.classes import may_quote
from bluered.tasks.correct.matching import nothing_in_common
from bluered.tasks.correct.measured import Measured, averages, class_table, unit_mean_f1
from bluered.tasks.scores import by_id

MISSING = "gold documents missing in the prediction, all their mentions missed"
UNKNOWN = "predicted documents that the gold lacks, all their mentions false"
OTHER_TYPES = "predicted mentions of other types than the task's, left out"
REPEATED = "predicted mentions that repeat another, counted once"
OTHER_TEXTS = "documents whose text is not the gold's, compared by offset all the same"

Mention = tuple[str, tuple[tuple[int, int], ...]]
"""The type and the spans in text order."""


def score(task: Task, gold: Sequence[Document], predicted: Sequence[Document]) -> Measured:
    """Compare the mentions of each document."""
    golds, answers = by_id(gold, side="gold"), by_id(predicted, side="prediction")
    check_sides(golds, answers)
    notes: Counter[str] = Counter()
    names = (*golds, *(name for name in answers if name not in golds))
    truth = {name: mentions(task, golds.get(name)) for name in names}
    said = {name: mentions(task, answers.get(name), notes) for name in names}
    check_types(task, predicted, said.values())
    types = task.entry.entity_types or tuple(
        sorted({kind for one in (*truth.values(), *said.values()) for kind, _ in one})
    )
    rows = [
        [compare(_of(kind, truth[name]), _of(kind, said[name])) for kind in types] for name in names
    ]
    table = class_table(rows, len(types))
    statistic = sums.macro_f1 if task.entry.metric == "macro-f1" else sums.micro_f1
    notes[MISSING] = sum(name not in answers for name in golds)
    notes[UNKNOWN] = len(names) - len(golds)
    notes[OTHER_TEXTS] = sum(map(_other_text, golds.values(), map(answers.get, golds)))
    averaged = averages(types, table, group="by_type")
    several = {"macro": averaged["macro"], "by_type": averaged["by_type"]} if len(types) > 1 else {}
    return Measured(
        metric=task.entry.metric,
        score=float(statistic(table.sum(axis=0))),
        units=names,
        table=table,
        statistic=statistic,
        details={
            "documents": len(golds),
            **averaged["micro"],
            "document_mean_f1": unit_mean_f1(table),
            **several,
        },
        notes={note: number for note, number in notes.items() if number},
    )


def check_sides(gold: Mapping[str, object], predicted: Mapping[str, object]) -> None:
    """Raise BlueredError if there is no gold, or a prediction about other documents only."""
    if not gold:
        raise BlueredError("the gold holds no document")
    if predicted and not predicted.keys() & gold.keys():
        raise nothing_in_common(list(gold), list(predicted), "document")


def check_types(task: Task, predicted: Iterable[Document], kept: Iterable[set[Mention]]) -> None:
    """Raise BlueredError if there are predictions, but none of a type that the task asks for."""
    if any(kept):
        return
    found = sorted({entity.type for document in predicted for entity in document.entities})
    if found:
        shown = ", ".join(found[:5]) if may_quote(task) else f"{len(found)} others"
        raise BlueredError(
            f"no predicted mention is of a type of {task.name} "
            f"({', '.join(task.entry.entity_types)}): found {shown}"
        )


def mentions(
    task: Task, document: Document | None, notes: Counter[str] | None = None
) -> set[Mention]:
    """Return the mentions of a document that the task asks for; what is left out is noted."""
    found: set[Mention] = set()
    if document is None:
        return found
    for entity in document.entities:
        kind = asked_type(task, entity)
        spans = tuple(sorted((span.start, span.end) for span in entity.spans))
        if notes is not None:
            notes[OTHER_TYPES] += kind is None
            notes[REPEATED] += (kind, spans) in found
        if kind is not None:
            found.add((kind, spans))
    return found


def asked_type(task: Task, entity: Entity) -> str | None:
    """Return the task's name of a mention's type, or None if the task does not ask for it."""
    types = task.entry.entity_types
    if not types:
        return entity.type
    if not entity.type and len(types) == 1:
        return types[0]
    return next((kind for kind in types if kind.casefold() == entity.type.casefold()), None)


def _of(kind: str, found: set[Mention]) -> set[Mention]:
    return {mention for mention in found if mention[0] == kind}


def _other_text(gold: Document, predicted: Document | None) -> bool:
    """Tell whether both texts are known and differ."""
    if predicted is None or not gold.text or not predicted.text:
        return False
    return gold.text != predicted.text
