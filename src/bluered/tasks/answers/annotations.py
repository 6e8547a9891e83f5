"""BLUE's JSONL of mentions: a line each, with `docid`, `type` and `locations` (eval_ner.py)."""

import re
from collections.abc import Iterator
from typing import BinaryIO

import msgspec
from msgspec import Struct

from bluered.documents.document import Document, Entity, Span
from bluered.errors import FormatError
from bluered.formats.lines import numbered_lines

_START = re.compile(rb"\{[^\n]*\"locations\"\s*:[^\n]*\}")


class _Location(Struct):
    start: int
    end: int
    text: str = ""


class _Annotation(Struct):
    docid: str | int
    locations: tuple[_Location, ...]
    id: str | int = ""
    type: str = ""


def is_annotations(head: bytes) -> bool:
    """Tell whether a file begins with one of BLUE's annotations."""
    first = head.split(b"\n", 1)[0]
    return bool(_START.match(first)) and b'"docid"' in first


def read_annotations(stream: BinaryIO, *, source: str, strict: bool = True) -> Iterator[Document]:
    """Yield a document without text for each `docid`, in order of first appearance.

    The spans of a mention stay in the order of the file, which BLUE's script compares by. Only
    with `strict` are spans refused that no text can have.
    """
    decoder = msgspec.json.Decoder(_Annotation)
    found: dict[str, list[Entity]] = {}
    for number, line in numbered_lines(stream):
        if not line.strip():
            continue
        try:
            one = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise FormatError(
                f"not one of BLUE's annotations in JSON: {error}", source=source, line=number
            ) from None
        spans = tuple(Span(place.start, place.end) for place in one.locations)
        if strict and not (spans and all(0 <= span.start < span.end for span in spans)):
            shown = ", ".join(f"{span.start}-{span.end}" for span in spans) or "no location"
            raise FormatError(
                f"expected locations with 0 <= start < end, found {shown}",
                source=source,
                line=number,
            )
        text = " ".join(place.text for place in one.locations)
        entity = Entity(type=one.type, spans=spans, text=text, id=str(one.id))
        found.setdefault(str(one.docid), []).append(entity)
    for name, entities in found.items():
        yield Document(id=name, text="", entities=tuple(entities))
