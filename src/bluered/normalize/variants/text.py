"""The text of a mention in plain letters: arrows, dashes, Greek letters and spaces in one form."""

import html
import re
import unicodedata

from bluered.normalize.variants.amino_acids import ONE_LETTER

ARROW = ">"

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d\u00ad", "-"),
        **dict.fromkeys(
            "\u2192\u21d2\u27f6\u27f9\u2794\u279d\u279e\u27a1\u203a\uff1e\u02c3", ARROW
        ),
        **dict.fromkeys("\u2018\u2019\u201c\u201d\u2032\u2033", "'"),
        **dict.fromkeys("\u0394\u2206\u03b4\u25b3", "Delta"),
        "\u2217": "*",
        "\u2215": "/",
        "\u2044": "/",
        "\u00d7": "x",
    }
)
_ARROWS = re.compile(r"\s*(?:[-=~]*>+|-{2,}|\bright arrow\b)\s*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_REFERENCE_SEQUENCE = re.compile(
    r"^(?:[NX][CGMPRT]_|ENS[TPG]|LRG_)\d+(?:\.\d+|[pt]\d+)?(?:\(\w+\))?:\s*"
)
_DOUBLE_DELTA = re.compile(r"\bDD(?=\d)")
_CODES = "|".join(ONE_LETTER)
_CODE_IN_SMALL = re.compile(
    rf"(?<![A-Za-z])(?:{_CODES})(?=[ (]?\d|>|-?\d)|(?<=[\d>)])(?:{_CODES})(?![A-Za-z])",
    re.IGNORECASE,
)
_HYPHEN_BEFORE_BRACKET = re.compile(r"(?<=[a-z])-(?=\()")
_SPACES = re.compile(r"\s+")
_EDGES = " .,;:'\"`"


def plain(mention: str) -> str:
    """Return a mention with one sign for each arrow and dash, without commas in numbers.

    Three-letter codes beside a number begin with a capital letter (273ser->phe, GLN27GLU).

    `DD32` is Delta32 in some PubMed records, whose Greek letters were lost.

    >>> plain("G\u2192A at \u22121,228"), plain("C --> T"), plain("\u039432")
    ('G>A at -1228', 'C>T', 'Delta32')
    """
    if "&" in mention:
        mention = html.unescape(mention)
    if not mention.isascii():
        mention = unicodedata.normalize("NFKC", mention).translate(_PLAIN)
    mention = _ARROWS.sub(ARROW, mention)
    mention = _THOUSANDS.sub("", mention)
    mention = _REFERENCE_SEQUENCE.sub("", mention.strip(_EDGES))
    mention = _CODE_IN_SMALL.sub(lambda code: code[0].capitalize(), mention)
    mention = _HYPHEN_BEFORE_BRACKET.sub("", mention)
    return _DOUBLE_DELTA.sub("Delta", _SPACES.sub(" ", mention))


def compact(text: str) -> str:
    """Return a plain text without spaces and brackets, as notations are read.

    >>> compact("p.(Val600Glu)"), compact("IVS3 + 18C > T")
    ('p.Val600Glu', 'IVS3+18C>T')
    """
    return text.translate(_NO_BRACKETS)


_NO_BRACKETS = str.maketrans("", "", " ()[]{}")
