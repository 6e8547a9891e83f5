"""What is wrong with BioC files: beside the documents, annotation ids and passage offsets."""

from collections.abc import Callable, Iterator
from typing import BinaryIO

from bluered.doctor.documents import MendedDocument, mend
from bluered.doctor.findings import Finding, finding
from bluered.documents.document import Document
from bluered.errors import FormatError
from bluered.formats import bioc_json, bioc_xml
from bluered.formats.bioc import PassageOffsetError

Errors = list[FormatError]


def examine_xml(stream: BinaryIO, *, source: str) -> Iterator[MendedDocument]:
    """Yield each document of a BioC XML stream, judged and mended."""
    errors: Errors = []
    for line, element in bioc_xml.elements(stream, source=source, on_error=errors.append):
        yield from _unreadable(errors)
        annotations = list(element.iter("annotation"))
        lines = [line + annotation.sourceline - 1 for annotation in annotations]
        findings = [
            _missing_id(at)
            for at, found in zip(lines, annotations, strict=True)
            if not found.get("id")
        ]

        def load(element: bioc_xml.Element = element) -> Document:
            return bioc_xml.to_document(element)

        def place(element: bioc_xml.Element = element) -> None:
            _place_elements(element)

        yield _judged(load, place, line, lines, findings)
    yield from _unreadable(errors)


def examine_json(stream: BinaryIO, *, source: str) -> Iterator[MendedDocument]:
    """Yield each document of a BioC JSON stream, judged and mended."""
    errors: Errors = []
    for line, fields in bioc_json.raw_documents(stream, source=source, on_error=errors.append):
        yield from _unreadable(errors)
        findings = [_missing_id(line) for found in _annotations(fields) if found.get("id") is None]

        def load(fields: object = fields) -> Document:
            return bioc_json.to_document(fields)

        def place(fields: object = fields) -> None:
            _place_fields(fields)

        yield _judged(load, place, line, [], findings)
    yield from _unreadable(errors)


def _judged(
    load: Callable[[], Document],
    place: Callable[[], None],
    line: int,
    entity_lines: list[int],
    findings: list[Finding],
) -> MendedDocument:
    """Return a document judged; `place` puts its passages one behind the other if they overlap."""
    try:
        try:
            document = load()
        except PassageOffsetError as error:
            place()
            document = load()
            what = f"{error.message}: put one behind the other"
            findings.append(
                finding("passage-order", what, line=line, document=document.id, repairable=True)
            )
    except FormatError as error:
        return MendedDocument([*findings, unreadable(error, line)])
    return mend(document, line=line, entity_lines=entity_lines, findings=findings)


def unreadable(error: FormatError, line: int | None = None) -> Finding:
    """Return the finding of a reader's error."""
    return finding("unreadable", error.message, line=error.line or line, document=error.document)


def _unreadable(errors: Errors) -> Iterator[MendedDocument]:
    if errors:
        yield MendedDocument([unreadable(error) for error in errors])
        errors.clear()


def _missing_id(line: int) -> Finding:
    return finding("missing-id", "a number is given", line=line, repairable=True)


def _annotations(fields: object) -> Iterator[dict]:
    """Yield all annotations inside a JSON document, whatever its shape."""
    if isinstance(fields, dict):
        found = fields.get("annotations")
        for annotation in found if isinstance(found, list) else ():
            if isinstance(annotation, dict):
                yield annotation
        for key in ("passages", "sentences"):
            parts = fields.get(key)
            for part in parts if isinstance(parts, list) else ():
                yield from _annotations(part)


def _place_elements(document: bioc_xml.Element) -> None:
    end = 0
    for passage in document.iter("passage"):
        offset, text = passage.find("offset"), passage.find("text")
        if offset is not None:
            offset.text = str(end)
        end += len(bioc_xml.text_of(text) if text is not None else "") + 1


def _place_fields(document: object) -> None:
    end = 0
    for passage in document["passages"] if isinstance(document, dict) else ():
        passage["offset"] = end
        end += len(passage.get("text") or "") + 1
