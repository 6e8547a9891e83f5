"""Blinded sentences: what the placeholders replace, and what BLUE does where arguments meet."""

import pytest

from bluered.documents.document import Span
from bluered.tasks.relations import ascii, blinding
from bluered.tasks.relations.ascii import ascii_in_place, to_ascii
from bluered.tasks.relations.blinding import blind

NAMES = ("A", "B")


@pytest.mark.parametrize(
    ("head", "tail", "expected"),
    [
        ((0, 3), (8, 11), "@A$ and @B$ end"),
        ((8, 11), (0, 3), "@A$ and @B$ end"),  # BLUE's oddity: the names keep their order
        ((0, 3), (4, 7), "@A$ @B$ two end"),
        ((0, 4), (4, 7), "@A-B$ two end"),
        ((0, 7), (4, 11), "@A-B$ end"),
        ((0, 11), (4, 7), "@A-B$ end"),
        ((4, 7), (0, 11), "@A-B$ end"),
        ((4, 7), (4, 7), "one @A-B$ two end"),
    ],
)
def test_arguments_that_touch_become_one(head, tail, expected) -> None:
    found = blind("one and two end", Span(*head), Span(*tail), names=NAMES, joint="A-B")
    assert found == expected


def test_ascii_is_that_of_blue() -> None:
    assert to_ascii("Aβ₁₂ ≥ 5 µM ± 0·1 × 10⁻³ α→β Å é ß") == "Ab12 > 5 mM + 0*1 * 10-3 a>b A e b"
    assert to_ascii("PKCθ ψ Ψ Ω") == "PKCth ps PS w"
    assert to_ascii("left out: 中\u200b\x00, kept: \t") == "left out: , kept: \t"


def test_ascii_in_place_moves_nothing() -> None:
    text = "θ 中 α\u2009β ≥"
    assert ascii_in_place(text) == "t   a b >"
    assert len(ascii_in_place(text)) == len(text)


@pytest.mark.parametrize("module", [ascii, blinding])
def test_the_examples_in_the_docstrings_hold(module) -> None:
    import doctest

    assert doctest.testmod(module).failed == 0
