"""File formats: each module has `read` (a stream of documents) and `write`.

`FORMATS` names them; `detect` recognises a file by its name or its first bytes; `read_file` and
`write_file` open, detect and, when writing, put the finished file in place in one step.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, Protocol

from msgspec import Struct

from bluered.documents.document import Document
from bluered.errors import FormatError
from bluered.formats import jsonl, pubtator


class Read(Protocol):
    """Yield documents from a binary stream."""

    def __call__(
        self,
        stream: BinaryIO,
        *,
        source: str = ...,
        check: bool = ...,
        on_error: Callable[[FormatError], None] | None = ...,
    ) -> Iterator[Document]: ...


class Write(Protocol):
    """Write documents to a binary stream, count what the format cannot hold, return how many."""

    def __call__(
        self,
        documents: Iterable[Document],
        stream: BinaryIO,
        *,
        losses: Counter[str] | None = ...,
    ) -> int: ...


class Format(Struct, frozen=True):
    """A format's reader and writer and the file name endings it is known by."""

    read: Read
    write: Write
    endings: tuple[str, ...]


FORMATS: dict[str, Format] = {
    "pubtator": Format(pubtator.read, pubtator.write, (".pubtator", ".pubtator.txt")),
    "jsonl": Format(jsonl.read, jsonl.write, (".jsonl",)),
}
