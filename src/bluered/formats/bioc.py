"""How BioC's parts and the document model correspond: shared by BioC XML and BioC JSON.

Three dialects are read, and written back as they were:

- BioRED: infons `identifier` and `type`; relations `entity1`, `entity2`, `type`, `novel`.
- BC5CDR: infons `MESH` and `type`; relations `relation` and one infon for each role
  (`Chemical`, `Disease`); each part of a composite mention is an annotation of its own.
- PubTator3: relations with `role1`, `role2` (`Type|identifier`), `type`, `score`.

A relation with two nodes instead (`refid` of an annotation) is a relation between mentions. What
the model has no field for stays in `infons`.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

import msgspec
from msgspec import Struct

from bluered.documents.document import (
    Document,
    Entity,
    MentionRelation,
    Passage,
    Relation,
    Span,
    covered_text,
)
from bluered.errors import FormatError
from bluered.formats.bioc_relations import (
    Infons,
    RelationRecord,
    mention_relation_record,
    relation,
    relation_record,
    take_number,
)
from bluered.formats.identifiers import (
    Identifiers,
    join_concepts,
    separator_infons,
    split_identifier,
)

IDENTIFIER_KEYS = ("identifier", "MESH", "Identifier", "concept_id")
"""The infons known to hold concept ids; the first is the usual one."""

IDENTIFIER_KEY = "bioc.identifier_key"  # infon: which of them, where it is not the usual one
OTHER_RELATIONS = "bioc.relations"  # infon: relations the model cannot hold, as JSON
MAX_OFFSET = 1_000_000_000
MAX_GAP = 1_000_000  # characters between two passages; more is a broken offset, not a gap


class PassageOffsetError(FormatError):
    """A passage that does not follow the text before it."""


class PassageRecord(Struct):
    """A passage as BioC has it; the annotations are entities already."""

    offset: int
    text: str
    infons: Infons


def whole_number(value: str | None, what: str) -> int:
    """Return an offset or length in code points, or raise FormatError."""
    if value is None or not (value.isascii() and value.isdigit() and len(value) < 10):
        stripped = (value or "").strip()
        if not (stripped.isascii() and stripped.isdigit() and len(stripped) < 10):
            raise FormatError(f"expected a whole number of characters as {what}, found {value!r}")
        return int(stripped)
    return int(value)


def joined_sentences(start: int, sentences: list[PassageRecord]) -> str:
    """Return the text of a passage given as sentences; spaces fill what lies between them."""
    text = ""
    for sentence in sentences:
        gap = sentence.offset - start - len(text)
        if not 0 <= gap <= MAX_GAP:
            raise FormatError(
                f"sentence offset {sentence.offset} does not follow the text before it, which ends "
                f"at {start + len(text)}"
            )
        text += " " * gap + sentence.text
    return text


@lru_cache(maxsize=1 << 14)
def _identifiers(identifier: str) -> tuple[Identifiers, Infons]:
    identifiers = split_identifier(identifier)
    return identifiers, separator_infons(identifiers)


def entity(annotation_id: str, infons: Infons, text: str | None, spans: list[Span]) -> Entity:
    """Return the entity of an annotation; `infons` is used up."""
    if not spans:
        raise FormatError(f"annotation {annotation_id or text!r} has no location")
    if len(spans) > 1:
        spans.sort()
    kind = infons.pop("type", "")
    confidence = take_number(infons, "confidence") if "confidence" in infons else None
    identifier = infons.pop("identifier", None)
    if identifier is None:
        identifier = _other_identifier(infons)
        if identifier is None:
            return Entity(
                kind, tuple(spans), text or "", annotation_id, (), None, confidence, infons
            )
    identifiers, separator = _identifiers(identifier)
    if separator:
        infons.update(separator)
    return Entity(
        kind,
        tuple(spans),
        text or "",
        annotation_id,
        identifiers.concepts,
        identifiers.combination,
        confidence,
        infons,
    )


def _other_identifier(infons: Infons) -> str | None:
    for key in IDENTIFIER_KEYS[1:]:
        if key in infons:
            infons[IDENTIFIER_KEY] = key
            return infons.pop(key)
    return None


def entity_infons(item: Entity) -> Infons:
    """Return the infons of an entity's annotation."""
    infons = {k: v for k, v in item.infons.items() if k != IDENTIFIER_KEY}
    if item.concepts:
        infons[item.infons.get(IDENTIFIER_KEY, IDENTIFIER_KEYS[0])] = join_concepts(item)
    infons["type"] = item.type
    if item.confidence is not None:
        infons["confidence"] = repr(item.confidence)
    return infons


