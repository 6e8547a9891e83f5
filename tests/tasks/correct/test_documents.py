"""F1 of the labels of documents, as scikit-learn has it, and by BLUE's mean of means."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sklearn.metrics import accuracy_score, f1_score, precision_recall_fscore_support

from bluered.errors import BlueredError
from bluered.tasks.scoring import score

from ..made_up import TOPICS, topics

SETS = st.sets(st.sampled_from("abcd"))


@given(st.lists(st.tuples(SETS.filter(bool), SETS), min_size=1))
@settings(max_examples=50, deadline=None)
def test_document_labels_equal_scikit_learns(pairs):
    gold = topics(**{f"d{n}_s0": "".join(one) for n, (one, _) in enumerate(pairs)})
    predicted = topics(**{f"d{n}_s0": "".join(other) for n, (_, other) in enumerate(pairs)})
    truth, said = (
        np.array([[label in pair[side] for label in "abcd"] for pair in pairs]) for side in (0, 1)
    )
    p, r, f, _ = precision_recall_fscore_support(truth, said, average="samples", zero_division=0)
    details = score(TOPICS, gold, predicted).details
    assert (details["precision"], details["recall"]) == pytest.approx((p, r))
    assert details["document_mean_f1"] == pytest.approx(f)
    assert details["f1"] == pytest.approx(2 * p * r / (p + r) if p + r else 0)
    assert details["exact_match"] == pytest.approx(accuracy_score(truth, said))
    micro = f1_score(truth, said, average="micro", zero_division=0)
    assert details["micro"]["f1"] == pytest.approx(micro)


def test_a_document_has_the_labels_of_all_its_sentences():
    gold = topics(d_s0="ab", d_s1="", e_s0="c")
    result = score(TOPICS, gold, topics(d_s0="", d_s1="ba", e_s0="c"))
    assert (result.score, result.units) == (1, 2)


def test_f_is_that_of_the_mean_precision_and_recall():
    gold, predicted = topics(d="a", e="abcd"), topics(d="ab", e="a")
    details = score(TOPICS, gold, predicted).details
    assert (details["precision"], details["recall"]) == (0.75, 0.625)
    assert details["f1"] == pytest.approx(2 * 0.75 * 0.625 / 1.375)
    assert details["document_mean_f1"] == pytest.approx((2 / 3 + 0.4) / 2)


def test_a_missing_document_is_without_labels():
    result = score(TOPICS, topics(d="a", e="b"), topics(d="a"))
    assert (result.details["precision"], result.details["recall"]) == (0.5, 0.5)
    assert list(result.notes.values()) == [1]


@pytest.mark.parametrize(("predicted", "expected"), [("", 1), ("a", 0.5)])
def test_a_document_without_gold_label_is_right_if_nothing_is_predicted(predicted, expected):
    result = score(TOPICS, topics(d="a", e=""), topics(d="a", e=predicted))
    assert result.score == expected
    assert any("without a label" in note for note in result.notes)


def test_rows_go_to_the_document_that_the_gold_gives_their_id():
    """A user's ids may hold underscores, which end the document's name in BLUE's."""
    gold = [replace(row, document=row.id) for row in topics(d_1="a", d_2="b")]
    assert score(TOPICS, gold, topics(d_1="a", d_2="b")).score == 1
    whole = [replace(row, id=row.document) for row in topics(d_s0="ab", e_s0="c")]
    assert score(TOPICS, topics(d_s0="a", d_s1="b", e_s0="c"), whole).score == 1


@pytest.mark.parametrize(
    ("predicted", "message"),
    [
        (topics(d="a", z="b"), r"1 rows of the prediction belong to no document of the gold \(z;"),
        (topics(d="x"), "no label of made-up 'x'"),
        (topics(d="a") * 2, "d stands twice in the prediction"),
        ([replace(topics(d="a")[0], labels=None)], "d has no answer in the prediction"),
    ],
)
def test_document_labels_that_cannot_be_judged_are_refused(predicted, message):
    with pytest.raises(BlueredError, match=message):
        score(TOPICS, topics(d="a"), predicted)


def test_a_sentence_that_the_gold_lacks_is_noted():
    gold = topics(d1_s0="a", d2_s0="b")
    found = score(TOPICS, gold, topics(d1_s0="a", d1_s99="c", d2_s0="b"))
    assert found.score is not None
    assert found.score < 1
    assert found.notes == {
        "predicted rows that the gold lacks, their labels counted for their document": 1
    }
    whole = [replace(row, id=row.document) for row in gold]
    assert score(TOPICS, gold, whole).notes == {}
