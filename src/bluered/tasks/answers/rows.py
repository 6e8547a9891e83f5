"""The rows of a table of answers: cells between tabs, quotes undone, with their line numbers."""

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from msgspec import Struct

from bluered.errors import FormatError
from bluered.formats.lines import decode_line, numbered_lines

Row = tuple[int, list[str]]


class Lines(Struct, frozen=True):
    """The lines of a table; `header` is the number of the first that is not blank, from 0."""

    texts: list[str]
    header: int
    source: str

    def names(self) -> tuple[str, ...]:
        """Return the names in the header."""
        return tuple(unquoted(c).strip() for c in self.texts[self.header].split("\t"))

    def begin_with(self, width: int) -> bool:
        """Tell whether the first row below the header has so many cells."""
        first = next(_not_blank(self.texts, self.header + 1), None)
        return first is not None and row_at(self.texts, first, width) is not None

    def rows(self, width: int) -> Iterator[Row]:
        """Yield the rows below the header; one of another width is an error at its line."""
        after = self.header + 1
        for number in _not_blank(self.texts, after):
            if number < after:  # within a cell
                continue
            found = row_at(self.texts, number, width)
            if found is None:
                count = self.texts[number].count("\t") + 1
                message = f"expected {width} columns as in the header, found {count}"
                raise FormatError(message, source=self.source, line=number + 1)
            cells, after = found
            yield number + 1, cells


def read_lines(stream: BinaryIO, source: str) -> Lines:
    """Return the lines of a table, or raise FormatError for one that is not text."""
    texts = [_text(number, line, source) for number, line in numbered_lines(stream)]
    header = next(_not_blank(texts, 0), None)
    if header is None:
        raise FormatError("the file is empty, expected answers", source=source)
    return Lines(texts, header, source)


def row_at(texts: Sequence[str], number: int, width: int) -> tuple[list[str], int] | None:
    """Return the cells of a row and the number of the line after it; None if it is not so wide.

    A row is a line; only where that is of another width do quotation marks hold together what tabs
    or line ends divide, as csv writes it. A cell with a line end ends before the next tab, so that
    a quotation mark that merely opens swallows no other rows.
    """
    cells = texts[number].split("\t")
    after = number + 1
    if len(cells) != width:
        cells = _joined(cells)
        while len(cells) <= width and _open(cells[-1]):
            lines, after, rest = _continued(texts, after)
            cells[-1] = "\n".join((cells[-1], *lines))
            if _open(cells[-1]) or not cells[-1].endswith('"'):
                return None
            cells += _joined(rest)
        if len(cells) != width or _open(cells[-1]):
            return None
    return [unquoted(cell) for cell in cells], after


def _continued(texts: Sequence[str], after: int) -> tuple[list[str], int, list[str]]:
    """Return the lines that an open cell goes on over, the line after, and the cells behind it."""
    lines: list[str] = []
    for number in range(after, len(texts)):
        begun, *rest = texts[number].split("\t")
        lines.append(begun)
        if rest or begun.count('"') % 2:
            return lines, number + 1, rest
    return lines, len(texts), []


def _joined(cells: Sequence[str]) -> list[str]:
    """Return the cells, those put together again that stand within one pair of quotes."""
    found: list[str] = []
    waiting: list[str] = []
    for cell in cells:
        if not waiting and not _open(cell):
            found.append(cell)
            continue
        waiting.append(cell)
        if len(waiting) > 1 and cell.count('"') % 2 and cell.endswith('"'):
            found.append("\t".join(waiting))
            waiting = []
    return [*found, "\t".join(waiting)] if waiting else found


def _open(cell: str) -> bool:
    return cell[:1] == '"' and cell.count('"') % 2 == 1


def unquoted(cell: str) -> str:
    """Return a cell without the quotes around it; other quotation marks are signs of the text."""
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell


def _not_blank(texts: Sequence[str], start: int) -> Iterator[int]:
    return (number for number in range(start, len(texts)) if texts[number].strip())


def _text(number: int, line: bytes, source: str) -> str:
    if b"\0" in line:
        message = f"NUL byte at byte {line.index(0) + 1} of the line: not text, or a broken copy"
        raise FormatError(message, source=source, line=number)
    return decode_line(line, source=source, line_number=number)
