"""The table of formats: for each name its reader, its writer and its file name endings."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, Protocol

from msgspec import Struct

from bluered.documents.document import Document
from bluered.errors import FormatError, unknown_name
from bluered.formats import bioc_json, bioc_xml, brat, conll, jsonl, plain, pubtator


class Read(Protocol):
    """Yield documents from a binary stream.

    `check=False` lets offsets that do not match the text and relations that name unknown concepts
    pass. A bad document raises FormatError; with `on_error` it is handed over and skipped.
    """

    def __call__(
        self,
        stream: BinaryIO,
        *,
        source: str = ...,
        check: bool = ...,
        on_error: Callable[[FormatError], None] | None = ...,
    ) -> Iterator[Document]:
        """Read a stream; `source` is what errors call it."""
        ...


class Write(Protocol):
    """Write documents to a binary stream, count what the format cannot hold, return how many."""

    def __call__(
        self,
        documents: Iterable[Document],
        stream: BinaryIO,
        *,
        losses: Counter[str] | None = ...,
    ) -> int:
        """Write to a stream."""
        ...


class Format(Struct, frozen=True):
    """A format's reader and writer and the file name endings it is known by."""

    read: Read
    write: Write
    endings: tuple[str, ...]


FORMATS: dict[str, Format] = {
    "pubtator": Format(pubtator.read, pubtator.write, (".pubtator", ".pubtator.txt")),
    "bioc-xml": Format(bioc_xml.read, bioc_xml.write, (".bioc.xml", ".xml")),
    "bioc-json": Format(bioc_json.read, bioc_json.write, (".bioc.json", ".json")),
    "brat": Format(brat.read, brat.write, (".brat", ".ann")),
    "conll": Format(conll.read, conll.write, (".conll", ".iob", ".iob2", ".bio", ".tsv")),
    "jsonl": Format(jsonl.read, jsonl.write, (".jsonl", ".ndjson")),
    "plain": Format(plain.read, plain.write, (".txt",)),
}


def get_format(name: str) -> Format:
    """Return the format of that name, or raise FormatError with the nearest known names."""
    try:
        return FORMATS[name]
    except KeyError:
        raise FormatError(unknown_name("format", name, list(FORMATS))) from None
