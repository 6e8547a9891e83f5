"""`--scorer correct`: every rule of the five types of task, and the usual libraries agree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from scipy.stats import pearsonr
from seqeval.metrics import f1_score as seqeval_f1
from seqeval.scheme import IOB2
from sklearn.metrics import accuracy_score, f1_score, precision_recall_fscore_support

from bluered.corpora.catalog import Task
from bluered.corpora.entry import Metric
from bluered.documents.document import Document, Entity, Span
from bluered.documents.examples import RelationExample
from bluered.errors import BlueredError
from bluered.tasks.scoring import METRICS, compare, score

from .made_up import (
    INFERENCE,
    MENTIONS,
    RELATIONS,
    SIMILARITY,
    TOPICS,
    labels,
    made_up,
    mentions,
    rows,
    scores,
    topics,
)


def by(task: Task, metric: Metric) -> Task:
    return replace(task, entry=replace(task.entry, metric=metric))


# --------------------------------------------------------------------------------------- all types

GOLD = {
    "sentence-similarity": (SIMILARITY, scores(a=1, b=2, c=4.5)),
    "inference": (INFERENCE, labels(a="yes", b="no", c="maybe")),
    "relation-extraction": (RELATIONS, rows("d 1 2 A", "d 1 3 false", "e 1 2 B")),
    "document-classification": (TOPICS, topics(d_s0="ab", d_s1="", e_s0="c")),
    "named-entities": (MENTIONS, mentions(d="1-4 6-9+11-12", e="2-3")),
}
PAIRS = [(kind, metric) for kind, metrics in METRICS.items() for metric in metrics]


@pytest.mark.parametrize(("kind", "metric"), PAIRS)
@pytest.mark.parametrize("scorer", ["correct", "blue"])
def test_gold_scores_1_by_every_metric_that_suits(kind, metric, scorer):
    task, gold = GOLD[kind]
    result = score(by(task, metric), gold, gold, scorer=scorer, with_interval=True)
    assert result.score == pytest.approx(1)
    assert result.interval.low == pytest.approx(1)


@pytest.mark.parametrize(("kind", "metric"), PAIRS)
def test_the_order_of_predictions_changes_nothing(kind, metric):
    task, gold = GOLD[kind]
    turned = score(by(task, metric), gold, gold[::-1])
    assert turned == score(by(task, metric), gold, gold)


@pytest.mark.parametrize("kind", METRICS)
def test_a_metric_that_does_not_suit_is_refused(kind):
    task, gold = GOLD[kind]
    wrong = "pearson" if kind != "sentence-similarity" else "accuracy"
    with pytest.raises(BlueredError, match=f"metric {wrong} does not suit {kind}: one of"):
        score(by(task, wrong), gold, gold)


def test_examples_of_another_type_are_refused():
    with pytest.raises(BlueredError, match="a in the prediction is a TextPair"):
        score(RELATIONS, rows("d 1 2 A"), scores(a=1))


def test_biored_is_scored_elsewhere():
    with pytest.raises(BlueredError, match="bluered score biored"):
        score(made_up("document-relations", "biored"), [], [])


def test_two_systems_are_compared_by_the_tasks_own_metric():
    gold = scores(**{f"p{n}": float(n % 7) for n in range(60)})
    noisy = scores(**{f"p{n}": n % 7 + 3.0 * (n * n % 5) for n in range(60)})
    found = compare(SIMILARITY, gold, noisy, gold)
    assert found.difference == pytest.approx(1 - score(SIMILARITY, gold, noisy).score)
    assert found.p_value < 0.001


# -------------------------------------------------------------------------------------- similarity


def test_pearson_equals_scipys():
    gold = scores(a=1, b=2, c=4.5, d=0.25)
    predicted = scores(d=0.5, c=3.25, b=2.5, a=1.5)
    expected = pearsonr([1, 2, 4.5, 0.25], [1.5, 2.5, 3.25, 0.5])[0]
    assert score(SIMILARITY, gold, predicted).score == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("value", [2.5, 2.7, 0.1])
def test_a_constant_prediction_has_no_correlation(value):
    gold = scores(**{f"p{n}": n / 3 for n in range(20)})
    constant = scores(**{f"p{n}": value for n in range(20)})
    result = score(SIMILARITY, gold, constant, with_interval=True)
    assert (result.score, result.interval) == (None, None)
    assert sum("no correlation" in note for note in result.notes) == 1


@pytest.mark.parametrize(
    ("predicted", "message"),
    [
        (scores(a=1, b=2), r"1 of 3 gold items have no prediction \(c\)"),
        (scores(a=1, b=2, c=3, z=4), r"1 ids of the prediction are not in the gold \(z"),
        (scores(a=1, b=2, c=3) + scores(a=2), "a stands twice in the prediction"),
        (scores(a=1, b=2, c=None), "pair c has no score in the prediction"),
        (scores(a=1, b=2, c=float("nan")), "pair c has no score in the prediction: found nan"),
        (scores(a=1, b=2, c=float("inf")), "pair c has no score in the prediction: found inf"),
        ([], "the prediction holds nothing"),
    ],
)
def test_scores_that_cannot_be_correlated_are_refused(predicted, message):
    with pytest.raises(BlueredError, match=message):
        score(SIMILARITY, scores(a=1, b=2, c=4), predicted)


# --------------------------------------------------------------------------------------- inference


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


# --------------------------------------------------------------------------------------- relations


@given(st.lists(st.tuples(*[st.sampled_from(["A", "B", "C", "false"])] * 2), min_size=1))
@settings(max_examples=50, deadline=None)
def test_relations_equal_scikit_learns(pairs):
    gold = rows(*(f"d{n % 5} {n} x {one}" for n, (one, _) in enumerate(pairs)))
    predicted = rows(*(f"d{n % 5} {n} x {other}" for n, (_, other) in enumerate(pairs)))
    truth, said = zip(*pairs, strict=True)
    result = score(RELATIONS, gold, predicted)
    present = sorted({*truth, *said} - {"false"})
    for average in ("micro", "macro"):
        p, r, f, _ = precision_recall_fscore_support(
            truth, said, labels=present or ["A"], average=average, zero_division=0
        )
        found = result.details[average]
        assert (found["precision"], found["recall"], found["f1"]) == pytest.approx((p, r, f))
    assert result.score == result.details["micro"]["f1"]
    assert result.details["accuracy"] == pytest.approx(accuracy_score(truth, said))


def test_macro_is_the_score_where_the_task_says_so():
    gold = rows("d 1 2 A", "d 1 3 A", "d 1 4 B")
    predicted = rows("d 1 2 A", "d 1 3 A", "d 1 4 A")
    result = score(by(RELATIONS, "macro-f1"), gold, predicted)
    assert result.score == result.details["macro"]["f1"] == pytest.approx(0.4)
    assert result.details["micro"]["f1"] == pytest.approx(2 / 3)
    assert set(result.details["by_label"]) == {"A", "B", "C"}


def test_both_labels_of_a_pair_are_sought():
    gold = rows("d 1 2 A", "d 1 2 B")
    one = score(RELATIONS, gold, rows("d 1 2 A", "d 1 2 A"))
    assert (one.details["micro"]["tp"], one.details["micro"]["fn"]) == (1, 1)
    assert any("repeat" in note for note in one.notes)
    both = score(RELATIONS, gold, rows("d 1 2 B", "d 1 2 A"))
    assert both.score == 1
    assert any("several predicted labels" in note for note in both.notes)


def test_a_missing_pair_is_negative_and_noted():
    gold = rows("d 1 2 A", "d 1 3 false", "d 1 4 B")
    result = score(RELATIONS, gold, rows("d 1 2 A"))
    assert (result.details["micro"]["tp"], result.details["micro"]["fn"]) == (1, 1)
    assert result.notes == {"gold pairs without a prediction, counted as negative": 2}


def test_an_unknown_pair_is_false_unless_negative():
    gold = rows("d 1 2 A")
    result = score(RELATIONS, gold, rows("d 1 2 A", "d 8 9 B", "d 8 7 false"))
    assert (result.details["micro"]["tp"], result.details["micro"]["fp"]) == (1, 1)
    assert result.notes == {"predicted rows of pairs that the gold lacks, false unless negative": 2}


def test_the_reverse_is_another_pair():
    result = score(RELATIONS, rows("d 1 2 A", "d 1 3 B"), rows("d 2 1 A", "d 1 3 B"))
    assert (result.details["micro"]["tp"], result.details["micro"]["fp"]) == (1, 1)


def by_index(*written: str) -> list[RelationExample]:
    return [replace(row, document="", head="", tail="") for row in rows(*written)]


def numbered(*written: str) -> list[RelationExample]:
    return [replace(row, id=f"R{n}") for n, row in enumerate(rows(*written))]


@pytest.mark.parametrize("gold", [rows, by_index, numbered])
@pytest.mark.parametrize("predicted", [rows, by_index, numbered])
def test_pairs_meet_by_arguments_or_index(gold, predicted):
    written = ("d.1 T1 T2 A", "d.1 T1 T3 false", "e T1 T2 B")
    result = score(RELATIONS, gold(*written), predicted(*reversed(written)))
    assert (result.score, result.notes) == (1, {})


def test_pairs_with_ids_of_their_own_meet_by_id():
    gold = [
        replace(rows("x e0 e1 A")[0], id="x.s1.p0"),
        replace(rows("x e0 e2 B")[0], id="x.s1.p1"),
    ]
    predicted = [replace(row, document="", head="", tail="") for row in gold]
    result = score(RELATIONS, gold, predicted)
    assert (result.score, result.units) == (1, 1)
    assert score(RELATIONS, predicted, gold[::-1]).score == 1


def test_a_gold_label_that_the_task_does_not_count_is_negative():
    result = score(RELATIONS, rows("d 1 2 A", "d 1 3 Z"), rows("d 1 2 A", "d 1 3 false"))
    assert result.score == 1
    assert any("does not count" in note for note in result.notes)


@pytest.mark.parametrize(
    ("predicted", "message"),
    [
        (rows("d 1 2 a"), "no label of made-up 'a'; did you mean"),
        (rows("x 1 2 A"), r"no pair of the prediction \(x.1.2\) is in the gold \(d.1.2\)"),
        ([replace(rows("d 1 2 A")[0], label=None)], "has no label in the prediction"),
    ],
)
def test_relations_that_cannot_be_judged_are_refused(predicted, message):
    with pytest.raises(BlueredError, match=message):
        score(RELATIONS, rows("d 1 2 A"), predicted)


# -------------------------------------------------------------------------------- document classes

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


# ---------------------------------------------------------------------------------------- mentions

TAGS = st.lists(st.sampled_from(["O", "B-X", "I-X", "B-Y", "I-Y"]), min_size=8, max_size=8)


def tagged(name: str, tags: list[str]) -> Document:
    """Return the mentions of strict IOB2 tags, one character a token."""
    entities, n = [], 0
    while n < len(tags):
        if tags[n].startswith("B-"):
            end = n + 1
            while end < len(tags) and tags[end] == f"I-{tags[n][2:]}":
                end += 1
            entities.append(Entity(type=tags[n][2:], spans=(Span(n, end),), text=""))
            n = end
        else:
            n += 1
    return Document(id=name, text="", entities=tuple(entities))


@given(st.lists(st.tuples(TAGS, TAGS), min_size=1, max_size=6))
@settings(max_examples=40, deadline=None)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_mentions_equal_seqevals_in_strict_mode(pairs):
    gold = [tagged(f"d{n}", one) for n, (one, _) in enumerate(pairs)]
    predicted = [tagged(f"d{n}", other) for n, (_, other) in enumerate(pairs)]
    task = made_up("named-entities", "mention-f1", types="X Y")
    truth, said = map(list, zip(*pairs, strict=True))
    if not any(d.entities for d in gold) and not any(d.entities for d in predicted):
        return
    micro = seqeval_f1(truth, said, mode="strict", scheme=IOB2, zero_division=0)
    assert score(task, gold, predicted).score == pytest.approx(micro)


@pytest.mark.parametrize(
    ("predicted", "counts"),
    [
        (mentions(d="1-4 6-9+11-12", e="0-2"), (3, 0, 0)),
        (mentions(d="1-4 11-12+6-9", e="0-2"), (3, 0, 0)),
        (mentions(d="1-4 6-9", e="0-2"), (2, 1, 1)),
        (mentions(d="1-5", e="0-2"), (1, 1, 2)),
        (mentions(d="1-4 1-4 1-4", e="0-2 0-2 3-4 3-4"), (2, 1, 1)),
        (mentions(d="1-4"), (1, 0, 2)),
        (mentions(e="0-2", x="1-4 2-3"), (1, 2, 2)),
        (mentions("DISEASE", d="1-4"), (1, 0, 2)),
        (mentions("", d="1-4"), (1, 0, 2)),
    ],
)
def test_mentions_are_strict_sets_per_document(predicted, counts):
    gold = mentions(d="1-4 6-9+11-12", e="0-2")
    details = score(MENTIONS, gold, predicted).details
    assert (details["tp"], details["fp"], details["fn"]) == counts


def test_mentions_of_other_types_are_left_out_and_noted():
    gold = mentions(d="1-4")
    both = [replace(gold[0], entities=(*gold[0].entities, *mentions("Gene", d="7-9")[0].entities))]
    result = score(MENTIONS, both, both)
    assert (result.score, result.details["tp"]) == (1, 1)
    assert result.notes == {"predicted mentions of other types than the task's, left out": 1}


def test_missing_unknown_and_repeated_are_noted():
    result = score(MENTIONS, mentions(d="1-4", e="2-3"), mentions(d="1-4 1-4", x="1-2"))
    assert sorted(result.notes.values()) == [1, 1, 1]
    assert result.details["document_mean_f1"] == pytest.approx(1 / 3)


def test_macro_over_types():
    task = made_up("named-entities", "macro-f1", types="X Y")
    gold = [*mentions("X", d="1-4"), *mentions("Y", e="2-3 5-6")]
    result = score(task, gold, mentions("X", d="1-4"))
    assert result.score == result.details["macro"]["f1"] == 0.5
    assert result.details["by_type"]["Y"]["fn"] == 2


def test_mentions_of_no_type_that_is_asked_for_are_refused():
    with pytest.raises(BlueredError, match=r"of a type of made-up \(Disease\): found Gene"):
        score(MENTIONS, mentions(d="1-4"), mentions("Gene", d="1-4"))


def test_other_documents_and_repeated_ones_are_refused():
    with pytest.raises(BlueredError, match=r"no document of the prediction \(x\) is in the gold"):
        score(MENTIONS, mentions(d="1-4"), mentions(x="1-4"))
    with pytest.raises(BlueredError, match="document d stands twice in the prediction"):
        score(MENTIONS, mentions(d="1-4"), mentions(d="1-4") * 2)
    with pytest.raises(BlueredError, match="the gold holds no document"):
        score(MENTIONS, [], mentions(d="1-4"))


def test_nothing_predicted_is_all_missed():
    assert score(MENTIONS, mentions(d="1-4"), []).score == 0
