"""Whole dictionaries meet text: the longest names of a terminology that stand in a text.

Windows of up to eight words are put into the form that names are looked up by (`names.name_key`)
and looked up in the trie, which is opened in 5 ms and shared by all processes. An Aho-Corasick
automaton (ahocorasick-rs) over the same keys finds the same names at 0.95 to 1.1 times the speed,
but takes a minute and 505 MB in every process. Keys have no borders between words, so that it must
report what it finds within words too: leftmost-longest, which would spare that, is 2.0 to 2.3 times
as fast and loses 56% of the names. benchmarks/dictionary.py measures both.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from bluered.documents.biored_types import CELL_LINE, GENE
from bluered.normalize.grouping import LINKED_TYPES
from bluered.normalize.names import name_words
from bluered.normalize.plausible import plausible
from bluered.normalize.term import KINDS, Kind
from bluered.normalize.terminology import Terminology

MOST_WORDS = 8
"""Of the 11,896 mentions of BioRED train that are found as names of up to 12 words, 7 have more."""

_CACHED = 1 << 16
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_MAYBE_ROMAN = re.compile(r"[IVX]+")
_WITHIN_NAME = re.compile(r"[-\u2010-\u2015 ()\[\],/'+*&]{0,3}|[._]")
_STOPS = ".:;!?"

Own = Mapping[tuple[str, str], int]
"""How often a document itself counts for a name, by entity type and key: `shipped.copies` tells."""


class Match(Struct, frozen=True, order=True):
    """A name in a text, in code points: its type, kind and key in the terminology.

    `kind` is the strongest that any concept bears it by, `documents` in how many documents of
    annotated corpora a concept of the type was called so. `Terminology.bearers(key, type=type)`
    are the concepts.
    """

    start: int
    end: int
    type: str
    kind: Kind
    key: str
    documents: int


class Word(Struct, frozen=True):
    """A word of a text in its normal form, which can differ behind another word ("type II").

    `opens` says that it begins a sentence, `joins` that it may be of one name with the word before.
    """

    start: int
    end: int
    first: str
    later: str
    opens: bool
    joins: bool


class Hit(Struct, frozen=True):
    """A key that begins with a word and ends with the word of number `last`."""

    key: str
    number: int
    last: int


class _Borne(Struct, frozen=True):
    kind: Kind
    documents: int


class Dictionary:
    """The names of a terminology, to be found in texts; may be used by several threads at once."""

    def __init__(self, terms: Terminology) -> None:
        """Take the terminology; nothing is built, and processes share its files."""
        self.terms = terms
        self._borne = lru_cache(_CACHED)(self._look_up)

    def matches(
        self, text: str, *, types: Collection[str] = LINKED_TYPES, own: Own | None = None
    ) -> list[Match]:
        """Return the names of each entity type in a text, in text order.

        Names of one type do not overlap: the leftmost counts, of those the longest; names of
        different types may. What is hardly used as a name is left out (`plausible`), and so is a
        name that authors were seen to use for another type only.

        `own` is what the document itself adds to the seen names: for a document whose mentions were
        counted, as those of BioRED train, every mention would be a known name otherwise.
        """
        found: list[Match] = []
        for kind in ("", GENE):
            some = [type for type in types if (type == GENE) == (kind == GENE)]
            if some:
                found += self._of_types(text, some, words(text, kind=kind), own or {})
        return sorted(found)

    def names(self, found: Sequence[Word]) -> Iterator[list[Hit]]:
        """Yield for each word the keys that begin with it, the longest first."""
        for number in range(len(found)):
            hits: list[Hit] = []
            joined = ""
            for last in range(number, min(number + MOST_WORDS, len(found))):
                if last > number and not found[last].joins:
                    break
                joined = join(joined, found[last])
                if (key := self.terms.key_number(joined)) is not None:
                    hits.append(Hit(joined, key, last))
            yield hits[::-1]

    def _of_types(
        self, text: str, types: Sequence[str], found: Sequence[Word], own: Own
    ) -> Iterator[Match]:
        free = dict.fromkeys(types, 0)
        for word, hits in zip(found, self.names(found), strict=True):
            for type in types if hits else ():
                if free[type] <= word.start:
                    match, end = self._longest(text, type, word, found, hits, own)
                    free[type] = max(free[type], end)
                    if match is not None:
                        yield match

    def _longest(
        self,
        text: str,
        type: str,
        word: Word,
        found: Sequence[Word],
        hits: Sequence[Hit],
        own: Own,
    ) -> tuple[Match | None, int]:
        """Return the longest name of a type that begins with a word, and where to go on."""
        for hit in hits:
            all_types = self._borne(hit.number)
            if (borne := all_types.get(type)) is None:
                continue
            documents = borne.documents - own.get((type, hit.key), 0)
            end = _closed(text, word.start, found[hit.last].end)
            if documents <= 0:
                if borne.kind == "corpus":
                    continue
                if _of_another(all_types, type, hit.key, own):
                    return None, end
            if plausible(
                text[word.start : end], borne.kind, documents, type=type, opens=word.opens
            ):
                return Match(word.start, end, type, borne.kind, hit.key, max(0, documents)), end
        return None, 0

    def _look_up(self, number: int) -> dict[str, _Borne]:
        """Return what is known of a key's name for each type that has it."""
        found: dict[str, _Borne] = {}
        for type, bearers in self.terms.all_bearers_of(number).items():
            kind = KINDS[min(KINDS.index(bearer.kind) for bearer in bearers)]
            found[type] = _Borne(kind, sum(bearer.documents for bearer in bearers))
        return found


def words(text: str, *, kind: str) -> list[Word]:
    """Return the words of a text as names of an entity type are compared by them."""
    found: list[Word] = []
    before, end = "", 0
    for match in _WORD.finditer(text):
        word, gap = match[0], text[end : match.start()]
        joins = bool(_WITHIN_NAME.fullmatch(gap)) or (gap == ". " and len(before) == 1)
        first = _normal("", word, kind)
        later = _normal(before, word, kind) if _MAYBE_ROMAN.fullmatch(word) else first
        opens = not before or (gap[:1] in _STOPS and not joins)
        found.append(Word(match.start(), match.end(), first, later, opens, joins))
        before, end = word, match.end()
    return found


def join(key: str, word: Word) -> str:
    """Return a key with a word more; two numbers keep their border, as in `names.name_key`."""
    if not key:
        return word.first
    border = "-" if key[-1].isdigit() and word.later[:1].isdigit() else ""
    return key + border + word.later


def _of_another(all_types: Mapping[str, _Borne], type: str, key: str, own: Own) -> bool:
    """Tell whether an unseen name is rather one of another type.

    It is if authors used it for that; cell lines, of which thousands are called like genes, leave
    it to any other type.
    """
    return any(
        borne.documents > own.get((other, key), 0) or type == CELL_LINE
        for other, borne in all_types.items()
        if other != type
    )


def _closed(text: str, start: int, end: int) -> int:
    """Return the end of a name, moved behind the bracket that it leaves open: "Ca(2+)"."""
    name = text[start:end]
    for opening, closing in ("()", "[]"):
        if name.count(opening) == name.count(closing) + 1:
            return text.find(closing, end, end + 3) + 1 or end
    return end


@lru_cache(_CACHED)
def _normal(before: str, word: str, kind: str) -> str:
    """Return a word's normal form behind another one, as `names.name_words` gives it."""
    return "".join(name_words(f"{before} {word}", kind=kind)[len(name_words(before, kind=kind)) :])
