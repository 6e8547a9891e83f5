"""How mentions without a concept id get one: an id that holds inside its document only.

Mentions of one type are one concept when they bear the same name (`name_key`) or when the text
defines one as the other's abbreviation. A mention that already has an id keeps it, and lends it to
mentions of the same type and name that have none. All others get `local:<slug>`, where the slug is
made of letters, digits and hyphens of the name that comes first. Such an id says nothing about
other documents.
"""

from collections.abc import Iterator

from msgspec import structs

from bluered.documents.abbreviations import Definition, definitions
from bluered.documents.concepts import LOCAL
from bluered.documents.document import Document, Entity, known_concepts
from bluered.normalize.linker import MATCH, NAME, SCORE
from bluered.normalize.names import name_key, slug

LENT = "lent"
"""The infon "match" of a mention whose id is that of another mention of its document."""

Key = tuple[str, str]  # type and name key


def lend_concepts(document: Document) -> Document:
    """Return the document with the ids of its mentions at all mentions of the same concept.

    The first mention of a concept that has an id is the one that lends it.
    """
    return structs.replace(document, entities=tuple(_lending(document, _groups(document))))


def add_local_concepts(document: Document) -> Document:
    """Return the document with a concept id at every mention."""
    group_of = _groups(document)
    taken = {concept for entity in document.entities for concept in entity.concepts}
    made: dict[Key, str] = {}
    entities: list[Entity] = []
    for entity, group in zip(_lending(document, group_of), group_of, strict=True):
        if not known_concepts(entity):
            if group not in made:
                made[group] = _new_id(entity.text, taken)
                taken.add(made[group])
            entity = structs.replace(entity, concepts=(made[group],), combination=None)
        entities.append(entity)
    return structs.replace(document, entities=tuple(entities))


def _lending(document: Document, group_of: list[Key]) -> Iterator[Entity]:
    """Yield the mentions; those without an id get that of the first of their group with one."""
    givers: dict[Key, Entity] = {}
    for entity, group in zip(document.entities, group_of, strict=True):
        if known_concepts(entity):
            givers.setdefault(group, entity)
    for entity, group in zip(document.entities, group_of, strict=True):
        lends = group in givers and not known_concepts(entity)
        yield _lent(entity, givers[group]) if lends else entity


def _lent(entity: Entity, giver: Entity) -> Entity:
    """Return a mention with another one's ids, and what is known of these."""
    infons = {name: giver.infons[name] for name in (NAME, SCORE) if name in giver.infons}
    return structs.replace(
        entity,
        concepts=giver.concepts,
        combination=giver.combination,
        infons=entity.infons | infons | {MATCH: LENT},
    )


def _new_id(name: str, taken: set[str]) -> str:
    base = LOCAL + slug(name)
    concept, number = base, 2
    while concept in taken:
        concept, number = f"{base}-{number}", number + 1
    return concept


def _groups(document: Document) -> list[Key]:
    """Return for each mention the key of its group: keys tied by an abbreviation definition."""
    keys = [(entity.type, name_key(entity.text, kind=entity.type)) for entity in document.entities]
    group_of: dict[Key, Key] = {key: key for key in keys}
    for short, long in _ties(document, keys):
        old, new = group_of[short], group_of[long]
        if old != new:
            for key, group in group_of.items():
                if group == old:
                    group_of[key] = new
    return [group_of[key] for key in keys]


def _ties(document: Document, keys: list[Key]) -> Iterator[tuple[Key, Key]]:
    """Yield pairs of keys of one type whose names are defined as short and long form."""
    known = set(keys)
    ending: dict[int, list[int]] = {}
    for index, entity in enumerate(document.entities):
        ending.setdefault(entity.end, []).append(index)
    for definition in definitions(document.text):
        short, long = definition.short, definition.long
        short_name = document.text[short.start : short.end]
        for end in sorted({long.end, short.end, short.end + 1}):
            for index in ending.get(end, ()):
                entity = document.entities[index]
                key = (entity.type, name_key(short_name, kind=entity.type))
                if key in known and _names_long_form(entity, definition, short_name):
                    yield key, keys[index]


def _names_long_form(entity: Entity, definition: Definition, short_name: str) -> bool:
    """Tell whether a mention that ends where a definition ends is its long form.

    It ends with it, or with the bracket after it. It may begin earlier ("congenital long QT
    syndrome (LQTS)") or later, but then with the short form's first letter: "diabetes" in "type 1
    diabetes (T1D)" is another concept.
    """
    long = definition.long
    if entity.end <= long.start:
        return False
    return entity.start <= long.start or entity.text[:1].lower() == short_name[:1].lower()
