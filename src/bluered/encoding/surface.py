"""What an uncased vocabulary loses: the characters of each word, with their case.

Gene and variant names live by their surface (`SCN5A`, `p.V600E`, `Bcl-2`), which a lower-casing
tokenizer throws away. Each word is therefore also given as the ids of its characters.
"""

import numpy as np

from bluered.encoding.tokens import Ints

_PRINTABLE = "".join(map(chr, range(33, 127)))
_GREEK = "αβγδεζηθικλμνξοπρστυφχψωΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"
_OTHERS = "±µ°–—→’“”×≥≤®™"
PADDING, UNKNOWN, SPACE_BEFORE = 0, 1, 2
_IDS = {c: i for i, c in enumerate(_PRINTABLE + _GREEK + _OTHERS, start=3)}
ALPHABET_SIZE = len(_IDS) + 3


def character_ids(text: str, word_starts: Ints, word_ends: Ints, *, width: int = 16) -> Ints:
    """Return the character ids of each word, shape (words, width), padded with 0.

    The first place says whether white space (or the start of the text) precedes the word. Longer
    words keep their first and last characters, `width - 1` in all.
    """
    ids = np.zeros((len(word_starts), width), dtype=np.int64)
    room = width - 1
    for row, start, end in zip(ids, word_starts.tolist(), word_ends.tolist(), strict=True):
        word = text[start:end]
        if len(word) > room:
            word = word[: room - room // 2] + word[-(room // 2) :]
        if start == 0 or text[start - 1].isspace():
            row[0] = SPACE_BEFORE
        row[1 : 1 + len(word)] = [_IDS.get(c, UNKNOWN) for c in word]
    return ids
