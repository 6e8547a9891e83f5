"""`--scorer blue`: each named quirk moves the score where its cause is present, and only there."""

import math

import pytest
from msgspec.structs import replace

from bluered.corpora.catalog import Task
from bluered.documents.examples import RelationExample
from bluered.errors import BlueredError
from bluered.tasks.blue.scripts import SCRIPTS
from bluered.tasks.results import Result
from bluered.tasks.scoring import METRICS, score, shifts

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


def blue(task: Task, gold, predicted) -> Result:
    return score(task, gold, predicted, scorer="blue")


def moved(task: Task, gold, predicted, figure: str = "score") -> dict[str, float]:
    """Return the quirks that move a figure."""
    steps = shifts(task, gold, predicted)
    return {s.quirk.name: s.moved[figure] for s in steps if s.moved[figure]}


def stop(result: Result) -> str:
    (note,) = [note for note in result.notes if " stops here: " in note]
    assert result.details["printed"] == []
    return note


@pytest.mark.parametrize("kind", METRICS)
def test_quirks_have_names_of_their_own_a_reason_and_a_source(kind):
    quirks = SCRIPTS[kind].quirks
    assert len({quirk.name for quirk in quirks}) == len(quirks) > 2
    assert all(quirk.says and ".py, " in quirk.source for quirk in quirks)


def test_a_right_mention_repeated_costs_nothing_and_is_announced():
    """Three times the one gold mention: the script prints P = R = F = 100 and "TP: 1 vs TPs: 3"."""
    result = blue(MENTIONS, mentions(d="1-4"), mentions(d="1-4 1-4 1-4"))
    assert result.details["printed"][0] == "TP: 1 vs TPs: 3".split()
    assert result.score == 1


def test_no_matching_counts_repeated_gold_and_wrong_mentions_each():
    gold, predicted = mentions(d="1-4 1-4 6-8"), mentions(d="1-4 9-10 9-10")
    details = blue(MENTIONS, gold, predicted).details
    assert (details["tp"], details["fp"], details["fn"]) == (2, 2, 1)
    assert set(moved(MENTIONS, gold, predicted)) == {"no_matching"}


def test_types_are_ignored():
    gold = mentions(d="1-4", e="2-3")
    predicted = [*mentions(d="1-4"), *mentions("Gene", e="2-3 7-9")]
    assert score(MENTIONS, gold, predicted).score == pytest.approx(2 / 3)
    assert blue(MENTIONS, gold, predicted).score == pytest.approx(0.8)
    assert moved(MENTIONS, gold, predicted) == {"type_ignored": pytest.approx(0.8 - 2 / 3)}


def test_spans_must_be_listed_in_the_golds_order():
    gold, predicted = mentions(d="1-4+6-9"), mentions(d="6-9+1-4")
    assert (score(MENTIONS, gold, predicted).score, blue(MENTIONS, gold, predicted).score) == (1, 0)
    assert moved(MENTIONS, gold, predicted) == {"span_order": -1}


DDI = made_up("relation-extraction", "macro-f1", labels="DDI-x DDI-y", negative="DDI-false")


def test_the_negative_of_ddi_counts_since_it_is_not_called_false():
    """Ten pairs, one of them related, all predicted negative: 0.9 instead of 0."""
    gold = rows("d 0 1 DDI-x", *(f"d {n} 1 DDI-false" for n in range(2, 11)))
    predicted = [replace(row, label="DDI-false") for row in gold]
    assert score(DDI, gold, predicted).score == 0
    assert blue(DDI, gold, predicted).score == pytest.approx(0.9)
    assert set(moved(DDI, gold, predicted)) == {"false_by_name", "micro"}


