"""Counts and their ratios."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bluered.metrics.counts import Counts, compare, total

SETS = st.frozensets(st.integers(0, 20))


def test_ratios_of_the_textbook():
    counts = Counts(tp=6, fp=2, fn=4)
    assert counts.precision == 0.75
    assert counts.recall == 0.6
    assert counts.f1 == pytest.approx(2 * 0.75 * 0.6 / 1.35)


def test_ratio_of_nothing_is_zero():
    assert (Counts().precision, Counts().recall, Counts().f1) == (0, 0, 0)


@settings(deadline=None)
@given(SETS, SETS)
def test_counts_add_up_to_the_sets(gold, predicted):
    counts = compare(gold, predicted)
    assert counts.tp + counts.fn == len(gold)
    assert counts.tp + counts.fp == len(predicted)


@settings(deadline=None)
@given(SETS)
def test_equal_sets_are_all_right(gold):
    assert compare(gold, gold) == Counts(tp=len(gold))


@settings(deadline=None)
@given(st.lists(st.builds(Counts, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))))
def test_total_does_not_depend_on_the_order(counts):
    assert total(counts) == total(reversed(counts))
