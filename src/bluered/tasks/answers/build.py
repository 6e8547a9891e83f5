"""One answer as a file gives it, whatever its form, and the example that is made of it."""

import math
import re
from collections.abc import Callable

from msgspec import Struct

from bluered.corpora.catalog import Task
from bluered.documents.examples import Example, LabelledText, RelationExample, TextPair
from bluered.errors import FormatError
from bluered.formats.numbers import as_number
from bluered.tasks.correct.classes import label_fault, may_quote

ABSENT = frozenset({"", "na", "n/a", "nan", "none", "null", "<na>", "-nan", "#n/a"})
"""What stands for no value in tables, as pandas reads them (in any case)."""

ARGUMENT = re.compile(r"^Arg\d+:(?=.)")


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
            needed = "the arguments" if self._task.entry.type == "relation-extraction" else ""
            needed = f" (`id`{' or ' * bool(needed)}{needed} must say what is answered)"
            raise self._error(answer, f"the answer names no id{needed}")
        self._refuse_text(answer)
        if self._strict and self._task.entry.type != "relation-extraction":
            before = self._lines.setdefault(str(answer.id), answer.line)
            if before != answer.line:
                raise self._error(answer, f"{answer.id} was answered in line {before} already")
        return self._make(answer)

    def _similarity(self, answer: Answer) -> TextPair:
        return TextPair(id=str(answer.id), first="", second="", score=self._score(answer))

    def _score(self, answer: Answer) -> float | None:
        try:
            value = as_number(str(answer.score)) if answer.score is not None else math.nan
        except ValueError:
            if str(answer.score).strip().casefold() not in ABSENT:
                shown = f" {answer.score!r}" if may_quote(self._task) else ""
                raise self._error(answer, f"the score{shown} is no number") from None
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
            document=self._document(answer),
            head=self._argument(answer.head),
            tail=self._argument(answer.tail),
            text="",
            label=self._label(answer, any_label=self._any_label),
        )

    def _argument(self, name: str | int) -> str:
        """Return an argument without the `Arg1:` that ChemProt's own files write before it.

        BLUE's scripts compare arguments as they are written.
        """
        return ARGUMENT.sub("", str(name)) if self._strict else str(name)

    def _labelled(self, answer: Answer) -> LabelledText:
        labels = answer.labels
        if labels is None:
            raise self._error(answer, "the answer has no labels (an empty list says none)")
        for label in labels:
            self._check(answer, label)
        document = self._document(answer)
        return LabelledText(id=str(answer.id), document=document, text="", labels=labels)

    def _document(self, answer: Answer) -> str:
        """Return the document of an answer; one that names none is its own, as in a table.

        The ids of BLUE's own corpora begin with that of the document.
        """
        name = str(answer.id)
        if str(answer.document):
            return str(answer.document)
        if self._task.corpus.layout == "hoc":  # as eval_hoc.py
            return name.partition("_")[0]
        if self._task.entry.examples:  # <document>.<head>.<tail>, DDI: <document>.s<i>.p<i>
            return name.rsplit(".", 2)[0]
        return name

    def _refuse_text(self, answer: Answer) -> None:
        """Raise FormatError if an id cannot be one and messages, which name ids, may not quote."""
        if may_quote(self._task):
            return
        label = answer.label or "" if self._any_label else ""
        for value in (answer.id, answer.document, answer.head, answer.tail, label):
            if len(str(value).split()) > 1:
                raise self._error(answer, "a text stands where an id or a label is expected")

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
