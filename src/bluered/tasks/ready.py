"""Model-ready examples, as BLUE builds them, and the tables it writes them to."""

from collections.abc import Iterable, Iterator

import msgspec

from bluered.corpora.catalog import Task
from bluered.documents.document import Document
from bluered.documents.examples import (
    Example,
    LabelledText,
    RelationExample,
    TaggedSentence,
    TextPair,
)
from bluered.errors import CorpusError
from bluered.tasks.examples import examples, without_answers
from bluered.tasks.tagging import tagged_sentences

ReadyExample = Example | TaggedSentence


def ready_examples(task: Task, split: str, *, answers: bool = True) -> Iterator[ReadyExample]:
    """Yield the examples of a split as a model takes them: for named entities tagged sentences."""
    for example in examples(task, split):
        if isinstance(example, Document) and task.entry.type == "named-entities":
            for sentence in tagged_sentences(example):
                yield sentence if answers else msgspec.structs.replace(sentence, tags=None)
        else:
            yield example if answers else without_answers(example)


def table_lines(
    task: Task, ready: Iterable[ReadyExample], *, answers: bool = True
) -> Iterator[str]:
    """Yield the lines of BLUE's table of a task, with their ends.

    Named entities have no header but four columns: token, document (`-` but for the first token of
    a sentence), offset, tag; an empty line ends a sentence. Quotation marks are not doubled, since
    BlueBERT reads them as signs; tabs and line ends in a text become spaces. Without answers the
    last column is missing.
    """
    bare = len(task.entry.entity_types) == 1
    columns: tuple[str, ...] = ()
    for example in ready:
        if isinstance(example, TaggedSentence):
            yield from _token_lines(example, bare=bare)
            continue
        row = _row(task, example)
        if not columns:
            columns = tuple(row)
            yield "\t".join(columns if answers else columns[:-1]) + "\n"
        cells = [" ".join(cell.split()) if set(cell) & _BREAKS else cell for cell in row.values()]
        yield "\t".join(cells if answers else cells[:-1]) + "\n"


_BREAKS = frozenset("\t\r\n")


def _token_lines(sentence: TaggedSentence, *, bare: bool) -> Iterator[str]:
    """Yield the lines of a sentence; the tags of a task with one type are just B and I."""
    for number, (token, start) in enumerate(zip(sentence.tokens, sentence.starts, strict=True)):
        cells = [token, "-" if number else sentence.document, str(start)]
        if sentence.tags is not None:
            tag = sentence.tags[number]
            cells.append(tag.partition("-")[0] if bare else tag)
        yield "\t".join(cells) + "\n"
    yield "\n"


def _row(task: Task, example: Example) -> dict[str, str]:
    match example:
        case TextPair() if task.entry.type == "sentence-similarity":
            score = "" if example.score is None else f"{example.score:.10g}"
            pair = {"sentence1": example.first, "sentence2": example.second}
            return {"index": example.id, **pair, "score": score}
        case TextPair():
            pair = {"sentence1": example.first, "sentence2": example.second}
            return {"index": example.id, **pair, "label": example.label or ""}
        case RelationExample():
            return {"index": example.id, "sentence": example.text, "label": example.label or ""}
        case LabelledText():
            labels = ",".join(example.labels or ())
            return {"index": example.id, "sentence": example.text, "labels": labels}
        case _:
            raise CorpusError(f"{task.name}: BLUE has no table for whole documents: use JSONL")
