"""Figures of sums equal what the usual libraries give for the items themselves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr

from bluered.metrics import sums


@given(st.lists(st.tuples(*[st.floats(-5, 5).map(lambda v: round(v, 2))] * 2), min_size=3))
def test_pearson_equals_scipys(pairs):
    x, y = np.array(pairs).T
    found = float(sums.pearson(sums.pearson_terms(x, y).sum(axis=0)))
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert np.isnan(found)
    elif min(np.ptp(x), np.ptp(y)) > 0.5:
        assert found == pytest.approx(pearsonr(x, y)[0], abs=1e-9)


def test_pearson_does_not_lose_its_digits_far_from_zero():
    x = 1000 + np.arange(9.0)
    y = x * x
    expected = pearsonr(x, y)[0]
    assert float(sums.pearson(sums.pearson_terms(x, y).sum(axis=0))) == pytest.approx(expected)


def test_centring_keeps_every_digit_and_equal_values_equal():
    values = np.array([5.0, 5.0, 5.0 + 2**-40])
    assert sums.centred(values * 2.0**900).tolist() == sums.centred(values).tolist()
    assert sums.centred(values)[0] == sums.centred(values)[1] != sums.centred(values)[2]
    assert len(set(sums.centred(np.full(7, 2.7)).tolist())) == 1


def test_averages_of_nothing_are_0():
    nothing = np.zeros(6)
    assert sums.micro_f1(nothing) == sums.macro_f1(nothing) == 0
    assert sums.accuracy(np.zeros(2)) == sums.example_f1(np.zeros(3)) == 0


def test_macro_leaves_out_classes_that_nobody_has():
    assert float(sums.macro_f1(np.array([1.0, 0, 0, 0, 0, 0]))) == 1
    assert float(sums.macro_f1(np.array([1.0, 0, 0, 0, 1, 0]))) == 0.5


def test_rows_are_figured_one_by_one():
    table = np.array([[1.0, 0, 1], [0, 2, 2], [4, 0, 0]])
    assert list(sums.micro_f1(table)) == [pytest.approx(2 / 3), 0, 1]
