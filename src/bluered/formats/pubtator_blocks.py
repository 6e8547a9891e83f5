"""The documents of a PubTator stream as blocks of bytes, cut at blank lines in large steps."""

import re
from collections.abc import Iterator
from typing import BinaryIO

from msgspec import Struct

from bluered.formats.lines import BOM

_CHUNK = 1 << 18
_BREAKS = re.compile(rb"\n+")
_TITLE = re.compile(rb"^[^|\t\n]+\|t\|", re.MULTILINE)


class Block(Struct, frozen=True):
    """Lines between blank lines (line ends are LF), and how many blank lines are around them."""

    line: int
    content: bytes
    blanks_before: int
    blanks_after: int


def blocks(stream: BinaryIO) -> Iterator[Block]:
    """Yield the blocks of a stream: a document each, or several without blank lines between."""
    line = 1
    before = 0
    for content, blanks in _stretches(stream):
        if not content:
            before = blanks
            line += blanks
            continue
        yield Block(line, content, before, blanks)
        line += content.count(b"\n") + 1 + blanks
        before = 0


def cut_at_titles(block: Block) -> Iterator[Block]:
    """Yield a block for each document: a title line begins a new one without a blank line too."""
    content, line, before = block.content, block.line, block.blanks_before
    starts = [match.start() for match in _TITLE.finditer(content) if match.start() > 0]
    for start, end in zip([0, *starts], [*starts, len(content) + 1], strict=True):
        piece = content[start : end - 1]
        yield Block(line, piece, before, block.blanks_after if end > len(content) else 0)
        line += piece.count(b"\n") + 1
        before = 0


def _stretches(stream: BinaryIO) -> Iterator[tuple[bytes, int]]:
    """Yield (lines without the last line feed, number of blank lines behind them).

    Blank lines at the start of the stream come first, behind no lines.
    """
    buffer = b""
    ended = is_start = False
    cut = b""  # a CR at the end of a chunk: its LF may follow
    first = True
    while not ended:
        chunk = stream.read(max(_CHUNK, len(buffer)))
        ended = not chunk
        if first:
            chunk, first, is_start = chunk.removeprefix(BOM), False, True
        chunk = cut + chunk
        cut = b"\r" if chunk.endswith(b"\r") and not ended else b""
        buffer += chunk.removesuffix(cut).replace(b"\r\n", b"\n") if b"\r" in chunk else chunk
        if is_start and buffer:
            rest = buffer.lstrip(b"\n")
            if not rest and not ended:
                continue
            yield b"", len(buffer) - len(rest)
            buffer, is_start = rest, False
        position = 0
        while (start := buffer.find(b"\n\n", position)) >= 0:  # far faster than a pattern
            end = _BREAKS.match(buffer, start).end()  # pyright: ignore[reportOptionalMemberAccess]
            if end == len(buffer) and not ended:
                break
            yield buffer[position:start], end - start - 1
            position = end
        buffer = buffer[position:]
    if buffer:
        yield buffer.removesuffix(b"\n"), 0
