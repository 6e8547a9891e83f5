"""How plain text is read and written: one file is one document, its name the document's id.

Every code point of the file is one of the text, CR too, but for a byte order mark and one final
line feed.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePath
from typing import BinaryIO

from bluered.documents.document import Document, Passage
from bluered.errors import FormatError
from bluered.formats.lines import decode_line

PASSAGE = "text"


def read(
    stream: BinaryIO,
    *,
    source: str = "<stream>",
    check: bool = True,
    on_error: Callable[[FormatError], None] | None = None,
) -> Iterator[Document]:
    """Yield the one document of a text stream; `check` has nothing to check. See `Read`."""
    try:
        text = decode_line(stream.read(), source=source).removeprefix("\ufeff").removesuffix("\n")
        if not text.strip():
            raise FormatError("expected text, found none", source=source)
    except FormatError as error:
        if on_error is None:
            raise
        on_error(error)
        return
    passage = Passage(type=PASSAGE, start=0, end=len(text))
    yield Document(id=document_name(source), text=text, passages=(passage,))


def document_name(source: str) -> str:
    """Return a document's id from a file's name: the name without folders and last ending.

    >>> document_name("abstracts/10491763.txt")
    '10491763'
    """
    return PurePath(source).stem.strip("<>") or "text"


def write(
    documents: Iterable[Document], stream: BinaryIO, *, losses: Counter[str] | None = None
) -> int:
    """Write the text of documents, a blank line between two, and return how many. See `Write`."""
    lost = Counter[str]() if losses is None else losses
    count = 0
    for document in documents:
        stream.write(b"\n" * bool(count) + document.text.encode() + b"\n")
        lost["ids of documents"] += document.id != "text"
        lost["boundaries between documents"] += bool(count)
        lost["passages"] += len(document.passages) > 1
        lost["entities"] += len(document.entities)
        lost["relations"] += len(document.relations) + len(document.mention_relations)
        count += 1
    return count
