"""BioC XML in the layout that programs write it in, read by pattern: several times as fast.

A document whose every byte fits the patterns below needs no XML parser: elements in the usual
order, no comments, no literal sections, no attributes but BioC's, whole numbers.
Whatever does not fit, to the last byte, gives None, and bioc_xml takes the long way. Both ways give
the same documents (tests/formats/test_bioc_xml_usual.py).
"""

import re
from collections.abc import Sequence
from html import unescape
from operator import add

from msgspec import DecodeError
from msgspec.json import Decoder

from bluered.documents.document import Combination, Document, Entity, Span
from bluered.formats import bioc
from bluered.formats.bioc_relations import Infons, RelationRecord

_TEXT = r"([^<]*)"
_QUOTED = r"""("[^"<&\t\n]*"|'[^'<&\t\n]*')"""
_NUMBER = r"""("[0-9]{1,9}"|'[0-9]{1,9}')"""
_INFON = rf"(<infon key={_QUOTED}(?:>{_TEXT}</infon>|\s*/>)\s*)"
_INFONS = r"((?:<infon key=[^<>]*(?:>[^<]*</infon>|/>)\s*)*)"

_DOCUMENT = re.compile(rf"<document>\s*<id>{_TEXT}</id>\s*{_INFONS}")
_PASSAGE = re.compile(
    rf"<passage>\s*{_INFONS}<offset>([0-9]{{1,9}})</offset>\s*<text>{_TEXT}</text>\s*"
)
_PASSAGE_END = re.compile(r"</passage>\s*")
_ANNOTATION = re.compile(
    rf"(<annotation id={_QUOTED}>\s*{_INFONS}<location offset={_NUMBER} length={_NUMBER}\s*/>\s*"
    rf"((?:<location [^<>]*/>\s*)*)<text>{_TEXT}</text>\s*</annotation>\s*)"
)
# Nine of ten annotations look like this. What its loose group of infons lets pass, _fields refuses.
_COMMON_ANNOTATION = {
    quote: re.compile(
        rf"(<annotation id={quote}([^{quote}<&\t\n]*){quote}>\s*"
        r"(<infon key=[^<]*</infon>\s*<infon key=[^<]*</infon>\s*)"
        rf"<location offset={quote}([0-9]{{1,9}}){quote} "
        rf"length={quote}([0-9]{{1,9}}){quote}\s*/>\s*"
        rf"<text>{_TEXT}</text>\s*</annotation>\s*)"
    )
    for quote in ('"', "'")
}
_QUOTE_AT = len("<annotation id=")
_LOCATION = re.compile(rf"(<location offset={_NUMBER} length={_NUMBER}\s*/>\s*)")
_RELATION = re.compile(rf"(<relation id={_QUOTED}>\s*{_INFONS}</relation>\s*)")
_KEY_AND_VALUE = rf'<infon key="([^"<&\t\n]+)">{_TEXT}</infon>\s*'
_COMMON_RELATION = re.compile(
    rf"(<relation id={_QUOTED}>\s*{_KEY_AND_VALUE * 3}(?:{_KEY_AND_VALUE})?</relation>\s*)"
)
_EACH_INFON = re.compile(_INFON)
_DOCUMENT_END = "</document>"

_LIMIT = 1 << 14
_integers = Decoder(list[int]).decode
_Fields = tuple[str, tuple[str, ...], Combination | None, float | None, Infons]

_CONTROLS = bytes(c for c in range(0x20) if c not in b"\t\n")
_REFERENCE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)")


def document(piece: bytes) -> Document | None:
    """Return the document of a `<document>` in the usual layout, None for any other."""
    if b"\r" in piece:  # XML reads every line end as LF
        piece = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if _needs_parser(piece):
        return None
    try:
        text = piece.decode()
    except UnicodeDecodeError:
        return None
    head = _DOCUMENT.match(text)
    if head is None or ("&" in text and _REFERENCE.search(text)):
        return None
    has_references = "&" in text
    passages: list[bioc.PassageRecord] = []
    entities: list[Entity] = []
    position = head.end()
    while passage := _PASSAGE.match(text, position):
        infons = _infons(passage[1])
        end = text.find("</passage>", passage.end())
        found = _entities(text[passage.end() : end], has_references=has_references)
        if infons is None or found is None or end < 0:
            return None
        passages.append(bioc.PassageRecord(int(passage[2]), _plain(passage[3]), infons))
        entities += found
        position = _PASSAGE_END.match(text, end).end()  # pyright: ignore[reportOptionalMemberAccess]
    relations = _relations(text[position : -len(_DOCUMENT_END)])
    infons = _infons(head[2])
    if relations is None or infons is None or not text.endswith(_DOCUMENT_END):
        return None
    return bioc.document(_plain(head[1]), dict(infons), passages, entities, relations)


