"""Words as ELMo reads them: the bytes of each word between two marks, as ids.

The layout of the public weight files (bilm-tf, AllenNLP): an id for each of the 256 bytes of
UTF-8, five marks after them, and everything moved up by one, so that 0 is free for places past
the end of a sentence.
"""

from collections.abc import Sequence

import numpy as np

from bluered.encoding.tokens import Ints

WIDTH = 50
CHARACTERS = 262
ABSENT = 0
SENTENCE_BEGIN, SENTENCE_END, WORD_BEGIN, WORD_END, PADDING = range(257, 262)


def word_ids(word: str, *, width: int = WIDTH) -> Ints:
    """Return the ids of a word's bytes between its marks, then padding, shape (width,).

    Of a word of more than `width - 2` bytes the first are read, even where that halves a
    character. What UTF-8 cannot say (half a surrogate pair) is left out.
    """
    return _row(np.frombuffer(word.encode("utf-8", "ignore"), dtype=np.uint8) + np.int64(1), width)


def character_ids(sentences: Sequence[Sequence[str]], *, width: int = WIDTH) -> Ints:
    """Return the ids of sentences, shape (sentences, words + 2, width).

    `words` is that of the longest sentence; each has a begin and an end around its words, and
    after them rows of 0. A word written like such a mark (`<S>`) is read by its characters.
    """
    longest = max(map(len, sentences), default=0)
    ids = np.full((len(sentences), longest + 2, width), ABSENT, dtype=np.int64)
    begin, end = (_row(np.array([mark]), width) for mark in (SENTENCE_BEGIN, SENTENCE_END))
    known: dict[str, Ints] = {}
    for rows, sentence in zip(ids, sentences, strict=True):
        rows[0] = begin
        for place, word in enumerate(sentence, start=1):
            if word not in known:
                known[word] = word_ids(word, width=width)
            rows[place] = known[word]
        rows[len(sentence) + 1] = end
    return ids


def _row(inside: Ints, width: int) -> Ints:
    row = np.full(width, PADDING, dtype=np.int64)
    inside = inside[: width - 2]
    row[0] = WORD_BEGIN
    row[1 : 1 + len(inside)] = inside
    row[1 + len(inside)] = WORD_END
    return row
