import pytest

from bluered.normalize.variants.rs import numbers_at_places, rs_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("rs1801133", "rs1801133"),
        ("RS 1801133", "rs1801133"),
        ("rs#1801133 (C677T)", "rs1801133"),
        ("C677T", ""),
        ("hrs12", ""),
        ("rs1", ""),
    ],
)
def test_rs_numbers_are_found(text, number):
    assert rs_number(text) == number


def test_places_with_a_number():
    text = "at -1123 (rs2488457), +1858 (rs2476601, the R620W substitution) and 7 (n = 2)"
    assert numbers_at_places(text) == {"-1123": "rs2488457", "1858": "rs2476601"}
