"""How a file of answers is read: recognised by its content, turned into the task's examples.

    named entities       BLUE's JSONL of annotations (`docid`, `locations`); tagged sentences,
                         BLUE's TSV or our JSONL; any format of documents
    relations            TSV `docid id arg1 arg2 label` or `index [sentence] label`; our JSONL
    document labels      TSV `index [sentence] labels`; our JSONL
    sentence similarity  TSV `index score`; our JSONL
    inference            TSV `index label`; our JSONL

Columns are found by name, others are ignored. What cannot be scored is a FormatError with the line.
Under the rules of BLUE's scripts (`blue`) only what they refuse is refused: repeated ids, labels
that are nobody's and missing scores come through, and bluered.tasks.blue does what they do.
"""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Literal

from bluered.corpora.catalog import Task
from bluered.documents.document import Document
from bluered.documents.examples import Example
from bluered.errors import FormatError
from bluered.formats.files import detect, read_file
from bluered.formats.lines import BOM
from bluered.formats.registry import get_format
from bluered.formats.streams import opened, source_name
from bluered.tasks.answers.annotations import is_annotations, read_annotations
from bluered.tasks.answers.build import Build
from bluered.tasks.answers.lines import json_answers
from bluered.tasks.answers.table import table_answers
from bluered.tasks.answers.tagged import is_tagged, read_tagged
from bluered.tasks.checks import check_offsets
from bluered.tasks.correct.classes import may_quote

Rules = Literal["correct", "blue"]
Side = Literal["gold", "prediction"]


def read(
    task: Task, path: str | Path, *, rules: Rules = "correct", side: Side = "prediction"
) -> list[Example]:
    """Return the answers in a file, gzipped or not; `-` is standard input.

    The gold of relations may have labels that the task does not count (ChemProt has ten classes).
    """
    source = source_name(path)
    if task.entry.type == "named-entities" and Path(path).is_dir():  # brat
        return list(_checked(task, read_file(path, check=False), source))
    with opened(path) as (head, stream):
        found = list(_answers(task, str(path), head, stream, rules=rules, side=side))
    if not found and not (rules == "blue" and task.entry.type == "named-entities"):
        raise FormatError("the file holds no answers", source=source)
    return found


def _answers(
    task: Task, path: str, head: bytes, stream: BinaryIO, *, rules: Rules, side: Side
) -> Iterator[Example]:
    source = source_name(path)
    start = head.removeprefix(BOM).lstrip()
    if not start:  # more blank lines than are looked at
        head = stream.read()
        start, stream = head.removeprefix(BOM).lstrip(), io.BytesIO(head)
    if task.entry.type == "named-entities":
        if is_annotations(start) or (not start and rules == "blue"):
            strict = rules == "correct"
            return _named(task, read_annotations(stream, source=source, strict=strict), source)
        if not start:
            raise FormatError("the file is empty, expected mentions", source=source)
        if is_tagged(start):
            return _named(task, read_tagged(task, stream, source=source), source)
        form = get_format(detect(path, head))
        return _checked(task, form.read(stream, source=source, check=False), source)
    if not start:
        raise FormatError("the file is empty, expected answers", source=source)
    strict = rules == "correct"
    build = Build(task, source, strict=strict, any_label=not strict or side == "gold")
    read_rows = json_answers if start.startswith(b"{") else table_answers
    return map(build.example, read_rows(task, stream, source))


def _checked(task: Task, documents: Iterator[Document], source: str) -> Iterator[Document]:
    """Yield documents whose offsets are right; errors quote no text that is under an agreement."""
    try:
        for document in _named(task, documents, source):
            check_offsets(document, source=source)
            yield document
    except FormatError as error:
        if may_quote(task):
            raise
        message = (
            "the documents cannot be read, or an offset does not match its text (what stands there "
            "is not shown of a corpus under an agreement: bluered doctor FILE does)"
        )
        raise FormatError(message, source=source, line=error.line) from None


def _named(task: Task, documents: Iterator[Document], source: str) -> Iterator[Document]:
    """Yield documents; under an agreement one whose id is a text is an error that hides it."""
    for document in documents:
        if len(document.id.split()) > 1 and not may_quote(task):
            message = "a text stands where the id of a document is expected"
            raise FormatError(message, source=source)
        yield document
