"""Texts and pairs of texts as BERT reads them, cut where they are too long."""

from itertools import product

import pytest

from bluered.encoding.sequence import sequence_pieces, shortened


def _tokens(tokenizer, pieces) -> str:
    return " ".join(tokenizer.id_to_token(i) for i in pieces.ids.tolist())


def test_a_text_and_a_pair_have_their_tokens_and_segments(tiny_tokenizer):
    alone = sequence_pieces("a b", None, tiny_tokenizer, size=10)
    assert _tokens(tiny_tokenizer, alone) == "[CLS] a b [SEP]"
    assert alone.segments.tolist() == [0, 0, 0, 0]
    pair = sequence_pieces("a b", "c", tiny_tokenizer, size=10)
    assert _tokens(tiny_tokenizer, pair) == "[CLS] a b [SEP] c [SEP]"
    assert pair.segments.tolist() == [0, 0, 0, 0, 1, 1]
    assert (alone.cut, pair.cut) == (0, 0)


def test_what_does_not_fit_is_cut_and_counted(tiny_tokenizer):
    alone = sequence_pieces("a b c d", None, tiny_tokenizer, size=5)
    assert _tokens(tiny_tokenizer, alone) == "[CLS] a b c [SEP]"
    assert alone.cut == 1
    pair = sequence_pieces("a b c d e", "f g", tiny_tokenizer, size=7)
    assert _tokens(tiny_tokenizer, pair) == "[CLS] a b [SEP] f g [SEP]"
    assert pair.cut == 3
    nothing = sequence_pieces("a", "b", tiny_tokenizer, size=2)
    assert _tokens(tiny_tokenizer, nothing) == "[CLS] [SEP] [SEP]"


def test_empty_texts_and_half_characters_are_read(tiny_tokenizer):
    assert len(sequence_pieces("", "", tiny_tokenizer, size=8).ids) == 3
    assert len(sequence_pieces("a \ud800 b", None, tiny_tokenizer, size=8).ids) >= 4


def test_a_placeholder_is_taken_apart_as_in_blue(tiny_tokenizer):
    whole = sequence_pieces("@DRUG$", None, tiny_tokenizer, size=20)
    spaced = sequence_pieces("@ DRUG $", None, tiny_tokenizer, size=20)
    assert whole.ids.tolist() == spaced.ids.tolist()


def _one_by_one(first: int, second: int, room: int) -> tuple[int, int]:
    """What BERT's scripts do: take a piece from the longer text until both fit."""
    while first + second > room:
        if first > second:
            first -= 1
        else:
            second -= 1
    return first, second


@pytest.mark.parametrize("room", range(9))
def test_the_longer_text_gives_up_pieces(room):
    for first, second in product(range(9), repeat=2):
        assert shortened(first, second, room=room) == _one_by_one(first, second, room)
