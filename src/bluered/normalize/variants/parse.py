"""What a mention of a variant says: the grammars tried one after the other."""

import re
from functools import lru_cache

from bluered.normalize.variants.edits import read_edit, read_repeat, read_spaced
from bluered.normalize.variants.notation import Reading, read_notation
from bluered.normalize.variants.phrases import read_phrase
from bluered.normalize.variants.text import compact, plain
from bluered.normalize.variants.variant import Variant

_WORD = re.compile(r"(?<=[\s(/])|(?=[\s),;])")


def parse_variant(mention: str) -> Variant | None:
    """Return what a mention most likely stands for; None if it cannot be read.

    >>> parse_variant("Val600Glu").form(), parse_variant("alanine for valine at position 88").form()
    ('p|SUB|V|600|E', 'p|SUB|A|88|V')
    """
    return next(iter(readings(mention)), None)


@lru_cache(maxsize=4096)
def readings(mention: str) -> Reading:
    """Return all that a mention may stand for, the likelier first.

    There are two where its letters may be nucleotides or amino acids (C677T) and where a phrase
    leaves open which residue is the original one.
    """
    text = plain(mention)
    return _whole(text) or _part(text)


def _whole(text: str) -> Reading:
    joined = compact(text)
    return (
        read_repeat(text)
        or read_spaced(text)
        or read_edit(joined)
        or read_notation(joined)
        or read_phrase(text)
    )


def _part(text: str) -> Reading:
    """Return the notation among the words of a longer mention: "BRAF V600E mutation"."""
    for word in _WORD.split(text):
        joined = compact(word)
        if len(joined) > 3 and (found := read_edit(joined) or read_notation(joined)):
            return found
    return ()
