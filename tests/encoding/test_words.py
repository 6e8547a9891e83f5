"""The words of word vectors are those that an encoder's tokenizer cuts into pieces."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluered.encoding.tokens import tokenize
from bluered.encoding.words import words

TEXTS = [
    "",
    " \n\t",
    "Loss of SCN5A (p.V600E) in long-QT syndrome, e.g. IL-2.",
    "α-Synuclein 𝛽𝛾 🧬 e\u0301tude\u2028next\tline\r\nnaïve ±5% >3",
]


def written(text: str) -> list[str]:
    return [text[word.start : word.end] for word in words(text)]


def test_white_space_and_every_mark_separate():
    assert written("IL-2 rose (p.V600E).") == "IL - 2 rose ( p . V600E ) .".split()


@pytest.mark.parametrize("text", TEXTS)
def test_they_stand_where_a_tokenizer_puts_them(tiny_tokenizer, text):
    tokens = tokenize(text, tiny_tokenizer)
    found = [(word.start, word.end) for word in words(text)]
    assert found == list(zip(tokens.word_starts.tolist(), tokens.word_ends.tolist(), strict=True))


@given(st.text(max_size=80))
def test_they_are_in_order_and_hold_every_letter(text):
    found = words(text)
    assert all(word.start < word.end for word in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
    inside = {place for word in found for place in range(word.start, word.end)}
    assert {place for place, letter in enumerate(text) if not letter.isspace()} <= inside


def test_half_a_surrogate_pair_shifts_nothing():
    assert written("\ud800 loss \udfff gene")[1::2] == ["loss", "gene"]
