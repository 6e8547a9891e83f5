"""How BioC JSON is read and written, one document at a time.

Read are a collection, its `documents` as BioC calls them or under `PubTator3`, as that service
does, a list of collections or documents, a document by itself, and any of these one after the
other (JSON lines). Offsets are as in BioC XML.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

import msgspec
from msgspec import Struct, field

from bluered.documents.checks import validate
from bluered.documents.document import Document, Entity, Span
from bluered.errors import FormatError
from bluered.formats import bioc
from bluered.formats.bioc_relations import (
    JSON_VALUE,
    Infons,
    Node,
    RelationRecord,
)
from bluered.formats.json_values import Fields, JsonReader

COLLECTIONS = ("documents", "PubTator3")
"""The keys a collection may have its documents under."""

FIELD = "bioc.field."  # infon prefix: a field of a document that BioC does not know, as JSON

Number = int | str
_DEEPEST = 8  # lists and collections inside each other


class _Location(Struct):
    offset: Number
    length: Number


class _Annotation(Struct):
    id: str | int | None = None
    infons: Fields | None = None
    text: str | None = None
    locations: list[_Location] | None = None


class _Node(Struct):
    refid: str | int
    role: str | None = None


class _Relation(Struct):
    id: str | int | None = None
    infons: Fields | None = None
    nodes: list[_Node] | None = None


class _Passage(Struct):
    offset: Number = 0
    text: str | None = None
    infons: Fields | None = None
    sentences: "list[_Passage] | None" = None
    annotations: list[_Annotation] | None = None
    relations: list[_Relation] | None = None


class _Document(Struct):
    id: str | int
    passages: list[_Passage]
    infons: Fields | None = None
    annotations: list[_Annotation] | None = None
    relations: list[_Relation] | None = None


class _Parts(Struct):
    """What the passages of a document hold, in order."""

    entities: list[Entity] = field(default_factory=list)
    relations: list[RelationRecord] = field(default_factory=list)


def read(
    stream: BinaryIO,
    *,
    source: str = "<stream>",
    check: bool = True,
    on_error: Callable[[FormatError], None] | None = None,
) -> Iterator[Document]:
    """Yield the documents of a BioC JSON stream, one at a time. See `Read`.

    JSON that is broken ends the reading; a document that is not BioC is one error.
    """
    for line, fields in raw_documents(stream, source=source, on_error=on_error):
        try:
            document = to_document(fields)
            if check:
                validate(document)
        except FormatError as error:
            error.source, error.line = source, line
            if on_error is None:
                raise
            on_error(error)
            continue
        yield document


def raw_documents(
    stream: BinaryIO, *, source: str, on_error: Callable[[FormatError], None] | None = None
) -> Iterator[tuple[int, object]]:
    """Yield (line, fields) of every document in a stream of JSON values; errors as in `read`."""
    reader = JsonReader(stream, source=source)
    try:
        while reader.peek():
            yield from _documents_in(reader, depth=0)
    except FormatError as error:  # nothing more can be read
        if on_error is None:
            raise
        on_error(error)


def _documents_in(reader: JsonReader, *, depth: int) -> Iterator[tuple[int, object]]:
    line = reader.line
    if depth > _DEEPEST:
        raise FormatError(
            "lists nested too deeply for a BioC collection", source=reader.source, line=line
        )
    match reader.peek():
        case "[":
            for _ in reader.items():
                yield from _documents_in(reader, depth=depth + 1)
        case "{":
            fields: Fields = {}
            is_collection = False
            for key in reader.members():
                if key in COLLECTIONS and reader.peek() == "[":
                    is_collection = True
                    for _ in reader.items():
                        yield from _documents_in(reader, depth=depth + 1)
                else:
                    fields[key] = reader.value()
            if not is_collection:
                yield line, fields
        case _:
            yield line, reader.value()


def to_document(fields: object) -> Document:
    """Return the document of a JSON object."""
    try:
        record = msgspec.convert(fields, _Document)
    except (msgspec.ValidationError, RecursionError) as error:
        raise FormatError(
            f"not a BioC document (an object with id and passages): {error}"
        ) from None
    assert isinstance(fields, dict)  # noqa: S101 - convert has seen to it
    infons = _infons(record.infons)
    known = _Document.__struct_fields__
    infons |= {FIELD + k: _as_json(v) for k, v in fields.items() if k not in known}
    parts = _Parts()
    try:
        passages = [_passage(passage, parts) for passage in record.passages]
        _collect(parts, record.annotations, record.relations)
        return bioc.document(str(record.id), infons, passages, parts.entities, parts.relations)
    except FormatError as error:
        error.document = str(record.id)
        raise


def _passage(record: _Passage, parts: _Parts) -> bioc.PassageRecord:
    offset = _whole(record.offset, "offset")
    sentences = [_passage(sentence, parts) for sentence in record.sentences or ()]
    _collect(parts, record.annotations, record.relations)
    text = record.text or bioc.joined_sentences(offset, sentences)
    return bioc.PassageRecord(offset, text, _infons(record.infons))


def _collect(
    parts: _Parts, annotations: list[_Annotation] | None, relations: list[_Relation] | None
) -> None:
    parts.entities += (_entity(annotation) for annotation in annotations or ())
    parts.relations += (
        RelationRecord(
            _text(relation.id),
            _infons(relation.infons),
            [Node(_text(node.refid), node.role or "") for node in relation.nodes or ()],
        )
        for relation in relations or ()
    )


def _entity(record: _Annotation) -> Entity:
    spans: list[Span] = []
    for location in record.locations or ():
        start = _whole(location.offset, "location offset")
        spans.append(Span(start, start + _whole(location.length, "location length")))
    return bioc.entity(_text(record.id), _infons(record.infons), record.text, spans)


def _whole(value: Number, what: str) -> int:
    return bioc.whole_number(str(value), what)


def _text(value: str | int | None) -> str:
    return "" if value is None else str(value)


def _infons(fields: Fields | None) -> Infons:
    """Return infons as strings; any other value as JSON under a key that says so."""
    infons: Infons = {}
    for key, value in (fields or {}).items():
        if isinstance(value, str):
            infons[key] = value
        else:
            infons[JSON_VALUE + key] = _as_json(value)
    return infons


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def write(
    documents: Iterable[Document], stream: BinaryIO, *, losses: Counter[str] | None = None
) -> int:
    """Write documents as a BioC JSON collection, one a line, and return how many. See `Write`."""
    lost = Counter[str]() if losses is None else losses
    stream.write(b'{"source":"BlueRED","date":"","key":"BioC.key","infons":{},"documents":[')
    count = 0
    for document in documents:
        stream.write(b",\n" if count else b"\n")
        stream.write(msgspec.json.encode(_document_fields(document, lost)))
        count += 1
    stream.write(b"\n]}\n")
    return count


def _document_fields(document: Document, losses: Counter[str]) -> Fields:
    extra = {
        key.removeprefix(FIELD): json.loads(value)
        for key, value in document.infons.items()
        if key.startswith(FIELD)
    }
    hidden = [*(FIELD + key for key in extra), bioc.OTHER_RELATIONS]
    infons = {key: value for key, value in document.infons.items() if key not in hidden}
    return {
        **extra,
        "id": document.id,
        "infons": _infon_fields(infons),
        "passages": _passage_fields(document, losses),
        "annotations": [],
        "relations": _relation_fields(document),
    }


def _passage_fields(document: Document, losses: Counter[str]) -> list[Fields]:
    groups = bioc.passage_records(document, losses)
    names = iter(bioc.numbered(item.id for _, group in groups for item in group))
    return [
        {
            "offset": passage.offset,
            "infons": _infon_fields(passage.infons),
            "text": passage.text,
            "sentences": [],
            "annotations": [_annotation_fields(item, next(names)) for item in group],
            "relations": [],
        }
        for passage, group in groups
    ]


def _annotation_fields(item: Entity, name: str) -> Fields:
    return {
        "id": name,
        "infons": _infon_fields(bioc.entity_infons(item)),
        "text": item.text,
        "locations": [
            {"offset": span.start, "length": span.end - span.start} for span in item.spans
        ],
    }


def _relation_fields(document: Document) -> list[Fields]:
    records = bioc.relation_records(document)
    return [
        {
            "id": record.id,
            "infons": _infon_fields(record.infons),
            "nodes": [{"refid": node.refid, "role": node.role} for node in record.nodes],
        }
        for record in records
    ]


def _infon_fields(infons: Infons) -> Fields:
    """Return infons with the values JSON had for them."""
    fields: Fields = {}
    for key, value in infons.items():
        if key.startswith(JSON_VALUE):
            fields[key.removeprefix(JSON_VALUE)] = json.loads(value)
        else:
            fields.setdefault(key, value)
    return fields
