"""BLUE's tasks but named entities, all in one form: a text or two in, numbers out, answers back.

So BLUE fine-tunes one model for each of them (Peng et al. 2019, section 4; run_bluebert.py,
run_bluebert_multi_labels.py and run_bluebert_sts.py of ncbi-nlp/bluebert):

- similarity: two texts, one number, which is the score;
- inference: two texts, the label with the largest of its numbers;
- relations of a sentence: the text with placeholders, once for each pair of mentions; the label
  with the largest number, "no relation" among them;
- labelled documents: each sentence alone; every label whose probability reaches a half. The scorer
  takes the labels of a document's sentences together, as BLUE's eval_hoc.py does.

Nothing here needs torch, nor knows what reads the texts.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from bluered.corpora.catalog import Task
from bluered.documents.examples import Example, LabelledText, RelationExample, TextPair
from bluered.errors import ModelError
from bluered.tasks.scoring import score
from bluered.training.types import has_one_label

Floats = NDArray[np.float32]

Rule = Literal["score", "label", "labels"]
"""How a model's numbers are read: as a score, as one label, as any number of labels."""

TYPES = ("sentence-similarity", "inference", "relation-extraction", "document-classification")
"""The types of task that are made of sequences."""


class Sequence(Struct, frozen=True):
    """What a model reads at once: a text, or two."""

    first: str
    second: str | None = None


class Outputs(Struct, frozen=True):
    """What a model gives for each sequence: one score, or a number for each of `labels`.

    Numbers are those of the last layer: logits of a softmax (`label`) or of a sigmoid each
    (`labels`). `negative` is the label of what has none of the others, "" if there is none.
    """

    rule: Rule
    labels: tuple[str, ...] = ()
    negative: str = ""

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return len(self.labels) or 1


def outputs_of(asked: Task, types: tuple[str, ...]) -> Outputs:
    """Return what a model of a task gives, told the labels that count; or raise ModelError."""
    kind, negative = asked.entry.type, asked.entry.negative
    if kind not in TYPES:
        raise ModelError(
            f"{asked.name} is a task of {kind}: expected one of {', '.join(TYPES)} (a tagger or a "
            "relation model reads documents)"
        )
    if kind == "sentence-similarity":
        return Outputs("score")
    if kind == "document-classification" and not has_one_label(asked):
        return Outputs("labels", types)
    if kind == "relation-extraction" and negative:
        return Outputs("label", (*types, negative), negative)
    return Outputs("label", types)


def sequence(example: Example) -> Sequence:
    """Return what a model reads of an example; of a relation its text with placeholders."""
    if isinstance(example, TextPair):
        return Sequence(example.first, example.second)
    if isinstance(example, (LabelledText, RelationExample)):
        return Sequence(example.text)
    raise ModelError(f"{example.id} is a whole document: expected a text, a pair or a relation")


def targets(examples: Iterable[Example], outputs: Outputs) -> Floats:
    """Return what a model is to give, (examples, numbers).

    The score itself (nan where it is not known), or 1 for the labels of an example and 0 for the
    others. A label that does not count is the negative one; where there is none, no label is 1.
    """
    rows = [_target(example, outputs) for example in examples]
    return np.asarray(rows, dtype=np.float32).reshape(len(rows), outputs.size)


def _target(example: Example, outputs: Outputs) -> list[float]:
    if outputs.rule == "score":
        known = example.score if isinstance(example, TextPair) else None
        return [float("nan") if known is None else known]
    if isinstance(example, LabelledText):
        said = example.labels or ()
    elif isinstance(example, (TextPair, RelationExample)):
        said = (example.label if example.label in outputs.labels else outputs.negative,)
    else:
        said = ()
    return [float(label in said) for label in outputs.labels]


def answers(
    examples: Iterable[Example], numbers: Iterable[Floats], outputs: Outputs
) -> Iterator[Example]:
    """Yield the examples with their answers; numbers: one row (outputs.size,) for each."""
    for example, row in zip(examples, numbers, strict=True):
        if isinstance(example, LabelledText):
            yield replace(example, labels=_labels(row, outputs))
        elif isinstance(example, RelationExample):
            yield replace(example, label=outputs.labels[int(row.argmax())])
        elif not isinstance(example, TextPair):
            raise ModelError(f"{example.id} is a whole document: it has no label of its own")
        elif outputs.rule == "score":
            yield replace(example, score=float(row[0]), label=None)
        else:
            yield replace(example, label=outputs.labels[int(row.argmax())], score=None)


def _labels(row: Floats, outputs: Outputs) -> tuple[str, ...]:
    """Return the label, or all whose sigmoid reaches a half: whose logit is not below 0.

    BLUE's script has two sigmoids for each label, one for absent and one for present, and writes
    their probabilities; how they became labels is not published. Here each has one.
    """
    if outputs.rule == "label":
        return (outputs.labels[int(row.argmax())],)
    return tuple(x for x, logit in zip(outputs.labels, row, strict=True) if logit >= 0)


def dev_scores(
    asked: Task, gold: list[Example], numbers: Iterable[Floats], outputs: Outputs
) -> dict[str, float]:
    """Return the task's own metric of a model's numbers by its name, 0 where it does not exist."""
    found = score(asked, gold, answers(gold, numbers, outputs))
    return {found.metric: round(found.score or 0.0, 4)}
