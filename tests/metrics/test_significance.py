"""Intervals over documents and paired differences."""

import numpy as np
import pytest

from bluered.metrics.counts import Counts, total
from bluered.metrics.significance import f1_difference, f1_interval


def some(*, documents: int, seed: int) -> list[Counts]:
    rng = np.random.default_rng(seed)
    table = rng.integers(0, [12, 5, 6], size=(documents, 3))
    return [Counts(*map(int, row)) for row in table]


def test_interval_holds_the_score_and_shrinks_with_more_documents():
    few, many = some(documents=25, seed=1), some(documents=400, seed=1)
    narrow, wide = f1_interval(many, resamples=999), f1_interval(few, resamples=999)
    assert wide.low < total(few).f1 < wide.high
    assert narrow.low < total(many).f1 < narrow.high
    assert narrow.high - narrow.low < wide.high - wide.low


def test_interval_is_the_same_for_the_same_seed():
    documents = some(documents=30, seed=2)
    assert f1_interval(documents, resamples=500) == f1_interval(documents, resamples=500)
    assert f1_interval(documents, resamples=500) != f1_interval(documents, resamples=500, seed=9)


def test_interval_covers_the_truth_about_as_often_as_it_says():
    truth = total(some(documents=50_000, seed=0)).f1
    drawn = [f1_interval(some(documents=60, seed=s), resamples=400) for s in range(1, 101)]
    covered = sum(one.low <= truth <= one.high for one in drawn)
    assert 86 <= covered <= 100


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        ([], 0.0),
        ([Counts(1, 1, 0)], 2 / 3),
        ([Counts(2, 0, 0), Counts(5, 0, 0)], 1.0),
        ([Counts(0, 1, 2), Counts(0, 0, 4)], 0.0),
        ([Counts(1, 1, 0)] * 4, 2 / 3),
    ],
)
def test_interval_is_a_point_where_every_sample_scores_the_same(documents, expected):
    interval = f1_interval(documents)
    assert interval.low == interval.high == pytest.approx(expected)


def test_interval_exists_where_one_document_decides():
    interval = f1_interval([Counts(3, 0, 3), *[Counts()] * 20], resamples=200)
    assert 0 <= interval.low <= interval.high <= 1


def test_difference_of_a_system_with_itself_is_none():
    documents = some(documents=20, seed=3)
    result = f1_difference(documents, documents, resamples=200)
    assert (result.difference, result.interval.low, result.interval.high) == (0, 0, 0)
    assert result.p_value == 1


def test_difference_sees_a_system_that_is_better_everywhere():
    first = some(documents=40, seed=4)
    second = [Counts(c.tp + c.fn, c.fp, 0) for c in first]
    result = f1_difference(first, second, resamples=999)
    assert result.difference > 0
    assert result.interval.low > 0
    assert result.p_value < 0.01
    back = f1_difference(second, first, resamples=999)
    assert back.difference == pytest.approx(-result.difference)


def test_difference_of_noise_is_not_significant():
    first = some(documents=60, seed=5)
    second = first[1:] + first[:1]
    assert f1_difference(first, second, resamples=999).p_value > 0.5


def test_unpaired_systems_are_refused():
    with pytest.raises(ValueError, match="2 and 1 documents"):
        f1_difference([Counts()] * 2, [Counts()])
