"""Answers as a table with a header, columns separated by tabs, found by their names."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from bluered.corpora.catalog import Task
from bluered.errors import FormatError
from bluered.formats.lines import decode_line, numbered_lines
from bluered.tasks.answers.build import ABSENT, Answer
from bluered.tasks.correct.classes import known_labels

IDS = ("index", "id")
FORMS: dict[str, tuple[tuple[str, ...], ...]] = {
    "sentence-similarity": (("id", "score"),),
    "relation-extraction": (("document", "head", "tail", "label"), ("id", "label")),
    "document-classification": (("id", "labels"),),
    "inference": (("id", "label"),),
}
"""The columns that a table must have, in our words; the first form that fits is taken."""

NAMES: dict[str, tuple[str, ...]] = {
    "id": IDS,
    "document": ("docid", "document"),
    "head": ("arg1", "head"),
    "tail": ("arg2", "tail"),
    "label": ("label",),
    "labels": ("labels", "label"),
    "score": ("score",),
}
"""What the columns are called; the names of the corpus's own table count too."""

MISNAMED = {
    ("index", "label"): (4, ("index", "sentence1", "sentence2", "label")),
    ("index", "sentence1", "sentence2", "label"): (3, ("index", "sentence", "labels")),
}
"""Headers that BLUE's create_mednli_test_gs.py and create_hoc.py write over rows of another width:
how many columns there are, and what they are."""

Row = tuple[int, list[str]]


def table_answers(task: Task, stream: BinaryIO, source: str) -> Iterator[Answer]:
    """Yield the answers of a table."""
    rows = list(_rows(stream, source))
    header = tuple(name.strip() for name in rows[0][1])
    if header in MISNAMED and len(rows) > 1 and len(rows[1][1]) == MISNAMED[header][0]:
        header = MISNAMED[header][1]
    columns = _columns(task, header, source, rows[0][0])
    for line, cells in rows[1:]:
        if len(cells) != len(header):
            raise FormatError(
                f"expected {len(header)} columns as in the header, found {len(cells)}",
                source=source,
                line=line,
            )
        found: dict[str, str] = {name: cells[number] for name, number in columns.items()}
        labels = found.pop("labels", None)
        yield Answer(
            line=line,
            labels=None if labels is None else _split(labels, task),
            **found,
        )


def _columns(task: Task, header: Sequence[str], source: str, line: int) -> dict[str, int]:
    """Return the number of each column that is needed, and of the id where there is one."""
    places = {name: _place(task, name, header) for name in NAMES}
    for form in FORMS[task.entry.type]:
        if all(places[name] is not None for name in form):
            wanted = dict.fromkeys((*form, "id"))
            return {n: place for n in wanted if (place := places[n]) is not None}
    forms = " or ".join(
        " ".join("|".join(NAMES[name]) for name in form) for form in FORMS[task.entry.type]
    )
    shown = " ".join(header)
    raise FormatError(
        f"expected a header with the columns {forms} (separated by tabs), found: "
        f"{shown[:60]}{'...' * (len(shown) > 60)}",
        source=source,
        line=line,
    )


def _place(task: Task, name: str, header: Sequence[str]) -> int | None:
    own = getattr(task.corpus.columns, name)
    names = (own, *NAMES[name]) if isinstance(own, str) and own else NAMES[name]
    return next((header.index(one) for one in names if one in header), None)


def _split(labels: str, task: Task) -> tuple[str, ...]:
    """Return the labels of a cell; of an empty one, or one that says "nan", none."""
    none = labels.strip().casefold() in ABSENT
    if not labels.strip() or (none and labels.strip() not in known_labels(task)):
        return ()
    return tuple(label.strip() for label in labels.split(task.corpus.separator))


def _rows(stream: BinaryIO, source: str) -> Iterator[Row]:
    """Yield the rows with their line numbers, quotes undone; blank lines are skipped.

    Quotes matter only around a whole cell, as csv writes them. Cells that hold a line end make
    lines of different width: only then is the file read as csv reads it, where a cell that merely
    begins with a quote would swallow what follows.
    """
    lines = [
        (number, decode_line(line, source=source, line_number=number))
        for number, line in numbered_lines(stream)
    ]
    rows = [(number, line.split("\t")) for number, line in lines if line.strip()]
    if len({len(cells) for _, cells in rows[1:]}) > 1 and any('"' in line for _, line in lines):
        reader = csv.reader(io.StringIO("\n".join(line for _, line in lines)), delimiter="\t")
        yield from ((reader.line_num, cells) for cells in reader if any(cells))
        return
    for number, cells in rows:
        yield number, [_unquoted(cell) if cell[:1] == '"' else cell for cell in cells]


def _unquoted(cell: str) -> str:
    if len(cell) > 1 and cell.endswith('"'):
        return cell[1:-1].replace('""', '"')
    return cell
