"""Files of documents: recognised, read and written by name."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from bluered.documents.document import Document
from bluered.errors import FormatError
from bluered.formats.brat_folder import is_brat, read_pairs, write_pairs
from bluered.formats.registry import FORMATS, get_format
from bluered.formats.streams import STANDARD, opened, replacing, source_name

OnError = Callable[[FormatError], None]

_ONE_STREAM = (".brat", ".brat.gz")
_UNDECIDED = frozenset({"plain", "jsonl", "bioc-json"})  # .txt, .jsonl, .json: the content decides
_CONTENT = {
    "bioc-xml": re.compile(rb"\s*<(?:\?xml|!DOCTYPE|!--|collection|document)\b"),
    "bioc-json": re.compile(rb'\s*[\[{][^\0]*?"(?:documents|PubTator3|offset|locations)"\s*:'),
    "jsonl": re.compile(rb"\s*[\[{]"),
    "pubtator": re.compile(rb"\s*[^|\t\r\n]+\|[ta]\|"),
    "brat": re.compile(rb"#document\t|T\d+\t\S+ \d+ \d+"),
    "conll": re.compile(rb"\s*(?:-DOCSTART-|\S+[\t ](?:\S+[\t ])*[BIO](?:-\S+)?\r?\n)"),
}


def read_file(
    path: str | Path,
    format: str | None = None,
    *,
    check: bool = True,
    on_error: OnError | None = None,
) -> Iterator[Document]:
    """Yield the documents of a file, gzipped or not; `-` is standard input.

    For brat, `path` is a folder of .ann and .txt files or one of them.
    The format is recognised (`detect`) unless named. Other arguments as in a format's `read`.
    """
    source = source_name(path)
    if format in (None, "brat") and is_brat(path):
        yield from read_pairs(path, check=check, on_error=on_error)
        return
    with opened(path) as (head, stream):
        if not head:
            raise FormatError("the file is empty, expected documents", source=source)
        read = get_format(format or _recognise(str(path), head, source)).read
        yield from read(stream, source=source, check=check, on_error=on_error)


def write_file(
    documents: Iterable[Document],
    path: str | Path,
    format: str | None = None,
    *,
    losses: Counter[str] | None = None,
) -> int:
    """Write documents to a file and return how many; `-` is standard output.

    For brat, `path` is a folder, unless it ends in .brat (the one-stream form) or is `-`.
    The file appears, whole, when the last document is written; on any error nothing is left. The
    format follows from the name's ending unless named. What it cannot hold is counted in `losses`.
    """
    name = format or _by_ending(str(path))
    if name == "brat" and str(path) != STANDARD and not str(path).endswith(_ONE_STREAM):
        return write_pairs(documents, path, losses=losses)
    if name is None:
        raise FormatError(
            f"no format is known by the ending of {str(path)!r}: name one of {', '.join(FORMATS)}"
        )
    write = get_format(name).write
    try:
        with replacing(path) as stream:
            return write(documents, stream, losses=losses)
    except UnicodeEncodeError as error:
        raise FormatError(
            f"text with half a surrogate pair ({error.object[error.start]!r}) cannot be written",
            source=str(path),
        ) from None


def detect(path: str | Path, head: bytes | None = None) -> str:
    """Return the name of a file's format, by its ending and, where that leaves a doubt, content.

    `head` is the start of the content; without it the file is opened.
    """
    if is_brat(path):
        return "brat"
    if head is None:
        with opened(path) as (head, _):
            return _recognise(str(path), head, source_name(path))
    return _recognise(str(path), head, source_name(path))


def _recognise(path: str, head: bytes, source: str) -> str:
    by_ending = _by_ending(path)
    if by_ending is not None and by_ending not in _UNDECIDED:
        return by_ending
    head = head.removeprefix(b"\xef\xbb\xbf")
    for name, start in _CONTENT.items():
        if start.match(head):
            return name
    if by_ending is not None:
        return by_ending
    if path == STANDARD:
        return "plain"
    raise FormatError(
        f"the format is not recognised: name one of {', '.join(FORMATS)} (--from)", source=source
    )


def _by_ending(path: str) -> str | None:
    """Return the format with the longest ending that the name has; `.gz` does not count."""
    name = path.lower().removesuffix(".gz")
    matches = [
        (len(ending), format_name)
        for format_name, known in FORMATS.items()
        for ending in known.endings
        if name.endswith(ending)
    ]
    return max(matches)[1] if matches else None


def unique_ids(
    documents: Iterable[Document], *, source: str | None = None, on_error: OnError | None = None
) -> Iterator[Document]:
    """Yield the documents; a second one of the same id raises FormatError.

    With `on_error` the error is handed over and the document skipped.
    """
    seen: set[str] = set()
    for document in documents:
        if document.id not in seen:
            seen.add(document.id)
            yield document
            continue
        error = FormatError(
            "a document with this id came before: give each its own id, or merge them "
            "(bluered doctor lists all of them)",
            source=source,
            document=document.id,
        )
        if on_error is None:
            raise error
        on_error(error)
