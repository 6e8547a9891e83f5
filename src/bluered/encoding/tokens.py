"""Word pieces of a text with their code point offsets, and the words they make up.

A word is what BERT's pre-tokenizer makes: white space and every punctuation mark separate. The
tagger labels words, so that a mention never ends inside one.
"""

import re
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from tokenizers import Tokenizer

Ints = NDArray[np.int64]

_HALF_PAIRS = re.compile("[\ud800-\udfff]")


class Tokens(Struct, frozen=True):
    """The pieces of a text, without special tokens, and its words.

    `ids`, `starts` and `ends` have shape (pieces,); `word_starts`, `word_ends` (code points) and
    `first`, `last` (indices of the word's first and last piece) have shape (words,).
    """

    ids: Ints
    starts: Ints
    ends: Ints
    word_starts: Ints
    word_ends: Ints
    first: Ints
    last: Ints


def load_tokenizer(path: Path) -> Tokenizer:
    """Load a `tokenizer.json`, without its truncation and padding: nothing is cut off."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def whole_characters(text: str) -> str:
    """Return a text of the same length that UTF-8 can say: halves of a character replaced."""
    return _HALF_PAIRS.sub("\N{REPLACEMENT CHARACTER}", text)


def tokenize(text: str, tokenizer: Tokenizer) -> Tokens:
    """Return the pieces and words of a text; a text without words gives arrays of length 0."""
    encoding = tokenizer.encode(whole_characters(text), add_special_tokens=False)
    spans = np.asarray(encoding.offsets, dtype=np.int64).reshape(-1, 2)
    words = np.asarray([-1 if w is None else w for w in encoding.word_ids], dtype=np.int64)
    first = np.flatnonzero(np.diff(words, prepend=-2))
    last = np.append(first[1:], len(words)) - 1 if len(words) else first
    return Tokens(
        ids=np.asarray(encoding.ids, dtype=np.int64),
        starts=spans[:, 0],
        ends=spans[:, 1],
        word_starts=spans[first, 0],
        word_ends=spans[last, 1],
        first=first,
        last=last,
    )
