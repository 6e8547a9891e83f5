"""When two mentions bear the same name, and how a name looks inside a local id."""

import re
import unicodedata

_GREEK = {
    chr(code): unicodedata.name(chr(code)).rsplit(" ", 1)[-1].lower()
    for code in (*range(0x3B1, 0x3C2), *range(0x3C3, 0x3CA))
} | {"\u00b5": "mu"}
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_VARIANT_PREFIX = re.compile(r"\b[pcgmn]\.(?=\(?\w)")
_NOT_PLURAL = ("ss", "us", "is", "as", "os")
_IRREGULAR = {"mice": "mouse", "men": "man", "women": "woman", "children": "child"}
_GENE_LENGTH = 6  # Kras and Hras are no plurals; Kinases and Caspases are


def name_key(name: str, *, kind: str = "") -> str:
    """Return what is equal for two names that differ in writing only.

    Case, white space, hyphens and other punctuation, Greek letters and the plural s do not count,
    nor `p.` and `c.` before a variant (`kind` "SequenceVariant").

    >>> name_key("TNF-\N{GREEK SMALL LETTER ALPHA}") == name_key("TNF alpha") == "tnfalpha"
    True
    >>> name_key("Breast cancers") == name_key("breast cancer")
    True
    """
    text = unicodedata.normalize("NFKC", name)
    if "variant" in kind.lower() or "mutation" in kind.lower():
        text = _VARIANT_PREFIX.sub("", text)
        return "".join(c for c in text if not c.isspace() and c not in "()[]").casefold() or name
    gene = "gene" in kind.lower()
    words = [_singular(word, gene=gene) for word in _WORD.findall(text)]
    return _spell_greek("".join(words).casefold().replace("'", "")) or name


def _spell_greek(text: str) -> str:
    return "".join(_GREEK.get(c, c) for c in text)


def _singular(word: str, *, gene: bool) -> str:
    """Return a word without its plural s; gene symbols that end in s keep it."""
    lower = word.lower()
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    word = word.removesuffix("'s")
    lower = word.lower()
    if len(word) < 4 or not word.endswith("s") or lower.endswith(_NOT_PLURAL):
        return word
    acronym = word[:-1].isupper()  # PARPs
    if gene and not acronym and len(word) < _GENE_LENGTH:
        return word
    if lower.endswith(("uses", "sses", "xes")):
        return word[:-2]
    return word[:-3] + "y" if lower.endswith("ies") and len(word) > 5 else word[:-1]


def slug(name: str, *, longest: int = 48) -> str:
    """Return a name as lower-case letters, digits and hyphens, "concept" where nothing is left.

    >>> slug("TNF-\N{GREEK SMALL LETTER ALPHA} (human)")
    'tnf-alpha-human'
    """
    text = unicodedata.normalize("NFKD", _spell_greek(name.casefold()))
    ascii_text = text.encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", ascii_text)[:longest].strip("-") or "concept"