def document(
    document_id: str,
    infons: Infons,
    passages: list[PassageRecord],
    entities: list[Entity],
    relations: Iterable[RelationRecord],
) -> Document:
    """Return a document of BioC's parts; what lies between two passages is filled with spaces."""
    text, placed = _joined(passages)
    concept_relations: list[Relation] = []
    mention_relations: list[MentionRelation] = []
    others: list[RelationRecord] = []
    for number, record in enumerate(relations):
        record.id = record.id or f"R{number}"
        match relation(record):
            case Relation() as found:
                concept_relations.append(found)
            case MentionRelation() as found:
                mention_relations.append(found)
            case None:
                others.append(record)
    if others:
        infons[OTHER_RELATIONS] = msgspec.json.encode(others).decode()
    return Document(
        id=document_id,
        text=text,
        passages=placed,
        entities=tuple(_completed(text, entities)),
        relations=tuple(concept_relations),
        mention_relations=tuple(mention_relations),
        infons=infons,
    )


def _joined(records: list[PassageRecord]) -> tuple[str, tuple[Passage, ...]]:
    pieces: list[str] = []
    passages: list[Passage] = []
    end = 0
    types = [record.infons.pop("type", None) for record in records]
    if types == [None, None]:  # NCBI's BioRED JSON says nothing: title and abstract
        types = ["title", "abstract"]
    for record, kind in zip(records, types, strict=True):
        start = record.offset
        if not end <= start <= end + MAX_GAP:
            raise PassageOffsetError(
                f"passage offset {start} does not follow the text before it, which ends at {end} "
                "(passages stand in text order; their offsets count code points of the document)"
            )
        pieces += (" " * (start - end), record.text)
        end = start + len(record.text)
        passages.append(Passage(type=kind or "", start=start, end=end, infons=record.infons))
    return "".join(pieces), tuple(passages)


def _completed(text: str, entities: list[Entity]) -> Iterable[Entity]:
    """Give the text it covers to an annotation without one, and a number to one without id."""
    if all(item.id and item.text for item in entities):
        return entities
    taken = {item.id for item in entities}
    completed: list[Entity] = []
    for number, item in enumerate(entities):
        name = item.id or next(n for n in _names(number) if n not in taken)
        taken.add(name)
        covered = item.text or covered_text(text, item.spans)
        completed.append(msgspec.structs.replace(item, id=name, text=covered))
    return completed


def _names(number: int) -> Iterator[str]:
    yield str(number)
    yield from (f"{number}.{part}" for part in range(1, MAX_OFFSET))


def passage_records(
    item: Document, losses: Counter[str]
) -> list[tuple[PassageRecord, list[Entity]]]:
    """Return the passages of a document, each with the entities that begin in it.

    Text outside the passages becomes a passage of its own, unless it is white space.
    """
    passages = list(_covering_passages(item, losses))
    grouped = [
        (
            PassageRecord(p.start, item.text[p.start : p.end], {**p.infons, "type": p.type}),
            list[Entity](),
        )
        for p in passages
    ]
    starts = [passage.start for passage in passages]
    for entity_ in item.entities:
        grouped[max(0, bisect_right(starts, entity_.start) - 1)][1].append(entity_)
    return grouped


def _covering_passages(item: Document, losses: Counter[str]) -> Iterator[Passage]:
    end = 0
    for passage in item.passages:
        gap = item.text[end : passage.start]
        if gap.strip():
            losses["text outside passages (written as passages of their own)"] += 1
            yield Passage(type="", start=end, end=passage.start)
        elif gap.strip(" "):
            losses["line breaks between passages (written as spaces)"] += 1
        yield passage
        end = passage.end
    rest = item.text[end:]
    if rest.strip() or not item.passages:
        yield Passage(type="", start=end, end=len(item.text))
    elif rest:
        losses["white space after the last passage"] += 1


def relation_records(item: Document) -> list[RelationRecord]:
    """Return all relations of a document, each with an id."""
    records = [relation_record(found) for found in item.relations]
    records += [mention_relation_record(found) for found in item.mention_relations]
    if others := item.infons.get(OTHER_RELATIONS):
        records += msgspec.json.decode(others, type=list[RelationRecord])
    for record, name in zip(records, numbered((r.id for r in records), "R"), strict=True):
        record.id = name
    return records


def numbered(items: Iterable[str], prefix: str = "") -> list[str]:
    """Return ids, a running number for each that is empty."""
    return [name or f"{prefix}{number}" for number, name in enumerate(items)]
