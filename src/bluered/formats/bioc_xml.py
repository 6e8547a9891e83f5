"""How BioC XML is read and written, one document at a time and without a tree of the whole file.

Offsets are code points into the document's text; each passage has its own `<offset>`, and the
offsets of its annotations count from the start of the document (BioC.dtd, Comeau et al. 2013).
The stream is cut behind each `</document>` and every piece is read by itself, by pattern if it has
the usual layout (bioc_xml_usual), else by lxml; a fault in one document does not end the reading.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, Protocol

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue] - lxml has no types

from bluered.documents.checks import validate
from bluered.documents.document import Document, Entity, Span
from bluered.errors import FormatError
from bluered.formats import bioc, bioc_xml_usual
from bluered.formats.bioc_pieces import pieces
from bluered.formats.bioc_relations import (
    Infons,
    Node,
    RelationRecord,
)
from bluered.formats.lines import decode_line


class Element(Protocol):
    """What is used here of lxml's elements."""

    tag: str
    sourceline: int
    text: str | None

    def get(self, key: str, default: str = ..., /) -> str: ...  # noqa: D102
    def find(self, tag: str, /) -> "Element | None": ...  # noqa: D102
    def iter(self, tag: str, /) -> "Iterator[Element]": ...  # noqa: D102
    def itertext(self) -> Iterator[str]: ...  # noqa: D102
    def __iter__(self) -> "Iterator[Element]": ...
    def __len__(self) -> int: ...


_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_KEY_ESCAPES = _ESCAPES | str.maketrans({'"': "&quot;", "\t": "&#9;", "\n": "&#10;"})


def read(
    stream: BinaryIO,
    *,
    source: str = "<stream>",
    check: bool = True,
    on_error: Callable[[FormatError], None] | None = None,
) -> Iterator[Document]:
    """Yield the documents of a BioC XML stream, one at a time. See `Read`."""
    for line, piece in _pieces(stream, source=source, on_error=on_error):
        try:
            document = bioc_xml_usual.document(piece)
            if document is None:
                document = to_document(_parsed(piece, line))
            if check:
                validate(document)
        except FormatError as error:
            error.source, error.line = source, error.line or line
            if on_error is None:
                raise
            on_error(error)
            continue
        yield document


def _pieces(
    stream: BinaryIO, *, source: str, on_error: Callable[[FormatError], None] | None
) -> Iterator[tuple[int, bytes]]:
    """Yield (line it starts on, bytes) for each document; what is wrong around them ends it."""
    try:
        yield from pieces(stream, source=source)
    except FormatError as error:
        if on_error is None:
            raise
        on_error(error)


def elements(
    stream: BinaryIO, *, source: str, on_error: Callable[[FormatError], None] | None = None
) -> Iterator[tuple[int, Element]]:
    """Yield (line it starts on, element) for each `<document>`; errors as in `read`."""
    for line, piece in _pieces(stream, source=source, on_error=on_error):
        try:
            element = _parsed(piece, line)
        except FormatError as error:
            error.source = source
            if on_error is None:
                raise
            on_error(error)
            continue
        yield line, element


def _parsed(piece: bytes, line: int) -> Element:
    """Return a document's element; `line` is the line it starts on."""
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
        huge_tree=True,  # pieces hold no entity definitions: there is nothing to expand
        collect_ids=False,
    )
    try:
        return etree.fromstring(piece, parser)
    except etree.XMLSyntaxError as error:
        try:
            decode_line(piece, source="")
        except FormatError as fault:
            fault.line = line + (fault.line or 1) - 1
            raise
        raise FormatError(
            f"not well-formed XML: {error.msg}", line=line + (error.lineno or 1) - 1
        ) from None


def to_document(element: Element) -> Document:
    """Return the document of a `<document>` element."""
    name = ""
    infons: Infons = {}
    passages: list[bioc.PassageRecord] = []
    entities: list[Entity] = []
    relations: list[RelationRecord] = []
    for child in element:
        match child.tag:
            case "passage":
                passages.append(_passage(child, entities, relations))
            case "relation":
                relations.append(_relation(child))
            case "annotation":
                entities.append(_entity(child))
            case "id":
                name = child.text or ""
            case "infon":
                infons[child.get("key", "")] = child.text or ""
    try:
        return bioc.document(name, infons, passages, entities, relations)
    except FormatError as error:
        error.document = name
        raise