def test_micro_instead_of_macro():
    task = replace(RELATIONS, entry=replace(RELATIONS.entry, metric="macro-f1"))
    gold = rows("d 1 2 A", "d 1 3 A", "d 1 4 B", "d 1 5 false")
    predicted = rows("d 1 2 A", "d 1 3 A", "d 1 4 false", "d 1 5 false")
    assert score(task, gold, predicted).score == 0.5
    assert blue(task, gold, predicted).score == pytest.approx(0.8)
    assert set(moved(task, gold, predicted)) == {"micro"}
    assert blue(task, gold, predicted).metric == "micro-f1"


def test_rows_of_other_pairs_vanish_from_precision_and_recall():
    gold = rows("d 1 2 A", "d 1 3 B", "d 1 4 A")
    predicted = rows("d 1 2 A", "d 1 9 A", "d 1 4 B")
    result = blue(RELATIONS, gold, predicted)
    assert result.details["rows"] == 2
    assert result.notes == {"rows about different pairs, skipped": 1}
    assert (result.details["micro"]["tp"], result.details["micro"]["fn"]) == (1, 1)
    assert "same_order" in moved(RELATIONS, gold, predicted)


def test_another_order_skips_rows():
    gold = rows("d 1 2 A", "d 1 3 B", "d 1 4 A")
    turned = [gold[1], gold[0], gold[2]]
    assert score(RELATIONS, gold, turned).score == 1
    result = blue(RELATIONS, gold, turned)
    assert result.details["rows"] == 1
    assert "all rows with B were skipped" in stop(result)
    with pytest.raises(BlueredError, match="compares rows in their order"):
        blue(RELATIONS, gold[:2], turned[:2])


def test_another_number_of_rows_stops_it():
    gold = rows("d 1 2 A", "d 1 3 B", "d 1 4 A")
    assert "3 rows in the gold, 2 in the prediction" in stop(blue(RELATIONS, gold, gold[:2]))
    assert blue(RELATIONS, gold, gold[1:]).score == 1  # without the check: missing rows skipped


def test_a_pair_with_two_labels_is_two_rows():
    gold = rows("d 1 2 A", "d 1 2 B")
    predicted = rows("d 1 2 B", "d 1 2 A")
    assert score(RELATIONS, gold, predicted).score == 1
    assert blue(RELATIONS, gold, predicted).score == 0
    assert set(moved(RELATIONS, gold, predicted)) == {"rows"}


def test_labels_that_the_task_does_not_count_count():
    gold, predicted = rows("d 1 2 A", "d 1 3 Z"), rows("d 1 2 A", "d 1 3 false")
    assert score(RELATIONS, gold, predicted).score == 1
    assert blue(RELATIONS, gold, predicted).score == pytest.approx(2 / 3)
    assert set(moved(RELATIONS, gold, predicted)) == {"false_by_name"}


def test_predictions_that_are_all_false_stop_it():
    gold = rows("d 1 2 A", "d 1 3 false")
    result = blue(RELATIONS, gold, rows("d 1 2 false", "d 1 3 false"))
    assert "pandas reads as booleans" in stop(result)
    assert result.score == 0


def test_the_printed_accuracy_of_a_class_is_its_recall():
    gold = rows("d 1 2 A", "d 1 3 A", "d 1 4 B", "d 1 5 false")
    predicted = rows("d 1 2 A", "d 1 3 B", "d 1 4 B", "d 1 5 B")
    heads, *lines = blue(RELATIONS, gold, predicted).details["printed"]
    row = dict(zip(heads, lines[0], strict=True))
    assert row["Accuracy"] == row["Recall"] == row["Sensitivity"] == "0.500"


def test_files_of_an_index_alone_are_compared_too():
    def bare(row: RelationExample) -> RelationExample:
        return replace(row, document="", head="", tail="")

    gold = rows("d 1 2 A", "d 1 3 B")
    assert blue(RELATIONS, gold, list(map(bare, gold))).score == 1


