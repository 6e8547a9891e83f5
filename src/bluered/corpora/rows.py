"""The rows of a table: TSV, CSV or JSON lines, told apart by the name's ending, gzipped or not.

TSV has a record a line; a field in quotation marks is read as programs write CSV, any other
quotation mark is a sign of the text. CSV may have line breaks inside quotation marks.
Byte order marks, CR LF and empty lines are allowed in all of them.
"""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from bluered.errors import FormatError, unknown_name
from bluered.formats.lines import decode_line, numbered_lines
from bluered.formats.streams import opened

Fields = dict[str, Any]
"""The wanted fields of a row: text in TSV and CSV, any JSON value in JSON lines."""


class MissingColumnError(FormatError):
    """A table without the column of a field; `field` is which."""

    def __init__(self, message: str, *, field: str, source: str, line: int) -> None:
        self.field = field
        super().__init__(message, source=source, line=line)


class Wanted(Struct, frozen=True):
    """Where a field is looked for: in the first of these columns (or keys) that the table has."""

    columns: tuple[str | int, ...]
    required: bool = True


def read_rows(
    path: Path, wanted: Mapping[str, Wanted], *, header: bool
) -> Iterator[tuple[int, Fields]]:
    """Yield the line and the wanted fields of each row; fields that are not there are left out.

    Without a header columns are numbers, from 0. FormatError names file and line of a column that
    is missing and of a row with more or fewer fields than the first.
    """
    source = str(path)
    name = path.name.lower().removesuffix(".gz")
    ending = next((ending for ending in (*JSON, *DELIMITED) if name.endswith(ending)), None)
    if ending is None:
        endings = ", ".join((*DELIMITED, *JSON))
        raise FormatError(f"a table is told by its ending: one of {endings}", source=source)
    with opened(path) as (_, stream):
        if ending in JSON:
            rows = _objects(stream, wanted, source=source)
        else:
            records = DELIMITED[ending](stream, source)
            rows = _records(records, wanted, header=header, source=source)
        nothing = True
        for row in rows:
            nothing = False
            yield row
        if nothing:
            raise FormatError("the table has no row", source=source)


def _records(
    records: Iterator[tuple[int, list[str]]],
    wanted: Mapping[str, Wanted],
    *,
    header: bool,
    source: str,
) -> Iterator[tuple[int, Fields]]:
    names: list[str] = []
    places: dict[str, int] = {}
    for line, fields in records:
        if not names:
            names = [f.strip() for f in fields] if header else [str(n) for n in range(len(fields))]
            places = _places(names, wanted, source=source, line=line)
            if header:
                continue
        if len(fields) != len(names):
            message = f"expected {len(names)} fields as in the first row, found {len(fields)}"
            raise FormatError(message, source=source, line=line)
        yield line, {field: fields[place] for field, place in places.items()}


def _objects(
    stream: BinaryIO, wanted: Mapping[str, Wanted], *, source: str
) -> Iterator[tuple[int, Fields]]:
    names: list[str] = []
    places: dict[str, int] = {}
    for line, content in numbered_lines(stream):
        if not content.strip():
            continue
        try:
            found = msgspec.json.decode(content, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            message = f"expected a JSON object: {error}"
            raise FormatError(message, source=source, line=line) from None
        if not names:
            names = list(found)
            places = _places(names, wanted, source=source, line=line)
        row = {field: found.get(names[place], FormatError) for field, place in places.items()}
        for field, value in row.items():
            if value is FormatError:
                message = f"no key {names[places[field]]!r}, which the first row has"
                raise FormatError(message, source=source, line=line)
        yield line, row


def _places(
    names: Sequence[str], wanted: Mapping[str, Wanted], *, source: str, line: int
) -> dict[str, int]:
    """Return in which column each field stands."""
    found: dict[str, int] = {}
    for field, where in wanted.items():
        here = [place for column in where.columns if (place := _place(column, names)) is not None]
        if here:
            name = names[here[0]]
            if names.count(name) > 1:
                message = f"two columns are called {name!r} (`{field}`): which counts?"
                raise FormatError(message, source=source, line=line)
            found[field] = here[0]
        elif where.required:
            message = _absent(field, where, names)
            raise MissingColumnError(message, field=field, source=source, line=line)
    return found


def _place(column: str | int, names: Sequence[str]) -> int | None:
    if isinstance(column, int):
        return column if 0 <= column < len(names) else None
    return names.index(column) if column in names else None


def _absent(field: str, where: Wanted, names: Sequence[str]) -> str:
    column = where.columns[0]
    if isinstance(column, int):
        return f"no column {column} (`{field}`): the table has {len(names)}, counted from 0"
    if len(where.columns) == 1:
        return unknown_name("column", column, list(names), f"`{field}`")
    return f"no column for `{field}`: say which under [columns]; there are {', '.join(names)}"


def _tab_separated(stream: BinaryIO, source: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in numbered_lines(stream):
        text = decode_line(line, source=source, line_number=number)
        if text.strip():
            yield number, [_unquoted(field) for field in text.split("\t")]


def _unquoted(field: str) -> str:
    """Return a field without quotation marks that only a writer of CSV can have put there."""
    if len(field) < 2 or field[0] != '"' or field[-1] != '"':
        return field
    inner = field[1:-1].replace('""', "\0")
    return field if '"' in inner else inner.replace("\0", '"')


def _comma_separated(stream: BinaryIO, source: str) -> Iterator[tuple[int, list[str]]]:
    def lines() -> Iterator[str]:
        for number, line in numbered_lines(stream):
            yield decode_line(line, source=source, line_number=number) + "\n"

    reader = csv.reader(lines(), strict=True)
    begun = 1
    while True:
        try:
            fields = next(reader, None)
        except csv.Error as error:
            raise FormatError(f"broken CSV: {error}", source=source, line=begun) from None
        if fields is None:
            return
        if fields:
            yield begun, fields
        begun = reader.line_num + 1


DELIMITED: dict[str, Callable[[BinaryIO, str], Iterator[tuple[int, list[str]]]]] = {
    ".tsv": _tab_separated,
    ".txt": _tab_separated,
    ".csv": _comma_separated,
}
JSON = (".jsonl", ".ndjson")
