"""The documents of a PubTator stream as blocks of lines, cut at blank lines."""

import re
from collections.abc import Iterator
from typing import BinaryIO

from msgspec import Struct

from bluered.formats.lines import BOM

_CHUNK = 1 << 16  # about 16 abstracts; more would only keep more of them in memory
_TITLE = re.compile(rb"^[^|\t\n]+\|t\|", re.MULTILINE)


class Block(Struct, frozen=True):
    """Lines between blank lines (line ends are LF), and how many blank lines are around them."""

    line: int
    content: bytes
    blanks_before: int
    blanks_after: int


def blocks(line: int, piece: bytes) -> Iterator[Block]:
    """Yield the blocks of a piece that begins on a line.

    A block is a document, or several without blank lines between.
    """
    lines = piece.removesuffix(b"\n").split(b"\n")
    lines.append(b"")
    size = len(lines) - 1
    start = before = 0
    while start < size:
        end = following = lines.index(b"", start)
        while following < size and not lines[following]:
            following += 1
        if start == end:  # blank lines at the start of the stream
            before = following
        else:
            yield Block(line + start, b"\n".join(lines[start:end]), before, following - end)
            before = 0
        start = following


def cut_at_titles(block: Block) -> Iterator[Block]:
    """Yield a block for each document: a title line begins a new one without a blank line too."""
    content, line, before = block.content, block.line, block.blanks_before
    starts = [match.start() for match in _TITLE.finditer(content) if match.start() > 0]
    for start, end in zip([0, *starts], [*starts, len(content) + 1], strict=True):
        piece = content[start : end - 1]
        yield Block(line, piece, before, block.blanks_after if end > len(content) else 0)
        line += piece.count(b"\n") + 1
        before = 0


def pieces(stream: BinaryIO) -> Iterator[bytes]:
    """Yield pieces of a stream: whole blocks with the blank lines behind them.

    The blank lines at the start of the stream stand before its first block.
    """
    buffer = cut = b""  # cut: a CR at the end of a chunk, whose LF may follow
    first, ended = True, False
    while not ended:
        chunk = stream.read(max(_CHUNK, len(buffer)))
        ended = not chunk
        if first:
            chunk, first = chunk.removeprefix(BOM), False
        chunk = cut + chunk
        cut = b"\r" if chunk.endswith(b"\r") and not ended else b""
        buffer += chunk.removesuffix(cut).replace(b"\r\n", b"\n") if b"\r" in chunk else chunk
        # Blank lines at the end of the buffer may go on in the next chunk.
        end = buffer.rfind(b"\n\n", 0, len(buffer.rstrip(b"\n"))) + 2
        if end >= 2 and buffer[:end].strip(b"\n"):
            yield buffer[:end]
            buffer = buffer[end:]
    if buffer:
        yield buffer
