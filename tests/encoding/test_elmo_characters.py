"""The ids ELMo reads: bytes between marks, moved up by one, as in the public files."""

import numpy as np
import pytest

from bluered.encoding.elmo_characters import character_ids, word_ids


def test_a_word_is_its_bytes_between_marks():
    ids = word_ids("p53").tolist()
    assert ids[:6] == [259, ord("p") + 1, ord("5") + 1, ord("3") + 1, 260, 261]
    assert ids[5:] == [261] * 45


def test_other_characters_are_several_bytes():
    assert word_ids("α").tolist()[:4] == [259, 0xCE + 1, 0xB1 + 1, 260]


@pytest.mark.parametrize(("length", "kept"), [(47, 47), (48, 48), (49, 48), (500, 48)])
def test_long_words_are_cut_but_keep_their_end_mark(length, kept):
    ids = word_ids("a" * length).tolist()
    assert len(ids) == 50
    assert ids.count(ord("a") + 1) == kept
    assert ids[kept + 1] == 260


def test_a_cut_may_halve_a_character():
    ids = word_ids("a" * 47 + "α").tolist()
    assert ids[-2:] == [0xCE + 1, 260]


@pytest.mark.parametrize("word", ["", "\ud800"])
def test_a_word_of_nothing_is_its_marks(word):
    assert word_ids(word).tolist() == [259, 260] + [261] * 48


def test_sentences_stand_between_marks_with_zeros_after():
    ids = character_ids([["a", "b"], ["c"], []])
    assert ids.shape == (3, 4, 50)
    begin, end = [259, 257, 260] + [261] * 47, [259, 258, 260] + [261] * 47
    assert ids[:, 0].tolist() == [begin] * 3
    assert [ids[0, 3].tolist(), ids[1, 2].tolist(), ids[2, 1].tolist()] == [end] * 3
    assert not ids[1, 3].any()
    assert not ids[2, 2:].any()
    assert np.array_equal(ids[0, 2], word_ids("b"))


def test_no_sentences_are_no_rows():
    assert character_ids([]).shape == (0, 2, 50)
