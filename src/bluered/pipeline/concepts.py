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
from bluered.normalize.names import name_key, slug

Key = tuple[str, str]  # type and name key


def add_local_concepts(document: Document) -> Document:
    """Return the document with a concept id at every mention."""
    keys = [(entity.type, name_key(entity.text, kind=entity.type)) for entity in document.entities]
    group_of = _groups(document, keys)
    given: dict[Key, Entity] = {}
    for entity, key in zip(document.entities, keys, strict=True):
        if known_concepts(entity):
            given.setdefault(group_of[key], entity)
    taken = {concept for entity in document.entities for concept in entity.concepts}
    made: dict[Key, str] = {}
    entities: list[Entity] = []
    for entity, key in zip(document.entities, keys, strict=True):
        group = group_of[key]
        if known_concepts(entity):
            entities.append(entity)
        elif (giver := given.get(group)) is not None:
            entities.append(
                structs.replace(entity, concepts=giver.concepts, combination=giver.combination)
            )
        else:
            if group not in made:
                made[group] = _new_id(entity.text, taken)
                taken.add(made[group])
            entities.append(structs.replace(entity, concepts=(made[group],), combination=None))
    return structs.replace(document, entities=tuple(entities))


def _new_id(name: str, taken: set[str]) -> str:
    base = LOCAL + slug(name)
    concept, number = base, 2
    while concept in taken:
        concept, number = f"{base}-{number}", number + 1
    return concept


def _groups(document: Document, keys: list[Key]) -> dict[Key, Key]:
    """Return for each key the key of its group: keys tied by an abbreviation definition."""
    group_of: dict[Key, Key] = {key: key for key in keys}
    for short, long in _ties(document, keys):
        old, new = group_of[short], group_of[long]
        if old != new:
            for key, group in group_of.items():
                if group == old:
                    group_of[key] = new
    return group_of


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
