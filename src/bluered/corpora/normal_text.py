"""A text reduced to what its copies in several corpora share: Latin letters and digits.

Corpora differ in case, in white space and punctuation (some are tokenised), in how they write
Greek letters, accents, brackets and markup. What is left of a text does not.
"""

import html
import re
import unicodedata

_MARKUP = re.compile(r"</?(?:i|b|u|p|em|sub|sup|strong|italic|bold|br|sc)\s*/?>", re.IGNORECASE)
_BRACKETS = re.compile(r"-(?:LRB|RRB|LSB|RSB|LCB|RCB)-", re.IGNORECASE)  # of the Penn Treebank
_NOT_KEPT = bytes(set(range(256)) - set(b"abcdefghijklmnopqrstuvwxyz0123456789"))


def _spelt_out() -> dict[int, str]:
    """Return the names of the Greek letters by code point, small and capital alike."""
    names: dict[int, str] = {}
    for code in (*range(0x391, 0x3AA), *range(0x3B1, 0x3CA)):
        name = unicodedata.name(chr(code), "")
        if name.startswith("GREEK ") and " LETTER " in name:
            names[code] = name.rpartition(" ")[2].lower().replace("lamda", "lambda")
    return names


_GREEK = _spelt_out()


def normal_text(text: str) -> bytes:
    """Return the letters a-z and the digits of a text, in lower case, nothing between them.

    Greek letters are spelt out, accents dropped, HTML entities and inline markup resolved. Letters
    of other scripts are left out.

    >>> normal_text("TNF-&alpha; in <i>E. coli</i> ( -LRB- caf\u00e9 )")
    b'tnfalphainecolicafe'
    """
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _MARKUP.sub(" ", text)
    if "RB-" in text or "SB-" in text or "CB-" in text:
        text = _BRACKETS.sub(" ", text)
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text).translate(_GREEK).casefold()
    return text.encode("ascii", "ignore").lower().translate(None, _NOT_KEPT)