def _needs_parser(piece: bytes) -> bool:
    """Tell whether there is what XML does not allow; the patterns see the rest.

    The search for one byte, which is quick, spares most documents that for several.
    """
    return (
        (b"]" in piece and b"]]>" in piece)
        or (b"\xef" in piece and b"\xef\xbf" in piece)  # U+FFFE and U+FFFF begin so
        or piece != piece.translate(None, _CONTROLS)
    )


def _entities(block: str, *, has_references: bool) -> list[Entity] | None:
    """Return the entities of annotations one after the other, None if there is anything else."""
    if not block:
        return []
    common = _COMMON_ANNOTATION.get(block[_QUOTE_AT : _QUOTE_AT + 1])
    found = common.findall(block) if common else []
    if sum([len(row[0]) for row in found]) != len(block):
        return _less_common_entities(block, has_references=has_references)
    _, names, infons, offsets, lengths, mentions = zip(*found, strict=True)
    fields = [*map(_FIELDS.__getitem__, infons)]
    if None in fields:
        return None
    kinds, concepts, combinations, confidences, rests = zip(*fields, strict=True)  # pyright: ignore[reportArgumentType]
    starts = _numbers(offsets)
    ends = map(add, starts, _numbers(lengths))
    spans = zip(map(Span, starts, ends), strict=True)  # a tuple of one span for each
    if has_references:
        mentions = map(_plain, mentions)
    if any(rests):
        rests = map(dict.copy, rests)
        return [
            *map(Entity, kinds, spans, mentions, names, concepts, combinations, confidences, rests)
        ]
    return [*map(Entity, kinds, spans, mentions, names, concepts, combinations, confidences)]


def _numbers(digits: Sequence[str]) -> list[int]:
    """Return whole numbers; one JSON array is read faster than each by itself."""
    try:
        return _integers(f"[{','.join(digits)}]")
    except DecodeError:  # 007
        return [*map(int, digits)]


def _less_common_entities(block: str, *, has_references: bool) -> list[Entity] | None:
    """Return the same of annotations with any number of infons and locations."""
    found = _ANNOTATION.findall(block)
    if sum([len(row[0]) for row in found]) != len(block):
        return None
    entities: list[Entity] = []
    for _, name, infons, offset, length, further, mention in found:
        fields = _FIELDS[infons]
        if fields is None:
            return None
        kind, concepts, combination, confidence, rest = fields
        start = int(offset[1:-1])
        spans = (Span(start, start + int(length[1:-1])),)
        if further:
            others = _locations(further)
            if others is None:
                return None
            spans = tuple(sorted([*spans, *others]))
        text = _plain(mention) if has_references else mention
        entities.append(
            Entity(kind, spans, text, name[1:-1], concepts, combination, confidence, {**rest})
        )
    return entities


def _locations(markup: str) -> list[Span] | None:
    found = _LOCATION.findall(markup)
    if sum([len(row[0]) for row in found]) != len(markup):
        return None
    starts = (int(offset[1:-1]) for _, offset, _ in found)
    return [Span(s, s + int(row[2][1:-1])) for s, row in zip(starts, found, strict=True)]


class _KnownFields(dict[str, _Fields | None]):
    """What the infons of an annotation say; the same ones come again and again."""

    def __missing__(self, markup: str) -> _Fields | None:
        if len(self) >= _LIMIT:
            self.clear()
        infons = _infons(markup)
        if infons is None:
            return None
        entity = bioc.entity("", infons, "", [Span(0, 1)])
        self[markup] = found = (
            entity.type,
            entity.concepts,
            entity.combination,
            entity.confidence,
            entity.infons,
        )
        return found


_FIELDS = _KnownFields()


def _relations(block: str) -> list[RelationRecord] | None:
    """Return relations one after the other, None if there is anything else."""
    rows = _COMMON_RELATION.findall(block)
    if sum([len(row[0]) for row in rows]) != len(block):
        return _less_common_relations(block)
    if "&" in block:
        rows = [[*map(_plain, row)] for row in rows]
    records: list[RelationRecord] = []
    for _, name, key1, value1, key2, value2, key3, value3, key4, value4 in rows:
        infons = {key1: value1, key2: value2, key3: value3}
        if key4:
            infons[key4] = value4
        records.append(RelationRecord(name[1:-1], infons))
    return records


def _less_common_relations(block: str) -> list[RelationRecord] | None:
    """Return the same of relations with any number of infons."""
    found = _RELATION.findall(block)
    if sum([len(row[0]) for row in found]) != len(block):
        return None
    records: list[RelationRecord] = []
    for _, name, markup in found:
        infons = _infons(markup)
        if infons is None:
            return None
        records.append(RelationRecord(name[1:-1], infons))
    return records


def _infons(markup: str) -> Infons | None:
    """Return infons one after the other, None if there is anything else."""
    found = _EACH_INFON.findall(markup)
    if sum([len(row[0]) for row in found]) != len(markup):
        return None
    if "&" in markup:
        return {key[1:-1]: _plain(value) for _, key, value in found}
    return {key[1:-1]: value for _, key, value in found}


def _plain(text: str) -> str:
    return unescape(text) if "&" in text else text
