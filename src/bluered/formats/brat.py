"""How brat standoff is read and written: as one stream here, as a folder in brat_folder.

As one stream, for pipes, each document is a line `#document<tab>id<tab>text` (both as JSON
strings), its annotation lines (brat_lines) and a blank line.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

import msgspec

from bluered.documents.document import Document
from bluered.errors import FormatError
from bluered.formats.brat_lines import annotation_lines, parse
from bluered.formats.lines import decode_line, numbered_lines

DOCUMENT_LINE = "#document\t"


def read(
    stream: BinaryIO,
    *,
    source: str = "<stream>",
    check: bool = True,
    on_error: Callable[[FormatError], None] | None = None,
) -> Iterator[Document]:
    """Yield the documents of a stream in the one-stream form. See `Read`."""
    for block in _blocks(stream, source=source):
        try:
            number, first = block[0]
            name, text = _document_line(first, source=source, line=number)
            yield parse(name, text, block[1:], source=source, check=check)
        except FormatError as error:
            if on_error is None:
                raise
            on_error(error)


def _blocks(stream: BinaryIO, *, source: str) -> Iterator[list[tuple[int, bytes]]]:
    """Yield the lines of each document."""
    block: list[tuple[int, bytes]] = []
    for number, line in numbered_lines(stream):
        if line.startswith(DOCUMENT_LINE.encode()) and block:
            yield block
            block = []
        if line.strip():
            block.append((number, line))
    if block:
        yield block


def _document_line(raw: bytes, *, source: str, line: int) -> tuple[str, str]:
    columns = decode_line(raw, source=source, line_number=line).split("\t")
    try:
        if len(columns) != 3 or columns[0] != DOCUMENT_LINE.rstrip():
            raise ValueError("not three columns")
        return msgspec.json.decode(columns[1], type=str), msgspec.json.decode(columns[2], type=str)
    except ValueError:  # msgspec's errors are ValueErrors
        raise FormatError(
            'expected a line #document<tab>"id"<tab>"text" (a .ann file is read together with its '
            ".txt: name the file or its folder, not a stream)",
            source=source,
            line=line,
        ) from None


def write(
    documents: Iterable[Document], stream: BinaryIO, *, losses: Counter[str] | None = None
) -> int:
    """Write documents in the one-stream form and return how many. See `Write`."""
    lost = Counter[str]() if losses is None else losses
    count = 0
    for document in documents:
        name, text = json.dumps(document.id), json.dumps(document.text)
        lines = [f"{DOCUMENT_LINE}{name}\t{text}", *annotation_lines(document, lost), "", ""]
        stream.write("\n".join(lines).encode())
        count += 1
    return count
