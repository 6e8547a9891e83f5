"""Answers as a table with a header, columns separated by tabs, found by their names."""

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from bluered.corpora.catalog import Task
from bluered.errors import FormatError
from bluered.tasks.answers.build import ABSENT, Answer
from bluered.tasks.answers.rows import read_lines
from bluered.tasks.correct.classes import known_labels, may_quote

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


def table_answers(task: Task, stream: BinaryIO, source: str) -> Iterator[Answer]:
    """Yield the answers of a table."""
    lines = read_lines(stream, source)
    header = lines.names()
    width, names = MISNAMED.get(header, (0, header))
    if width and lines.begin_with(width) and not lines.begin_with(len(header)):
        header = names
    columns = _columns(task, header, source, lines.header + 1)
    for line, cells in lines.rows(len(header)):
        found: dict[str, str] = {name: cells[number] for name, number in columns.items()}
        labels = found.pop("labels", None)
        yield Answer(
            line=line,
            labels=None if labels is None else _split(labels, task),
            **found,
        )


def _columns(task: Task, header: Sequence[str], source: str, line: int) -> dict[str, int]:
    """Return the number of each column that is needed, and of id and document where there are."""
    places = {name: _places(task, name, header) for name in NAMES}
    for form in FORMS[task.entry.type]:
        if all(places[name] for name in form):
            wanted = dict.fromkeys((*form, "id", "document"))
            for name in wanted:
                if len(places[name]) > 1:
                    message = f"two columns are called {header[places[name][0]]!r}: which counts?"
                    raise FormatError(message, source=source, line=line)
            return {name: places[name][0] for name in wanted if places[name]}
    forms = " or ".join(
        " ".join("|".join(NAMES[name]) for name in form) for form in FORMS[task.entry.type]
    )
    shown = " ".join(header)
    shown = f"{shown[:60]}{'...' * (len(shown) > 60)}"
    if not may_quote(task):
        shown = f"{len(header)} columns"
    raise FormatError(
        f"expected a header with the columns {forms} (separated by tabs), found: {shown}",
        source=source,
        line=line,
    )


def _places(task: Task, name: str, header: Sequence[str]) -> list[int]:
    """Return the columns of the first name that the header has."""
    own = getattr(task.corpus.columns, name)
    names = (own, *NAMES[name]) if isinstance(own, str) and own else NAMES[name]
    used = next((one for one in names if one in header), None)
    return [number for number, one in enumerate(header) if one == used]


def _split(labels: str, task: Task) -> tuple[str, ...]:
    """Return the labels of a cell; of an empty one none.

    So of one that says "nan", as pandas writes it, unless a class may be called that.
    """
    known = known_labels(task)
    classes = {label.casefold() for label in known}
    none = labels.strip().casefold() in ABSENT - classes if known else not labels.strip()
    return () if none else tuple(label.strip() for label in labels.split(task.corpus.separator))
