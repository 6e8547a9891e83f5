"""One answer as a file gives it, whatever its form, and the example that is made of it."""

import math
from collections.abc import Callable

from msgspec import Struct

from bluered.corpora.catalog import Task
from bluered.documents.examples import Example, LabelledText, RelationExample, TextPair
from bluered.errors import FormatError
from bluered.tasks.correct.classes import label_fault

ABSENT = frozenset({"", "na", "n/a", "nan", "none", "null", "<na>", "-nan", "#n/a"})
"""What stands for no value in tables, as pandas reads them (in any case)."""


class Answer(Struct, kw_only=True):
    """A row of a table or a line of JSON: what is answered, about which item, on which line."""

    line: int = 0
    id: str | int = ""
    document: str | int = ""
    head: str | int = ""
    tail: str | int = ""
    label: str | None = None
    labels: tuple[str, ...] | None = None
    score: float | str | None = None


class Build:
    """Makes examples of the answers of one file, and remembers the ids it has seen.

    `strict` refuses repeated ids and missing scores; `any_label` lets every relation label pass.
    """

    def __init__(self, task: Task, source: str, *, strict: bool, any_label: bool) -> None:
        self._task = task
        self._source = source
        self._strict = strict
        self._any_label = any_label
        self._lines: dict[str, int] = {}
        make: dict[str, Callable[[Answer], Example]] = {
            "sentence-similarity": self._similarity,
            "relation-extraction": self._relation,
            "document-classification": self._labelled,
            "inference": self._inference,
        }
        self._make = make[task.entry.type]

    def example(self, answer: Answer) -> Example:
        """Return the example of an answer, or raise FormatError with its line."""
        if not str(answer.id) and not (answer.head and answer.tail):
            raise self._error(answer, "the answer names no id")
        if self._strict and self._task.entry.type != "relation-extraction":
            before = self._lines.setdefault(str(answer.id), answer.line)
            if before != answer.line:
                raise self._error(answer, f"{answer.id} was answered in line {before} already")
        return self._make(answer)

    def _similarity(self, answer: Answer) -> TextPair:
        return TextPair(id=str(answer.id), first="", second="", score=self._score(answer))

    def _score(self, answer: Answer) -> float | None:
        try:
            value = float(answer.score) if answer.score is not None else math.nan
        except ValueError:
            if str(answer.score).strip().casefold() not in ABSENT:
                raise self._error(answer, f"the score {answer.score!r} is no number") from None
            value = math.nan
        if math.isfinite(value):
            return value
        if self._strict:
            shown = "nothing" if answer.score in (None, "") else repr(answer.score)
            raise self._error(answer, f"expected a finite number as score, found {shown}")
        return None if math.isnan(value) else value

    def _inference(self, answer: Answer) -> TextPair:
        return TextPair(id=str(answer.id), first="", second="", label=self._label(answer))

    def _relation(self, answer: Answer) -> RelationExample:
        return RelationExample(
            id=str(answer.id),
            document=str(answer.document),
            head=str(answer.head),
            tail=str(answer.tail),
            text="",
            label=self._label(answer, any_label=self._any_label),
        )

    def _labelled(self, answer: Answer) -> LabelledText:
        labels = answer.labels
        if labels is None:
            raise self._error(answer, "the answer has no labels (an empty list says none)")
        for label in labels:
            self._check(answer, label)
        name = str(answer.id)
        return LabelledText(
            id=name, document=str(answer.document) or document_of(name), text="", labels=labels
        )

    def _label(self, answer: Answer, *, any_label: bool = False) -> str:
        if answer.label is None:
            raise self._error(answer, "the answer has no label")
        if not any_label or not answer.label:
            self._check(answer, answer.label)
        return answer.label

    def _check(self, answer: Answer, label: str) -> None:
        fault = label_fault(self._task, label)
        if fault:
            raise self._error(answer, fault)

    def _error(self, answer: Answer, message: str) -> FormatError:
        return FormatError(message, source=self._source, line=answer.line)


def document_of(name: str) -> str:
    """Return the document of a sentence's id: all before its first underscore, as eval_hoc.py."""
    return name.partition("_")[0]
