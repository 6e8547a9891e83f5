"""What a dictionary says of words: each name on its words, in its type's columns."""

from typing import NamedTuple

import pytest

from bluered.encoding.name_features import COLUMNS, name_features
from bluered.encoding.tokens import tokenize

TYPES = ("Gene", "Disease")


class Found(NamedTuple):
    start: int
    end: int
    type: str
    documents: int = 0


def marked(text, tokenizer, *names):
    """Return the words and columns that are 1."""
    features = name_features(tokenize(text, tokenizer), names, TYPES)
    assert features.shape[1] == COLUMNS * len(TYPES)
    assert set(features.flatten().tolist()) <= {0.0, 1.0}
    return {(word, column) for word, column in zip(*map(list, features.nonzero()), strict=True)}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], set()),
        ([Found(0, 5, "Gene")], {(0, 0)}),
        ([Found(0, 5, "Gene", 3)], {(0, 2)}),
        ([Found(9, 25, "Disease")], {(2, 4), (3, 5), (4, 5)}),
        ([Found(9, 25, "Disease", 1), Found(14, 16, "Gene")], {(2, 6), (3, 7), (4, 7), (3, 0)}),
        ([Found(0, 5, "Chemical")], set()),
        ([Found(11, 15, "Gene")], {(2, 0), (3, 1)}),  # ends inside a word: the word counts
        ([Found(5, 6, "Gene")], set()),  # between words
    ],
)
def test_names_stand_on_their_words(tiny_tokenizer, names, expected):
    assert marked("SCN5A in long QT syndrome", tiny_tokenizer, *names) == expected


def test_a_text_without_words_has_no_features(tiny_tokenizer):
    assert name_features(tokenize(" ", tiny_tokenizer), [], TYPES).shape == (0, 8)
