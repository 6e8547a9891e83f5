"""The layout "table": pairs, labelled texts or candidate relations from TSV, CSV or JSON lines.

What a row becomes follows from the type of the corpus's task. `columns` of the entry names the
columns; without it those called as the fields of the example or as BLUE calls them are taken
(DEFAULTS). If all columns that are named are numbers, the table has no header.
"""

import math
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import asdict

from bluered.corpora.entry import Corpus
from bluered.corpora.rows import Fields, Wanted, read_rows
from bluered.corpora.source import Source
from bluered.documents.examples import LabelledText, RelationExample, TextPair
from bluered.errors import CorpusError, FormatError, unknown_name
from bluered.formats.numbers import as_number

DEFAULTS: dict[str, tuple[str, ...]] = {
    "id": ("id", "index"),
    "document": ("document", "docid"),
    "text": ("text", "sentence"),
    "first": ("first", "sentence1"),
    "second": ("second", "sentence2"),
    "score": ("score",),
    "label": ("label",),
    "labels": ("labels", "label"),
    "head": ("head",),
    "tail": ("tail",),
}
"""The columns in which a field is looked for if the entry does not name one."""

Row = TextPair | LabelledText | RelationExample


class Shape(Struct, frozen=True):
    """What a row of a table holds for a type of task, and how it becomes an example."""

    required: tuple[str, ...]
    optional: tuple[str, ...]
    build: Callable[[str, Fields, Corpus], Row]


def read(source: Source) -> Iterator[Row]:
    """Yield the rows of a split; one without an id is called by its number in the split."""
    shape = shape_of(source.corpus)
    wanted = wanted_columns(source.corpus, shape)
    known = _known_labels(source.corpus)
    seen: set[tuple[str, str | None]] = set()
    number = 0
    for path in source.paths:
        for line, fields in read_rows(path, wanted, header=has_header(source.corpus)):
            number += 1
            try:
                row = shape.build(_named_or(fields, "id", str(number)), fields, source.corpus)
                _check_labels(row, known)
                key = (row.id, row.label if isinstance(row, RelationExample) else None)
                if key in seen:
                    raise ValueError(f"the id {row.id!r} stands twice")
                seen.add(key)
            except ValueError as error:
                raise FormatError(str(error), source=str(path), line=line) from None
            yield row


def shape_of(entry: Corpus) -> Shape:
    """Return what the rows of a corpus are, by the type that all its tasks have in common."""
    kinds = sorted({task.type for task in entry.tasks.values()})
    shape = SHAPES.get(kinds[0]) if len(kinds) == 1 else None
    if shape is None:
        raise CorpusError(
            f"{entry.name}: a table is read for tasks of one type, {', '.join(SHAPES)}; here they "
            f"are of {' and '.join(kinds) or 'none'} (documents have the layout 'annotated')"
        )
    return shape


def wanted_columns(entry: Corpus, shape: Shape) -> dict[str, Wanted]:
    """Return where each field of a row is looked for; a column that the entry names must exist."""
    named = _named(entry)
    if "labels" in shape.required and "label" in named:
        named.setdefault("labels", named["label"])
    return {
        field: Wanted((named[field],))
        if field in named
        else Wanted(DEFAULTS[field], field in shape.required)
        for field in (*shape.required, *shape.optional)
    }


def has_header(entry: Corpus) -> bool:
    """Tell whether the first row names the columns: not if the entry gives numbers only."""
    named = _named(entry)
    return not named or any(isinstance(column, str) for column in named.values())


def _named(entry: Corpus) -> dict[str, str | int]:
    return {field: column for field, column in asdict(entry.columns).items() if column != ""}


def _known_labels(entry: Corpus) -> frozenset[str]:
    """Return the labels that may stand in the table; none if a task takes any."""
    tasks = entry.tasks.values()
    if not all(task.labels for task in tasks):
        return frozenset()
    return frozenset(label for task in tasks for label in (*task.labels, task.negative) if label)


def _check_labels(row: Row, known: frozenset[str]) -> None:
    """Raise ValueError for a label that no task of the corpus has."""
    labels = (row.labels or ()) if isinstance(row, LabelledText) else (row.label,)
    for label in labels:
        if label is not None and known and label not in known:
            raise ValueError(unknown_name("label", label, sorted(known)))


def _similar(name: str, fields: Fields, _: Corpus) -> Row:
    first, second = _needed(fields, "first"), _needed(fields, "second")
    return TextPair(id=name, first=first, second=second, score=_number(fields["score"]))


def _inferred(name: str, fields: Fields, _: Corpus) -> Row:
    first, second = _needed(fields, "first"), _needed(fields, "second")
    return TextPair(id=name, first=first, second=second, label=_needed(fields, "label"))


def _labelled(name: str, fields: Fields, entry: Corpus) -> Row:
    written = fields["labels"]
    names = written if isinstance(written, list) else _as_text(written).split(entry.separator)
    labels = dict.fromkeys(label for name in names if (label := _as_text(name).strip()))
    document = _named_or(fields, "document", name)
    return LabelledText(
        id=name, document=document, text=_needed(fields, "text"), labels=tuple(labels)
    )


def _related(name: str, fields: Fields, _: Corpus) -> Row:
    return RelationExample(
        id=name,
        document=_named_or(fields, "document", name),
        head=_text(fields, "head"),
        tail=_text(fields, "tail"),
        text=_needed(fields, "text"),
        label=_needed(fields, "label"),
    )


def _text(fields: Fields, field: str) -> str:
    return _as_text(fields.get(field)).strip()


def _needed(fields: Fields, field: str) -> str:
    text = _text(fields, field)
    if not text:
        raise ValueError(f"`{field}` is empty")
    return text


def _named_or(fields: Fields, field: str, otherwise: str) -> str:
    return _needed(fields, field) if field in fields else otherwise


def _as_text(value: object) -> str:
    """Return a field as text; JSON's null is an empty one."""
    if isinstance(value, (dict, list, bool)):
        raise ValueError(f"expected text, found {type(value).__name__} {value!r:.60}")
    return "" if value is None else str(value)


def _number(value: object) -> float:
    try:
        number = as_number(_as_text(value))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"expected a number as `score`, found {value!r:.60}")
    return number


SHAPES: dict[str, Shape] = {
    "sentence-similarity": Shape(("first", "second", "score"), ("id",), _similar),
    "document-classification": Shape(("text", "labels"), ("id", "document"), _labelled),
    "relation-extraction": Shape(("text", "label"), ("id", "document", "head", "tail"), _related),
    "inference": Shape(("first", "second", "label"), ("id",), _inferred),
}
