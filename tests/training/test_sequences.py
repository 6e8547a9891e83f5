"""Any task as sequences and numbers, and back to answers: without a model, and without torch."""

import subprocess
import sys
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from msgspec.structs import replace

from bluered.corpora.catalog import Task, task
from bluered.documents.document import Document
from bluered.documents.examples import LabelledText, RelationExample, TextPair
from bluered.errors import ModelError
from bluered.tasks.examples import without_answers
from bluered.training.sequences import (
    Outputs,
    Sequence,
    answers,
    dev_scores,
    outputs_of,
    sequence,
    targets,
)


def _task(kind: str, metric: str, *, negative: str = "", labels: tuple[str, ...] = ()) -> Task:
    entry = SimpleNamespace(type=kind, metric=metric, negative=negative, labels=labels)
    return cast(Task, SimpleNamespace(name="invented", entry=entry))


def _pair(number: int, **answer: Any) -> TextPair:
    return TextPair(id=str(number), first="a mouse", second="a rat", **answer)


def _text(number: int, document: str, *labels: str) -> LabelledText:
    return LabelledText(id=str(number), document=document, text="it grows", labels=labels)


def _relation(number: int, label: str) -> RelationExample:
    text = "@DRUG$ reduces @GENE$"
    return RelationExample(
        id=str(number), document="1", head="T1", tail="T2", text=text, label=label
    )


CASES = {
    "similarity": (
        _task("sentence-similarity", "pearson"),
        [_pair(1, score=0.0), _pair(2, score=3.5), _pair(3, score=4.0)],
        [[0.0], [3.5], [4.0]],
    ),
    "inference": (
        _task("inference", "accuracy", labels=("no", "yes")),
        [_pair(1, label="yes"), _pair(2, label="no")],
        [[0, 1], [1, 0]],
    ),
    "relations": (
        _task("relation-extraction", "micro-f1", negative="none", labels=("no", "yes")),
        [_relation(1, "yes"), replace(_relation(2, "none"), tail="T3")],
        [[0, 1, 0], [0, 0, 1]],
    ),
    "documents": (
        _task("document-classification", "example-f1", labels=("no", "yes")),
        [_text(1, "A"), _text(2, "A", "yes", "no"), _text(3, "B", "no")],
        [[0, 0], [1, 1], [1, 0]],
    ),
    "documents of one label": (
        _task("document-classification", "accuracy", labels=("no", "yes")),
        [_text(1, "A", "yes"), _text(2, "B", "no")],
        [[0, 1], [1, 0]],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_targets_taken_for_numbers_give_the_answers_back(name):
    asked, examples, expected = CASES[name]
    outputs = outputs_of(asked, ("no", "yes"))
    wanted = targets(examples, outputs)
    assert wanted.tolist() == expected
    assert wanted.shape[1] == outputs.size
    numbers = wanted - 0.5 if outputs.rule == "labels" else wanted
    found = list(answers(map(without_answers, examples), numbers, outputs))
    if outputs.rule == "labels":  # in the order of the task, not of the corpus
        examples = [replace(e, labels=tuple(sorted(e.labels))) for e in examples]
    assert found == examples
    assert list(dev_scores(asked, examples, numbers, outputs).items()) == [
        (asked.entry.metric, 1.0)
    ]


def test_a_label_is_said_from_a_probability_of_a_half():
    outputs = Outputs("labels", ("a", "b", "c"))
    (found,) = answers([_text(1, "A")], np.array([[0.0, -1e-6, 5.0]], dtype=np.float32), outputs)
    assert isinstance(found, LabelledText)
    assert found.labels == ("a", "c")


def test_what_does_not_count_is_negative_or_nothing():
    relations = outputs_of(CASES["relations"][0], ("yes",))
    assert targets([_relation(1, "no")], relations).tolist() == [[0, 1]]
    inference = outputs_of(CASES["inference"][0], ("yes",))
    assert targets([_pair(1, label="no")], inference).tolist() == [[0]]
    assert np.isnan(targets([_pair(1)], outputs_of(CASES["similarity"][0], ()))).all()
    assert targets([], inference).shape == (0, 1)


def test_a_pair_with_two_labels_is_learned_and_answered_twice():
    asked, _, _ = CASES["relations"]
    outputs = outputs_of(asked, ("no", "yes"))
    gold = [_relation(1, "yes"), _relation(1, "no")]
    assert targets(gold, outputs).argmax(axis=1).tolist() == [1, 0]
    both = np.tile(np.array([[0, 1, 0]], dtype=np.float32), (2, 1))
    assert dev_scores(asked, list(gold), both, outputs) == {"micro-f1": round(2 / 3, 4)}


def test_constant_scores_have_a_correlation_of_zero():
    asked, examples, _ = CASES["similarity"]
    flat = np.ones((3, 1), dtype=np.float32)
    assert dev_scores(asked, examples, flat, Outputs("score")) == {"pearson": 0.0}


def test_texts_are_read_as_they_are():
    assert sequence(_pair(1)) == Sequence("a mouse", "a rat")
    assert sequence(_text(1, "A")) == Sequence("it grows")
    assert sequence(_relation(1, "yes")) == Sequence("@DRUG$ reduces @GENE$")


def test_named_entities_are_no_sequence():
    with pytest.raises(ModelError, match="bc5cdr-disease is a task of named-entities"):
        outputs_of(task("bc5cdr-disease"), ("Disease",))
    with pytest.raises(ModelError, match="7 is a whole document"):
        sequence(Document(id="7", text=""))


def test_torch_is_not_needed():
    code = "import sys, bluered.training.sequences; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
