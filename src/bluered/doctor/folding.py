"""Text made comparable: what tools that normalise text do to it, undone on both sides.

Compatibility forms (NFKC), accents, case, kinds of dash, quote and space; a Greek letter and its
Latin look-alike are one ("TNF-α", "TNF-a"), as PubTator writes them.
"""

import unicodedata
from functools import lru_cache

_LIKE = {
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00ad\ufe58\ufe63\uff0d",
    "'": "\u2018\u2019\u201a\u201b\u2032\u02b9\u02bc\u0060\u00b4",
    '"': "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb",
    "a": "\u03b1",
    "b": "\u03b2\u00df",
    "g": "\u03b3",
    "d": "\u03b4",
    "e": "\u03b5\u03b7",
    "z": "\u03b6",
    "i": "\u03b9",
    "k": "\u03ba",
    "l": "\u03bb",
    "m": "\u03bc\u00b5",
    "n": "\u03bd",
    "o": "\u03bf\u03c9",
    "p": "\u03c0",
    "r": "\u03c1",
    "s": "\u03c3\u03c2",
    "t": "\u03c4\u03b8",
    "u": "\u03c5",
    "f": "\u03c6",
    "x": "\u03be",
    "c": "\u03c7",
    "y": "\u03c8",
}
_SAME = {variant: plain for plain, variants in _LIKE.items() for variant in variants}


@lru_cache(maxsize=4096)
def _folded_character(character: str) -> str:
    folded = character.casefold()
    if folded in _SAME:
        return _SAME[folded]
    decomposed = unicodedata.normalize("NFKD", character).casefold()
    kept = "".join(_SAME.get(c, c) for c in decomposed if not unicodedata.combining(c))
    return " " if kept.isspace() else kept


def fold(text: str) -> str:
    """Return text made comparable.

    >>> fold("TNF\u2010\u03b1") == fold("tnf-a")
    True
    """
    return "".join(map(_folded_character, text)).strip()


def fold_with_places(text: str) -> tuple[str, list[int]]:
    """Return text made comparable and, for each of its characters, the place in the text."""
    pieces: list[str] = []
    places: list[int] = []
    for position, character in enumerate(text):
        folded = _folded_character(character)
        pieces.append(folded)
        places.extend([position] * len(folded))
    return "".join(pieces), places
