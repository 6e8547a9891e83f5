"""Tables of text: aligned for a terminal, or as Markdown."""

from collections.abc import Iterator, Sequence

from msgspec import Struct


class Table(Struct, frozen=True):
    """A titled table; the first column is text, the others are figures."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: tuple[str, ...] = ()


def as_text(table: Table) -> Iterator[str]:
    """Yield the lines of a table with aligned columns."""
    widths = [
        max(len(row[column]) for row in [table.heads, *table.rows])
        for column in range(len(table.heads))
    ]
    yield table.title
    yield _aligned(table.heads, widths)
    yield "  ".join("-" * width for width in widths)
    for row in table.rows:
        yield _aligned(row, widths)
    for note in table.notes:
        yield f"  {note}"


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(row, widths, strict=True)
    cells = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
    return "  ".join(cells).rstrip()


def as_markdown(table: Table) -> Iterator[str]:
    """Yield the lines of a table in Markdown."""
    yield f"**{table.title}**"
    yield ""
    yield _piped(table.heads)
    yield "|".join(["", ":--", *("--:" for _ in table.heads[1:]), ""])
    for row in table.rows:
        yield _piped(row)
    if table.notes:
        yield ""
    for note in table.notes:
        yield f"- {_escaped(note)}"


def _piped(row: Sequence[str]) -> str:
    return "| " + " | ".join(_escaped(cell) for cell in row) + " |"


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|").replace("*", "\\*")
