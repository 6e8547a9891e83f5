"""When two names are the same name in other writing: the keys that names are looked up by."""

import re
import unicodedata
from itertools import pairwise

_GREEK = {
    chr(code): unicodedata.name(chr(code)).rsplit(" ", 1)[-1].lower().replace("lamda", "lambda")
    for code in (*range(0x3B1, 0x3C2), *range(0x3C3, 0x3CA))
} | {"\u00b5": "mu"}
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_VARIANT_PREFIX = re.compile(r"\b[pcgmn]\.(?=\(?\w)")
_NOT_PLURAL = ("ss", "us", "is", "as", "os")
_IRREGULAR = {"mice": "mouse", "men": "man", "women": "woman", "children": "child"}
_GENE_LENGTH = 6  # Kras and Hras are no plurals; Kinases and Caspases are
_ROMAN = {"II": "2", "III": "3", "IV": "4", "V": "5", "VI": "6", "VII": "7", "VIII": "8"} | {
    "IX": "9",
    "X": "10",
    "XI": "11",
    "XII": "12",
    "XIII": "13",
}
_CERTAINLY_ROMAN = _ROMAN.keys() - {"V", "X"}  # those are letters as often as numbers
_NUMBERED = {"type", "class", "factor", "stage", "grade", "group", "complex", "phase", "subtype"}
_BRITISH = (("ae", "e"), ("oe", "e"), ("sulph", "sulf"), ("tumour", "tumor"))
_LOOSE = {
    "a",
    "an",
    "and",
    "by",
    "for",
    "from",
    "in",
    "of",
    "on",
    "or",
    "the",
    "to",
    "type",
    "with",
}


def name_key(name: str, *, kind: str = "") -> str:
    """Return what is equal for two names that differ in writing only.

    Case, white space, hyphens and other punctuation, Greek letters, Roman numerals, the plural s
    and (but for genes) British spelling do not count, nor `p.` and `c.` before a variant. Two
    numbers keep their border. `kind` is an entity type.

    >>> name_key("TNF-\N{GREEK SMALL LETTER ALPHA}") == name_key("TNF alpha") == "tnfalpha"
    True
    >>> name_key("Type II breast tumours") == name_key("type-2 breast tumor")
    True
    """
    text = _plain(name)
    if "variant" in kind.lower() or "mutation" in kind.lower():
        text = _VARIANT_PREFIX.sub("", text)
        return "".join(c for c in text if not c.isspace() and c not in "()[]").casefold() or text
    return _joined(name_words(text, kind=kind)) or text


def word_key(name: str, *, kind: str = "") -> str:
    """Return what is equal for two names of the same words in any order, "" for a single word.

    >>> word_key("Diabetes Mellitus, Type 2") == word_key("type II diabetes mellitus")
    True
    """
    words = sorted({word for word in name_words(name, kind=kind) if word not in _LOOSE})
    return " ".join(words) if len(words) > 1 else ""


def name_words(name: str, *, kind: str = "") -> list[str]:
    """Return a name's words in their normal form."""
    text = _plain(name)
    gene = "gene" in kind.lower()
    words: list[str] = []
    before = ""
    for word in _WORD.findall(text):
        words.append(_normal_word(word, before, gene=gene))
        before = word
    return words


def _plain(name: str) -> str:
    """Return a name with one writing for each character, typographic apostrophes as plain ones.

    Lone surrogates, which no file can hold, become question marks.
    """
    if name.isascii():
        return name
    name = name.encode(errors="replace").decode()
    return unicodedata.normalize("NFKC", name).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")


def _normal_word(word: str, before: str, *, gene: bool) -> str:
    if before and word in _ROMAN and (word in _CERTAINLY_ROMAN or before.lower() in _NUMBERED):
        return _ROMAN[word]
    if word == "I" and before.lower() in _NUMBERED:
        return "1"
    normal = _singular(word, gene=gene).casefold().replace("'", "")
    if not normal.isascii():
        normal = _spell_greek(normal)
    if not gene:
        for british, american in _BRITISH:
            if british in normal:
                normal = normal.replace(british, american)
    return normal


def _joined(words: list[str]) -> str:
    """Join words without spaces, but for a hyphen between two digits."""
    if len(words) < 2:
        return words[0] if words else ""
    pieces = [words[0]]
    for before, word in pairwise(words):
        if word[:1].isdigit() and before[-1:].isdigit():
            pieces.append("-")
        pieces.append(word)
    return "".join(pieces)


def _spell_greek(text: str) -> str:
    return "".join(_GREEK.get(c, c) for c in text)


def _singular(word: str, *, gene: bool) -> str:
    """Return a word without its plural s; gene symbols that end in s keep it."""
    lower = word.lower()
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    if not lower.endswith("s"):
        return word
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
