"""The documents of a BioC XML stream as pieces of bytes, cut out without parsing them."""

import re
from collections.abc import Iterator
from typing import BinaryIO

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue] - lxml has no types

from bluered.errors import FormatError
from bluered.formats.lines import BOM, decode_line

_CHUNK = 1 << 18
_FRAME_LIMIT = 1 << 24  # bytes around the documents; more is not BioC
_START = re.compile(rb"<document[\s>]")
_END_TAG = b"</document"
_END = re.compile(rb"</document\s*>")
_ENCODING = re.compile(rb"\s*<\?xml[^>]*\bencoding\s*=\s*[\"']([^\"'>]*)")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")
_HIDING = ((b"<!--", b"-->"), (b"<![CDATA[", b"]]>"))  # what an end tag may be hidden in


def pieces(stream: BinaryIO, *, source: str) -> Iterator[tuple[int, bytes]]:
    """Yield (line it starts on, bytes) for each `<document>` of the stream.

    What stands around them must be well-formed XML too; it is checked at the end.
    """
    buffer = stream.read(_CHUNK).removeprefix(BOM)
    _check_encoding(buffer, source=source)
    frame: list[bytes] = []
    line, position, ended, has_documents = 1, 0, False, False
    while True:
        start, end = _next_document(buffer, position)
        if end > 0:
            if outside := buffer[position:start].strip():
                frame.append(outside)
            line += buffer.count(b"\n", position, start)
            has_documents = True
            yield line, buffer[start:end]
            line += buffer.count(b"\n", start, end)
            position = end
        elif ended:
            break
        else:
            buffer = buffer[position:]
            if start < 0 and len(buffer) > _FRAME_LIMIT:
                break
            chunk = stream.read(max(_CHUNK, len(buffer)))
            position, ended = 0, not chunk
            buffer += chunk
    if start >= 0:
        line += buffer.count(b"\n", position, start)
        raise FormatError(
            "the file is truncated: the <document> that begins here has no </document>",
            source=source,
            line=line,
        )
    frame.append(buffer[position:])
    _check_frame(b"\n".join(frame), source=source, has_documents=has_documents)


def _next_document(buffer: bytes, position: int) -> tuple[int, int]:
    """Return where the next document starts and ends; -1 for what is not in the buffer yet."""
    found = _START.search(buffer, position)
    if found is None:
        return -1, -1
    start = found.start()
    search_from = found.end()
    while True:
        # find() is several times as fast as the pattern, which allows white space before the ">"
        end = buffer.find(_END_TAG, search_from)
        if end < 0:
            return start, -1
        match = _END.match(buffer, end)
        if match is None:
            search_from = end + len(_END_TAG)
            continue
        hidden_until = _hidden_until(buffer, start, end)
        if hidden_until == 0:
            return start, match.end()
        if hidden_until < 0:
            break
        search_from = hidden_until
    return start, -1


def _hidden_until(buffer: bytes, start: int, position: int) -> int:
    """Return the end of the comment or literal section around a position, 0 where there is none.

    -1: it has no end in the buffer.
    """
    if buffer.find(b"!", start, position) < 0:  # as almost always: no comment, no section
        return 0
    for opening, closing in _HIDING:
        opened = buffer.rfind(opening, start, position)
        if opened >= 0 and buffer.find(closing, opened, position) < 0:
            return buffer.find(closing, position)
    return 0


def _check_encoding(head: bytes, *, source: str) -> None:
    declared = _ENCODING.match(head)
    name = declared[1].decode("ascii", "replace") if declared else "UTF-8"
    if head.startswith(_UTF_16):
        name = "UTF-16"
    if name.upper() not in {"UTF-8", "UTF8", "ASCII", "US-ASCII"}:
        raise FormatError(
            f"expected UTF-8, found the encoding {name!r} (convert it and its declaration first, "
            f"e.g. xmllint --encode UTF-8)",
            source=source,
            line=1,
        )


def _check_frame(frame: bytes, *, source: str, has_documents: bool) -> None:
    """Raise FormatError when what stands around the documents is not a BioC collection."""
    has_root = b"<collection" in frame or not has_documents
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(frame if has_root else frame + b"<document/>", parser)
    except etree.XMLSyntaxError as error:
        decode_line(frame, source=source)
        raise FormatError(
            "truncated or not BioC XML: what stands around the documents is not well-formed "
            f"({error.msg})",
            source=source,
        ) from None
    if root.tag not in ("collection", "document"):
        raise FormatError(
            f"expected BioC XML with the root <collection>, found <{root.tag}>", source=source
        )
