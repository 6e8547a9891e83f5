"""The rows of BLUE's derived tables (train.tsv, dev.tsv, test.tsv), which have a header."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from bluered.corpora.archive_texts import read_text
from bluered.errors import FormatError


class Row(Struct, frozen=True):
    """The fields of a row and the line it begins on."""

    line: int
    fields: tuple[str, ...]


def rows(path: Path, *, at_least: int) -> Iterator[Row]:
    """Yield the header and the rows; one with fewer fields than needed is an error.

    Fields are quoted as Python's csv module writes them, since BLUE's scripts write with it.
    """
    reader = csv.reader(read_text(path).split("\n"), delimiter="\t")
    unclosed = "a quotation mark opens here that its row does not close"
    while True:
        line = reader.line_num + 1
        try:
            fields = next(reader, None)
        except csv.Error:  # the open field has run over the module's limit
            raise FormatError(unclosed, source=str(path), line=line) from None
        if fields is None:
            return
        if reader.line_num != line:
            raise FormatError(unclosed, source=str(path), line=line)
        if not fields:
            continue
        if len(fields) < at_least:
            raise FormatError(
                f"expected at least {at_least} columns, found {len(fields)}",
                source=str(path),
                line=line,
            )
        yield Row(line, tuple(fields))


def body_rows(
    path: Path, *, at_least: int, is_row: Callable[[tuple[str, ...]], object]
) -> Iterator[Row]:
    """Yield the rows below the header; a first row that is none is an error, not left out."""
    for number, row in enumerate(rows(path, at_least=at_least)):
        if number:
            yield row
        elif is_row(row.fields):
            message = "expected a header with the names of the columns, found a row"
            raise FormatError(message, source=str(path), line=row.line)
