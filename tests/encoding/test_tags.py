import itertools

import numpy as np
import pytest
from tokenizers import Tokenizer

from bluered.documents import Entity, Span
from bluered.encoding.tags import (
    allowed_transitions,
    decode_tags,
    encode_tags,
    possible_tags,
    tag_count,
)
from bluered.encoding.tokens import tokenize

TYPES = ("Gene", "Disease")


def entity(text: str, start: int, end: int, kind: str = "Gene") -> Entity:
    return Entity(type=kind, spans=(Span(start, end),), text=text[start:end])


def spans(text, tokens, tags):
    return [
        (TYPES[s.type_index], text[tokens.word_starts[s.first] : tokens.word_ends[s.end - 1]])
        for s in decode_tags(tags)
    ]


def test_tags_come_back_as_the_same_spans(tiny_tokenizer: Tokenizer):
    text = "Loss of SCN5A causes long QT syndrome in mice."
    tokens = tokenize(text, tiny_tokenizer)
    gold = [entity(text, 8, 13), entity(text, 21, 37, "Disease")]
    tags = encode_tags(tokens, gold, TYPES)
    assert spans(text, tokens, tags) == [("Gene", "SCN5A"), ("Disease", "long QT syndrome")]


def test_adjacent_mentions_stay_apart(tiny_tokenizer: Tokenizer):
    text = "BRCA1 BRCA2"
    tokens = tokenize(text, tiny_tokenizer)
    tags = encode_tags(tokens, [entity(text, 0, 5), entity(text, 6, 11)], TYPES)
    assert spans(text, tokens, tags) == [("Gene", "BRCA1"), ("Gene", "BRCA2")]


def test_the_longer_of_two_overlapping_mentions_is_kept(tiny_tokenizer: Tokenizer):
    text = "breast cancer gene one"
    tokens = tokenize(text, tiny_tokenizer)
    tags = encode_tags(tokens, [entity(text, 0, 13, "Disease"), entity(text, 0, 22)], TYPES)
    assert spans(text, tokens, tags) == [("Gene", "breast cancer gene one")]


def test_a_type_that_is_not_trained_is_left_out(tiny_tokenizer: Tokenizer):
    tokens = tokenize("a cell", tiny_tokenizer)
    assert not encode_tags(tokens, [entity("a cell", 2, 6, "Cell")], TYPES).any()


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ([], []),
        ([0, 0], []),
        ([1, 2, 0, 3], [(0, 0, 2), (1, 3, 4)]),
        ([2, 2], [(0, 0, 2)]),
        ([1, 4], [(0, 0, 1), (1, 1, 2)]),
        ([1, 1], [(0, 0, 1), (0, 1, 2)]),
    ],
)
def test_decoding(tags, expected):
    found = decode_tags(np.asarray(tags, dtype=np.int64))
    assert [(s.type_index, s.first, s.end) for s in found] == expected


def test_only_valid_bio_is_allowed():
    allowed = allowed_transitions(tag_count(TYPES))
    for before, after in itertools.product(range(5), repeat=2):
        inside = after in (2, 4)
        assert allowed[before, after] == (not inside or before in (after - 1, after))


@pytest.mark.parametrize(
    ("annotated", "expected"),
    [
        ({"Gene", "Disease"}, [{1}, {2}, {0}]),
        ({"Gene"}, [{1}, {2}, {0, 3, 4}]),
        (set(), [{1}, {2}, {0, 1, 2, 3, 4}]),
    ],
)
def test_what_was_not_annotated_is_open(annotated, expected):
    possible = possible_tags(np.asarray([1, 2, 0], dtype=np.int64), TYPES, annotated)
    assert [set(np.flatnonzero(row).tolist()) for row in possible] == expected


def test_a_text_without_words_has_no_possible_tags():
    assert possible_tags(np.zeros(0, dtype=np.int64), TYPES, {"Gene"}).shape == (0, 5)
