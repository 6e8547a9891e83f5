"""Scoring predicted concepts before they have real ids: bring them to gold ids by shared mentions.

A tagger without a linker gives its concepts ids of its own, which no gold relation names. The
interim rule "aligned by mentions": a predicted concept is the gold concept with which it shares
most mentions of exactly the same spans and type, one to one, the largest overlaps first, ties by
the gold's and then the prediction's id. A concept that shares none keeps an id that nothing
equals, so its relations are false.
"""

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from bluered.documents.document import PLACEHOLDERS, Document, Entity
from bluered.tasks.biored.labels import concept_key, entity_type
from bluered.tasks.scores import by_id

UNALIGNED = "unaligned:"

Key = tuple[tuple[tuple[int, int], ...], str]


def align(gold: Document, predicted: Document) -> Document:
    """Return the predicted document with gold concept ids where its mentions agree with the gold's.

    Entities keep their spans and types, so the scores of mentions do not change.
    """
    mapping = alignment(gold, predicted)
    relations = tuple(
        replace(r, head=_renamed(r.head, mapping), tail=_renamed(r.tail, mapping))
        for r in predicted.relations
    )
    entities = tuple(
        replace(entity, concepts=tuple(_renamed(name, mapping) for name in entity.concepts))
        for entity in predicted.entities
    )
    return replace(predicted, entities=entities, relations=relations)


def align_all(gold: Iterable[Document], predicted: Iterable[Document]) -> list[Document]:
    """Return all predicted documents, aligned where the gold has a document of that id."""
    golds = by_id(gold, side="gold")
    return [align(golds[d.id], d) if d.id in golds else d for d in predicted]


def alignment(gold: Document, predicted: Document) -> dict[str, str]:
    """Return the gold concept of each predicted concept that has one, by their keys."""
    gold_names = _names_by_mention(gold)
    shared: Counter[tuple[str, str]] = Counter()
    for mention, names in _names_by_mention(predicted).items():
        for name in names:
            for gold_name in gold_names.get(mention, ()):
                shared[name, gold_name] += 1
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name, gold_name in sorted(shared, key=lambda two: (-shared[two], two[1], two[0])):
        if name not in found and gold_name not in taken:
            found[name] = gold_name
            taken.add(gold_name)
    return found


def _renamed(concept: str, mapping: dict[str, str]) -> str:
    key = concept_key(concept)
    return mapping.get(key, UNALIGNED + key)


def _names_by_mention(document: Document) -> dict[Key, set[str]]:
    """Return the concepts that each mention names."""
    found: dict[Key, set[str]] = {}
    for entity in document.entities:
        spans = tuple((span.start, span.end) for span in entity.spans)
        found.setdefault((spans, entity_type(entity.type)), set()).update(concept_names(entity))
    return found


def concept_names(entity: Entity) -> set[str]:
    """Return the concepts a mention names, by their keys: each of its ids, and all as one."""
    concepts = [concept for concept in entity.concepts if concept not in PLACEHOLDERS]
    joined = [concept_key("|".join(concepts))] if len(concepts) > 1 else []
    return {*map(concept_key, concepts), *joined}
