"""How the annotation lines of brat standoff and documents correspond.

From brat.nlplab.org/standoff.html: `T1<tab>Type 0 5;9 12<tab>mention` for a mention,
`R1<tab>Type Arg1:T1 Arg2:T2` for a relation between mentions, `N1<tab>Reference T1 name:id` for a
concept. Offsets are code points. What brat has no line for (relations between concepts, novelty,
passages, confidences) stands as JSON in notes of the type `BlueRED`; lines the model cannot hold
(events, attributes, notes of others) are kept and written back.

"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count
from urllib.parse import quote, unquote

import msgspec
from msgspec.structs import replace

from bluered.documents.checks import validate
from bluered.documents.document import (
    Combination,
    Document,
    Entity,
    MentionRelation,
    Passage,
    Relation,
    Span,
    covered_text,
)
from bluered.errors import FormatError
from bluered.formats.lines import decode_line

CONCEPT = "Concept"
"""The name before a concept id in a line we write; ids are percent-encoded where need be."""
OTHER_LINES = "brat.lines"  # infon: lines the model has no place for
NOTE = "BlueRED"
DOCUMENT = "DOCUMENT"
PASSAGE = "text"

_MENTION = re.compile(
    r"(T\S+)\t(\S+) ([0-9]{1,9} [0-9]{1,9}(?:;[0-9]{1,9} [0-9]{1,9})*)(?:\t(.*))?"
)
_RELATION = re.compile(r"(R\S+)\t(\S+) (\S+?):(T\S+) (\S+?):(T\S+)\s*")
_CONCEPT_LINE = re.compile(r"N\S+\tReference (T\S+) (?:([^:\s]+):)?(\S+)(?:\t.*)?")
_NOTE_LINE = re.compile(rf"#\S+\t{NOTE} (\S+)\t(.*)")
_MENTION_ID = re.compile(r"T[0-9]+")
_RELATION_ID = re.compile(r"R[0-9]+")
_WORD = re.compile(r"[^\s:]+")
_SAFE = "".join(chr(c) for c in range(0x21, 0x7F) if c != ord("%"))


class _DocumentNote(msgspec.Struct, omit_defaults=True):
    passages: tuple[Passage, ...] | None = None
    relations: tuple[Relation, ...] = ()
    infons: dict[str, str] = msgspec.field(default_factory=dict)


class _MentionNote(msgspec.Struct, omit_defaults=True):
    """What a mention or a relation between mentions has beside its line."""

    id: str | None = None
    type: str | None = None
    concepts: tuple[str, ...] | None = None
    combination: Combination | None = None
    confidence: float | None = None
    roles: tuple[str, str] | None = None
    infons: dict[str, str] = msgspec.field(default_factory=dict)


class _Lines(msgspec.Struct):
    """The annotation lines of a document, sorted by what they are."""

    entities: dict[str, Entity] = msgspec.field(default_factory=dict)
    relations: dict[str, MentionRelation] = msgspec.field(default_factory=dict)
    concepts: dict[str, list[str]] = msgspec.field(default_factory=dict)
    notes: dict[str, str] = msgspec.field(default_factory=dict)
    others: list[str] = msgspec.field(default_factory=list)


def parse(
    name: str,
    text: str,
    lines: Iterable[tuple[int, bytes]],
    *,
    source: str = "<stream>",
    check: bool = True,
) -> Document:
    """Return the document of a text and its numbered annotation lines."""
    sorted_lines = _Lines()
    for number, raw in lines:
        line = decode_line(raw, source=source, line_number=number)
        try:
            _sort_line(line, text, sorted_lines)
        except FormatError as error:
            raise FormatError(error.message, source=source, line=number, document=name) from None
    try:
        document = _assembled(name, text, sorted_lines)
    except msgspec.DecodeError as error:
        raise FormatError(
            f"broken note of type {NOTE}: {error}", source=source, document=name
        ) from None
    return validate(document, source=source) if check else document


def _sort_line(line: str, text: str, lines: _Lines) -> None:
    if match := _MENTION.fullmatch(line):
        spans = tuple(sorted(_span(piece) for piece in match[3].split(";")))
        covered = covered_text(text, spans)
        mention = match[4] or covered
        if (
            mention.split() == covered.replace("\0", " ").split()
        ):  # white space is written as spaces
            mention = covered
        lines.entities[match[1]] = Entity(match[2], spans, mention, match[1])
    elif match := _RELATION.fullmatch(line):
        roles = None if (match[3], match[5]) == ("Arg1", "Arg2") else (match[3], match[5])
        lines.relations[match[1]] = MentionRelation(
            type=match[2], head=match[4], tail=match[6], id=match[1], roles=roles
        )
    elif match := _CONCEPT_LINE.fullmatch(line):
        concept = unquote(match[3])
        known = match[2] in (None, CONCEPT)
        lines.concepts.setdefault(match[1], []).append(
            concept if known else f"{match[2]}:{concept}"
        )
    elif match := _NOTE_LINE.fullmatch(line):
        lines.notes[match[1]] = match[2]
    elif line[:1] in "EAM*#N" and "\t" in line:
        lines.others.append(line)
    elif line.strip():
        raise FormatError(
            "expected a line of brat standoff, e.g. T1<tab>Disease 0 5<tab>mention, found "
            f"{line[:60]!r}"
        )


def _span(piece: str) -> Span:
    start, _, end = piece.partition(" ")
    return Span(int(start), int(end))


def _assembled(name: str, text: str, lines: _Lines) -> Document:
    note = msgspec.json.decode(lines.notes.pop(DOCUMENT, "{}"), type=_DocumentNote)
    infons = dict(note.infons)
    if lines.others:
        infons[OTHER_LINES] = "\n".join(lines.others)
    notes = {
        key: msgspec.json.decode(value, type=_MentionNote) for key, value in lines.notes.items()
    }
    names = {key: _known(notes[key].id, key) for key in lines.entities if key in notes}
    return Document(
        id=name,
        text=text,
        passages=(Passage(type=PASSAGE, start=0, end=len(text)),)
        if note.passages is None
        else note.passages,
        entities=tuple(
            _entity(entity, lines.concepts.get(key, []), notes.get(key, _MentionNote()))
            for key, entity in lines.entities.items()
        ),
        relations=note.relations,
        mention_relations=tuple(
            _relation(relation, names, notes.get(key, _MentionNote()))
            for key, relation in lines.relations.items()
        ),
        infons=infons,
    )


def _known(value: str | None, otherwise: str) -> str:
    return otherwise if value is None else value


def _entity(entity: Entity, concepts: list[str], note: _MentionNote) -> Entity:
    return replace(
        entity,
        id=_known(note.id, entity.id),
        type=_known(note.type, entity.type),
        concepts=tuple(concepts) if note.concepts is None else note.concepts,
        combination=note.combination,
        confidence=note.confidence,
        infons=note.infons,
    )


def _relation(
    relation: MentionRelation, names: dict[str, str], note: _MentionNote
) -> MentionRelation:
    return replace(
        relation,
        id=_known(note.id, relation.id),
        type=_known(note.type, relation.type),
        head=names.get(relation.head, relation.head),
        tail=names.get(relation.tail, relation.tail),
        roles=note.roles or relation.roles,
        confidence=note.confidence,
        infons=note.infons,
    )


def annotation_lines(document: Document, losses: Counter[str]) -> Iterator[str]:
    """Yield the annotation lines of a document, without line ends."""
    keys = _keys([entity.id for entity in document.entities], "T", _MENTION_ID)
    concepts = notes = 0
    key_of = {e.id: key for e, key in reversed(list(zip(document.entities, keys, strict=True)))}
    for entity, key in zip(document.entities, keys, strict=True):
        kind, mention = _word(entity.type), _one_line(entity.text)
        spans = ";".join(f"{span.start} {span.end}" for span in entity.spans)
        yield f"{key}\t{kind} {spans}\t{mention}"
        in_lines = all(entity.concepts)
        for concept in entity.concepts if in_lines else ():
            concepts += 1
            yield f"N{concepts}\tReference {key} {CONCEPT}:{quote(concept, safe=_SAFE)}\t{mention}"
        note = _MentionNote(
            id=None if entity.id in ("", key) else entity.id,
            type=None if entity.type == kind else entity.type,
            concepts=None if in_lines else entity.concepts,
            combination=entity.combination,
            confidence=entity.confidence,
            infons=entity.infons,
        )
        if note != _MentionNote():
            notes += 1
            yield _note(notes, key, note)
    for key, relation in _kept_relations(document, key_of, losses):
        roles, kind = _roles(relation), _word(relation.type)
        head, tail = key_of[relation.head], key_of[relation.tail]
        yield f"{key}\t{kind} {roles[0]}:{head} {roles[1]}:{tail}"
        note = _MentionNote(
            id=None if relation.id in ("", key) else relation.id,
            type=None if relation.type == kind else relation.type,
            confidence=relation.confidence,
            roles=None if relation.roles in (None, roles) else relation.roles,
            infons=relation.infons,
        )
        if note != _MentionNote():
            notes += 1
            yield _note(notes, key, note)
    infons = {k: v for k, v in document.infons.items() if k != OTHER_LINES}
    whole = (Passage(type=PASSAGE, start=0, end=len(document.text)),)
    passages = None if document.passages == whole else document.passages
    note = _DocumentNote(passages=passages, relations=document.relations, infons=infons)
    if note != _DocumentNote():
        yield _note(notes + 1, DOCUMENT, note)
    if OTHER_LINES in document.infons:
        yield document.infons[OTHER_LINES]


def _keys(ids: list[str], letter: str, pattern: re.Pattern[str]) -> list[str]:
    """Return a key for each id: the id where it is brat's form of one and not taken yet."""
    keys: list[str] = []
    taken: set[str] = set()
    free = (
        key for key in (f"{letter}{n}" for n in count(1)) if key not in taken and key not in ids
    )
    for name in ids:
        key = name if pattern.fullmatch(name) and name not in taken else next(free)
        taken.add(key)
        keys.append(key)
    return keys


def _kept_relations(
    document: Document, key_of: dict[str, str], losses: Counter[str]
) -> Iterator[tuple[str, MentionRelation]]:
    known = [r for r in document.mention_relations if r.head in key_of and r.tail in key_of]
    losses["relations of unknown mentions"] += len(document.mention_relations) - len(known)
    return zip(_keys([r.id for r in known], "R", _RELATION_ID), known, strict=True)


def _roles(relation: MentionRelation) -> tuple[str, str]:
    if relation.roles is not None and all(map(_WORD.fullmatch, relation.roles)):
        return relation.roles
    return "Arg1", "Arg2"


def _word(kind: str) -> str:
    return re.sub(r"[\s\0]", "_", kind) or "Entity"


def _one_line(text: str) -> str:
    return re.sub(r"[\s\0]", " ", text)


def _note(number: int, key: str, note: msgspec.Struct) -> str:
    return f"#{number}\t{NOTE} {key}\t{json.dumps(msgspec.to_builtins(note))}"
