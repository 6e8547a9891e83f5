import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluered.encoding.surface import SPACE_BEFORE, UNKNOWN, character_ids
from bluered.encoding.tokens import tokenize

AWKWARD = "α-Synuclein 𝛽𝛾 e\u0301tude\u2028next\tline\r\n(p.V600E) naïve ﬁbre 中文 \u200bzero"


def test_offsets_are_code_points_into_the_text(tiny_tokenizer):
    text = "🧬 SCN5A loss"
    tokens = tokenize(text, tiny_tokenizer)
    words = [text[a:b] for a, b in zip(tokens.word_starts, tokens.word_ends, strict=True)]
    assert words == ["🧬", "SCN5A", "loss"]


@pytest.mark.parametrize("text", ["", " ", "\n\t", AWKWARD, "a" * 500])
def test_words_are_in_order_and_inside_the_text(tiny_tokenizer, text):
    tokens = tokenize(text, tiny_tokenizer)
    assert len(tokens.first) == len(tokens.last) == len(tokens.word_starts)
    assert (tokens.first <= tokens.last).all()
    assert (tokens.word_starts < tokens.word_ends).all()
    assert (tokens.word_ends[:-1] <= tokens.word_starts[1:]).all()
    assert (tokens.word_ends <= len(text)).all()


@given(st.text(max_size=80))
def test_any_text_has_words_of_itself(text):
    # the fixture is per session; hypothesis wants it fetched by hand
    tokens = tokenize(text, test_any_text_has_words_of_itself.tokenizer)
    assert (tokens.word_starts < tokens.word_ends).all()
    assert len(tokens.ids) == 0 or tokens.last[-1] == len(tokens.ids) - 1


@pytest.fixture(autouse=True, scope="session")
def _share_tokenizer(tiny_tokenizer):
    test_any_text_has_words_of_itself.tokenizer = tiny_tokenizer


def test_characters_keep_case_and_the_space_before():
    text = "a BRCA1-x µ"
    starts, ends = np.asarray([0, 2, 7, 8, 10]), np.asarray([1, 7, 8, 9, 11])
    ids = character_ids(text, starts, ends, width=8)
    assert ids[0, 0] == ids[1, 0] == SPACE_BEFORE
    assert ids[2, 0] == 0  # the hyphen follows without a space
    assert ids[1, 1] != ids[0, 1]
    lower = character_ids("brca1", np.asarray([0]), np.asarray([5]), width=8)
    assert (lower[0, 1:6] != ids[1, 1:6]).any()
    assert lower[0, 5] == ids[1, 5]  # the digit is the same


def test_a_long_word_keeps_both_of_its_ends():
    word = "abcdefghijklmnopqrstuvwxyz"
    ids = character_ids(word, np.asarray([0]), np.asarray([26]), width=7)
    single = character_ids("abcxyz", np.asarray([0]), np.asarray([6]), width=7)
    assert ids.tolist() == single.tolist()


def test_a_character_outside_the_alphabet_is_unknown():
    assert character_ids("中", np.asarray([0]), np.asarray([1]))[0, 1] == UNKNOWN


def test_half_a_surrogate_pair_shifts_nothing(tiny_tokenizer):
    text = "\ud800 loss \udfff gene"
    tokens = tokenize(text, tiny_tokenizer)
    words = [text[a:b] for a, b in zip(tokens.word_starts, tokens.word_ends, strict=True)]
    assert words[-1] == "gene"
    assert "loss" in words
