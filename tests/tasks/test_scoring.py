"""What holds of the score of every type of task and every metric that suits it."""

import pytest
from msgspec.structs import replace

from bluered.corpora.catalog import Task
from bluered.corpora.entry import Metric
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


def test_systems_that_speak_of_other_documents_are_compared():
    gold = mentions(**{f"d{n}": "1-4 6-9" for n in range(30)})
    second = mentions(**{f"d{n}": "1-4" for n in range(5, 30)}, x="1-2")
    found = compare(MENTIONS, gold, gold, second)
    assert found.difference == pytest.approx(score(MENTIONS, gold, second).score - 1)
    assert found.interval.high < 0


def test_systems_with_other_labels_cannot_be_compared_unless_the_task_names_them():
    task = made_up("inference", "macro-f1")
    gold = labels(a="yes", b="no")
    with pytest.raises(BlueredError, match="made-up names no labels"):
        compare(task, gold, labels(a="yes", b="maybe"), labels(a="yes", b="no"))