def test_precision_and_recall_are_printed_under_each_others_name():
    gold, predicted = topics(d_s0="a", e_s0="b"), topics(d_s0="abcd", e_s0="b")
    clean = score(TOPICS, gold, predicted).details
    assert (clean["precision"], clean["recall"]) == (0.625, 1)
    result = blue(TOPICS, gold, predicted)
    assert (result.details["precision"], result.details["recall"]) == (1, 0.625)
    assert result.score == clean["f1"]
    assert moved(TOPICS, gold, predicted) == {}
    swapped = moved(TOPICS, gold, predicted, "precision")
    assert swapped == {"precision_and_recall_swapped": 0.375}


def hallmarks(number: int) -> dict[str, str]:
    return {f"d{n}_s0": "ab"[n % 2] for n in range(number)}


def test_it_stops_unless_there_are_315_documents():
    few, all_of_test = topics(**hallmarks(157)), topics(**hallmarks(315))
    assert "157 documents, not 315" in stop(blue(TOPICS, few, few))
    printed = blue(TOPICS, all_of_test, all_of_test).details["printed"]
    assert [line[-1] for line in printed] == ["100.0"] * 3


def test_it_stops_at_a_document_without_a_gold_label():
    gold = topics(**(hallmarks(315) | {"d7_s0": ""}))
    assert "1 documents without a gold label (d7)" in stop(blue(TOPICS, gold, gold))


def test_the_document_ends_at_the_first_underscore():
    gold = [replace(row, document=row.id[:-3]) for row in topics(x_1_s0="a", x_2_s0="b")]
    predicted = [replace(row, labels=("a",)) for row in gold]
    assert score(TOPICS, gold, predicted).units == 2
    assert blue(TOPICS, gold, predicted).units == 1
    assert set(moved(TOPICS, gold, predicted)) == {"first_underscore"}


@pytest.mark.parametrize(
    ("task", "gold"),
    [
        (TOPICS, topics(d_s0="a", e_s0="b")),
        (INFERENCE, labels(a="yes", b="no")),
        (SIMILARITY, scores(a=1, b=2)),
    ],
)
def test_another_order_or_number_of_rows_stops_it(task, gold):
    assert "row 0 is" in stop(blue(task, gold, gold[::-1]))
    assert blue(task, gold, gold[::-1]).score == pytest.approx(1)
    if task is not SIMILARITY:
        assert "2 rows in the gold, 1 in the prediction" in stop(blue(task, gold, gold[:1]))


def test_a_label_that_nobody_has_stops_it():
    gold = labels(a="yes", b="no")
    assert "no row of gold or prediction is maybe" in stop(blue(INFERENCE, gold, gold))
    whole = labels(a="yes", b="no", c="maybe")
    assert len(blue(INFERENCE, whole, whole).details["printed"]) == 5


def test_inference_is_micro_whatever_the_task_says():
    task = replace(INFERENCE, entry=replace(INFERENCE.entry, metric="macro-f1"))
    gold = labels(a="yes", b="yes", c="no", d="maybe")
    predicted = labels(a="yes", b="yes", c="yes", d="maybe")
    assert blue(task, gold, predicted).score == 0.75
    assert set(moved(task, gold, predicted)) == {"micro"}


def test_pairs_without_a_score_are_left_out():
    gold = scores(a=1, b=2, c=3, d=5)
    result = blue(SIMILARITY, gold, scores(a=1, b=None, c=3, d=4))
    assert result.units == 3
    assert result.notes == {"pairs without a score, left out": 1}
    with pytest.raises(BlueredError, match="pair b has no score"):
        score(SIMILARITY, gold, scores(a=1, b=None, c=3, d=4))


def test_a_constant_prediction_gives_nan_or_rounding_errors():
    gold = scores(**{f"p{n}": n / 3 for n in range(20)})
    exact, inexact = (scores(**{f"p{n}": value for n in range(20)}) for value in (2.5, 0.7))
    result = blue(SIMILARITY, gold, exact)
    assert (result.score, result.details["printed"][0][-1]) == (None, "nan")
    assert math.isnan(moved(SIMILARITY, gold, inexact).get("constant", math.nan))
