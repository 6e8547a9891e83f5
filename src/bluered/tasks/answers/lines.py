"""Answers as JSON, one a line: our examples, or just their ids and answers."""

from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from bluered.corpora.catalog import Task
from bluered.documents.examples import LabelledText, RelationExample, TextPair
from bluered.errors import FormatError
from bluered.formats.lines import numbered_lines
from bluered.tasks.answers.build import Answer
from bluered.tasks.correct.classes import may_quote

KINDS: dict[str, type] = {
    "sentence-similarity": TextPair,
    "relation-extraction": RelationExample,
    "document-classification": LabelledText,
    "inference": TextPair,
}


class _Line(Answer, kw_only=True):
    type: str = ""


def json_answers(task: Task, stream: BinaryIO, source: str) -> Iterator[Answer]:
    """Yield the answers of a JSONL file; `type`, if given, must be that of the task's examples."""
    decoder = msgspec.json.Decoder(_Line)
    expected = KINDS[task.entry.type].__struct_config__.tag
    for number, line in numbered_lines(stream):
        if not line.strip():
            continue
        try:
            answer = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise FormatError(
                f"not an answer in JSON: {error}", source=source, line=number
            ) from None
        if answer.type and answer.type != expected:
            found = f"found {answer.type!r}" if may_quote(task) else "found another"
            raise FormatError(
                f"expected examples of type {expected!r} for {task.name}, {found}",
                source=source,
                line=number,
            )
        answer.line = number
        yield answer
