"""Mentions that are linked as one: one sense per document."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from bluered.documents.biored_types import ENTITY_TYPES, GENE, VARIANT
from bluered.documents.document import Document, Entity, known_concepts
from bluered.normalize.names import name_key

LINKED_TYPES = tuple(kind for kind in ENTITY_TYPES if kind != VARIANT)
"""The types linked by their names; variants are read (`variants.link_variants`)."""


class Group(Struct, frozen=True):
    """The mentions of a document, by their numbers, that bear one name of one type."""

    type: str
    name: str
    mentions: tuple[int, ...]


def groups(document: Document, types: Sequence[str] = LINKED_TYPES) -> list[Group]:
    """Return the groups of mentions without an id, in the order of the text.

    Genes are told apart by capitals too: Brca1 may be the mouse's where BRCA1 is man's.
    """
    found: dict[tuple[str, str], list[int]] = {}
    entities = document.entities
    for number in sorted(range(len(entities)), key=lambda n: entities[n].spans):
        entity = entities[number]
        if entity.type in types and not known_concepts(entity):
            found.setdefault((entity.type, _same(entity)), []).append(number)
    return [
        Group(kind, document.entities[numbers[0]].text, tuple(numbers))
        for (kind, _), numbers in found.items()
    ]


def _same(entity: Entity) -> str:
    key = name_key(entity.text, kind=entity.type)
    if entity.type != GENE:
        return key
    return f"{key} {''.join(c for c in entity.text if c.isalnum())}"


def given(document: Document, type: str) -> Iterator[tuple[Entity, str]]:
    """Yield the mentions of a type that have one id already, with it."""
    for entity in document.entities:
        concepts = known_concepts(entity) if entity.type == type else ()
        if len(concepts) == 1:
            yield entity, concepts[0]


def most_frequent(values: Iterable[str]) -> str:
    """Return the value that comes most often, the first of equals, "" if there is none."""
    counts: dict[str, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return max(counts, key=lambda value: counts[value], default="")
