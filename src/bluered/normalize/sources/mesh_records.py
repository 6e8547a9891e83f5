"""The records of a MeSH XML file as single elements, however large the file is.

The stream is cut behind each record's end tag and every record is parsed by itself, so that one
which is not well-formed does not end the reading. A piece holds no document type declaration:
there are no entities to expand and nothing to load (the network is off as well).
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue] - lxml has no types

from bluered.errors import FormatError
from bluered.formats.streams import opened
from bluered.normalize.sources.faults import OnError, report

_CHUNK = 1 << 20
_LONGEST = 1 << 24  # bytes of one record; the largest of MeSH are below 1 MB


class Element(Protocol):
    """What is used here of lxml's elements."""

    text: str | None

    def get(self, key: str, default: str = ..., /) -> str: ...  # noqa: D102
    def findtext(self, path: str, default: str = ..., /) -> str: ...  # noqa: D102
    def iterfind(self, path: str, /) -> "Iterator[Element]": ...  # noqa: D102


def records(
    path: Path, tag: str, *, on_error: OnError | None = None
) -> Iterator[tuple[int, Element]]:
    """Yield (line it starts on, element) for each record of a file, gzipped or not.

    What is no record is given to `on_error` (without it, raised).
    """
    for line, piece in _pieces(path, tag, on_error=on_error):
        parser = etree.XMLParser(
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            remove_comments=True,
            remove_pis=True,
            collect_ids=False,
        )
        try:
            yield line, etree.fromstring(piece, parser)
        except etree.XMLSyntaxError as error:
            message = f"not well-formed XML in a <{tag}>: {error.msg}"
            place = line + (error.lineno or 1) - 1
            report(FormatError(message, source=str(path), line=place), on_error)


def _pieces(path: Path, tag: str, *, on_error: OnError | None) -> Iterator[tuple[int, bytes]]:
    """Yield (line it starts on, bytes) for each record."""
    begin = re.compile(rb"<%b[\s>]" % tag.encode())
    end_tag = f"</{tag}>".encode()
    line, buffer, found = 1, b"", False
    with opened(path) as (_, stream):
        while chunk := stream.read(_CHUNK):
            buffer += chunk
            position = 0
            while match := begin.search(buffer, position):
                end = buffer.find(end_tag, match.end())
                again = begin.search(buffer, match.end(), end if end >= 0 else len(buffer))
                if again:  # the record before has no end
                    line += buffer.count(b"\n", position, match.start())
                    report(_unfinished(tag, path, line), on_error)
                    line += buffer.count(b"\n", match.start(), again.start())
                    position = again.start()
                    continue
                if end < 0:
                    break
                end += len(end_tag)
                line += buffer.count(b"\n", position, match.start())
                found = True
                yield line, buffer[match.start() : end]
                line += buffer.count(b"\n", match.start(), end)
                position = end
            keep = match.start() if match else max(position, len(buffer) - len(tag) - 2)
            line += buffer.count(b"\n", position, keep)
            buffer = buffer[keep:]
            if len(buffer) > _LONGEST:
                break
    if begin.search(buffer):
        report(_unfinished(tag, path, line), on_error)
    elif not found:
        raise FormatError(f"expected a MeSH file with <{tag}>, found none", source=str(path))


def _unfinished(tag: str, path: Path, line: int) -> FormatError:
    message = f"the <{tag}> that begins here has no </{tag}>: the file is truncated or damaged"
    return FormatError(message, source=str(path), line=line)
