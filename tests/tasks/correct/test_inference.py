"""Accuracy and F1 of pairs of sentences, as scikit-learn has them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sklearn.metrics import accuracy_score, f1_score

from bluered.corpora.catalog import Task
from bluered.corpora.entry import Metric
from bluered.errors import BlueredError
from bluered.tasks.scoring import score

from ..made_up import INFERENCE, labels, scores


def by(task: Task, metric: Metric) -> Task:
    return replace(task, entry=replace(task.entry, metric=metric))


@given(st.lists(st.tuples(*[st.sampled_from(["yes", "no", "maybe"])] * 2), min_size=1))
@settings(max_examples=50, deadline=None)
def test_inference_equals_scikit_learns(pairs):
    truth, said = zip(*pairs, strict=True)
    gold = labels(**{f"p{n}": one for n, one in enumerate(truth)})
    predicted = labels(**{f"p{n}": one for n, one in enumerate(said)})
    assert score(INFERENCE, gold, predicted).score == pytest.approx(accuracy_score(truth, said))
    macro = score(by(INFERENCE, "macro-f1"), gold, predicted).score
    assert macro == pytest.approx(f1_score(truth, said, average="macro", zero_division=0))


def test_a_pair_without_answer_is_wrong_and_noted():
    gold = labels(a="yes", b="no", c="no", d="maybe")
    result = score(INFERENCE, gold, labels(a="yes", d="maybe"))
    assert result.score == 0.5
    assert list(result.notes.values()) == [2]


@pytest.mark.parametrize(
    ("predicted", "message"),
    [
        (labels(a="yes", z="no"), r"not in the gold \(z"),
        (labels(a="Yes"), "a in the prediction: no label of made-up 'Yes'; did you mean 'yes'"),
        (labels(a=""), "the label is empty; one of yes, no, maybe is expected"),
        (scores(a=1), "a has no label in the prediction"),
    ],
)
def test_answers_that_are_none_are_refused(predicted, message):
    with pytest.raises(BlueredError, match=message):
        score(INFERENCE, labels(a="yes"), predicted)
