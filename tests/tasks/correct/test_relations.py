"""F1 of relations, as scikit-learn has it; two labels, missing and unknown pairs, their names."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sklearn.metrics import accuracy_score, precision_recall_fscore_support

from bluered.corpora.catalog import Task
from bluered.corpora.entry import Metric
from bluered.documents.examples import RelationExample
from bluered.errors import BlueredError
from bluered.tasks.scoring import score

from ..made_up import RELATIONS, rows


def by(task: Task, metric: Metric) -> Task:
    return replace(task, entry=replace(task.entry, metric=metric))


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


def test_a_pair_that_is_both_negative_and_not_is_noted():
    gold = rows("d 1 2 A", "d 1 3 B")
    found = score(RELATIONS, gold, rows("d 1 2 false", "d 1 2 A", "d 1 3 B"))
    assert (found.score, found.notes) == (
        1,
        {"pairs predicted as negative and with a label, which counts": 1},
    )


def test_rows_without_id_are_named_by_their_arguments():
    gold, other = ([replace(row, id="") for row in rows(f"{d} 1 2 A")] for d in "de")
    with pytest.raises(BlueredError, match=r"prediction \(e\.1\.2\) is in the gold \(d\.1\.2\)"):
        score(RELATIONS, gold, other)
