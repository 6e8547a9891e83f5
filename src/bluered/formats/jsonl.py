"""How BlueRED's own JSONL is read and written: one document a line, nothing lost.

Each line is a `bluered.Document` as JSON; fields with their default value are left out.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

import msgspec

from bluered.documents.checks import validate
from bluered.documents.document import Document
from bluered.errors import FormatError
from bluered.formats.lines import numbered_lines


def read(
    stream: BinaryIO,
    *,
    source: str = "<stream>",
    check: bool = True,
    on_error: Callable[[FormatError], None] | None = None,
) -> Iterator[Document]:
    """Yield the documents of a JSONL stream; blank lines are skipped. Arguments as in pubtator."""
    decoder = msgspec.json.Decoder(Document)
    for number, line in numbered_lines(stream):
        if not line.strip():
            continue
        try:
            try:
                document = decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise FormatError(
                    f"not a BlueRED document in JSON: {error}", source=source, line=number
                ) from None
            if check:
                validate(document, source=source, line=number)
        except FormatError as error:
            if on_error is None:
                raise
            on_error(error)
            continue
        yield document


def write(
    documents: Iterable[Document], stream: BinaryIO, *, losses: Counter[str] | None = None
) -> int:
    """Write documents as JSONL and return how many; `losses` stays empty."""
    encoder = msgspec.json.Encoder()
    count = 0
    for document in documents:
        stream.write(encoder.encode(document) + b"\n")
        count += 1
    return count