def _passage(
    element: Element, entities: list[Entity], relations: list[RelationRecord]
) -> bioc.PassageRecord:
    infons: Infons = {}
    offset, text = 0, ""
    sentences: list[bioc.PassageRecord] = []
    for child in element:
        match child.tag:
            case "annotation":
                entities.append(_entity(child))
            case "infon":
                infons[child.get("key", "")] = child.text or ""
            case "offset":
                offset = bioc.whole_number(child.text, "offset")
            case "text":
                text = text_of(child)
            case "sentence":
                sentences.append(_passage(child, entities, relations))
            case "relation":
                relations.append(_relation(child))
    if sentences and not text:
        text = bioc.joined_sentences(offset, sentences)
    return bioc.PassageRecord(offset, text, infons)


def _entity(element: Element) -> Entity:
    infons: Infons = {}
    spans: list[Span] = []
    text = None
    for child in element:
        tag = child.tag
        if tag == "infon":
            infons[child.get("key", "")] = child.text or ""
        elif tag == "location":
            start = bioc.whole_number(child.get("offset"), "location offset")
            length = bioc.whole_number(child.get("length"), "location length")
            spans.append(Span(start, start + length))
        elif tag == "text":
            text = text_of(child)
    return bioc.entity(element.get("id", ""), infons, text, spans)


def _relation(element: Element) -> RelationRecord:
    record = RelationRecord(element.get("id", ""))
    for child in element:
        if child.tag == "infon":
            record.infons[child.get("key", "")] = child.text or ""
        elif child.tag == "node":
            record.nodes.append(Node(child.get("refid", ""), child.get("role", "")))
    return record


def text_of(element: Element) -> str:
    """Return all text of an element, that of elements inside it too."""
    return "".join(element.itertext()) if len(element) else element.text or ""


def write(
    documents: Iterable[Document], stream: BinaryIO, *, losses: Counter[str] | None = None
) -> int:
    """Write documents as BioC XML, laid out as NCBI's BioRED, and return how many. See `Write`."""
    lost = Counter[str]() if losses is None else losses
    stream.write(
        b'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE collection SYSTEM "BioC.dtd">\n'
        b"<collection><source>BlueRED</source><date></date><key>BioC.key</key>\n"
    )
    count = 0
    for document in documents:
        markup = "".join(_document_markup(document, lost))
        if _NOT_XML.search(markup):
            markup, number = _NOT_XML.subn(" ", markup)
            lost["characters XML cannot hold (written as spaces)"] += number
        stream.write(markup.encode())
        count += 1
    stream.write(b"</collection>\n")
    return count


def _document_markup(document: Document, losses: Counter[str]) -> Iterator[str]:
    yield f"<document><id>{_escaped(document.id)}</id>"
    yield from _infons({k: v for k, v in document.infons.items() if k != bioc.OTHER_RELATIONS})
    groups = bioc.passage_records(document, losses)
    names = iter(bioc.numbered(item.id for _, group in groups for item in group))
    for passage, group in groups:
        yield "<passage>"
        yield from _infons(passage.infons)
        yield f"<offset>{passage.offset}</offset><text>{_escaped(passage.text)}</text>"
        for item, name in zip(group, names, strict=False):
            yield from _annotation(item, name)
        yield "</passage>"
    for record in bioc.relation_records(document):
        yield f'<relation id="{_escaped_key(record.id)}">'
        yield from _infons(record.infons)
        for node in record.nodes:
            yield f'<node refid="{_escaped_key(node.refid)}" role="{_escaped_key(node.role)}"/>'
        yield "</relation>"
    yield "</document>\n"


def _annotation(item: Entity, name: str) -> Iterator[str]:
    yield f'<annotation id="{_escaped_key(name)}">'
    yield from _infons(bioc.entity_infons(item))
    for span in item.spans:
        yield f'<location offset="{span.start}" length="{span.end - span.start}"/>'
    yield f"<text>{_escaped(item.text)}</text></annotation>"


def _infons(infons: Infons) -> Iterator[str]:
    for key, value in infons.items():
        yield f'<infon key="{_escaped_key(key)}">{_escaped(value)}</infon>'


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)


def _escaped_key(text: str) -> str:
    return text.translate(_KEY_ESCAPES)
