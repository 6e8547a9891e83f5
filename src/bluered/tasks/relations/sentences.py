"""Where BLUE's sentences end in ChemProt, without the parser that BLUE used.

BLUE split the abstracts with spaCy (en_core_web_sm, a version of 2019 it does not name) and joined
sentences of which the first ends without a stop (merge_sentences in
blue/bert/create_chemprot_bert.py; the script also asks that the next one begin with a capital, but
the released rows do not keep to that). In these rows nearly every stop before white space ends a
sentence. Where one does not, mostly the stop is part of its word: for spaCy's tokenizer that of
"4 degrees C.", "PDE3A." or "24 h." is no token of its own. So the rules here say, read off the rows
of BLUE's dev part; what the parser did beyond them stands in published_boundaries.toml.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from bluered.documents.document import Span
from bluered.tasks.relations.ascii import ascii_in_place

_STOP = re.compile(r"[.?!](?:\s+(?=\S)|(?<=[a-z]\.)(?=[A-Z][a-z]))")
"""A stop before white space, or one with the next sentence glued on ("inhibitors.Clinical")."""

_PART_OF_WORD = re.compile(
    r"""(?<![A-Z])[A-Z]\.\Z                            # a single capital: "C.", "PDE3A.", "nM."
    |\*\.\Z                                            # no letter nor digit: "G-A*."
    |(?<![^\s(/])[a-z]\.\Z                             # a single small letter: "24 h."
    |(?<![A-Za-z])(?:e\.g|i\.e|i\.v|c\.f|vs)\.\Z       # abbreviations that something follows
    """,
    re.VERBOSE,
)
_NEW_SENTENCE = re.compile(r"(?:Furthermore|Moreover),")
"""Words before which the parser ended a sentence even after such a word."""

_PLAIN_WORD = re.compile(r"(?!alpha|beta|gamma|delta)[a-z]{2,}(?=[\s,;])")
"""A word in small letters that goes on with the sentence; Greek letters begin names of genes."""


def sentence_spans(text: str, document: str = "") -> Iterator[Span]:
    """Yield the sentences of the text of a document, named by its id, as in BLUE's rows."""
    split, joined = published_boundaries().get(document, (frozenset(), frozenset()))
    plain = ascii_in_place(text)
    start = 0
    for match in _STOP.finditer(plain):
        if match.end() in joined or not (match.end() in split or _ends_sentence(plain, match)):
            continue
        yield Span(start, match.start() + 1)
        start = match.end()
    end = len(plain.rstrip())
    if start < end:
        yield Span(start, end)


def _ends_sentence(text: str, stop: re.Match[str]) -> bool:
    if _PLAIN_WORD.match(text, stop.end()):
        return False
    part_of_word = _PART_OF_WORD.search(text, max(0, stop.start() - 6), stop.start() + 1)
    return part_of_word is None or _NEW_SENTENCE.match(text, stop.end()) is not None


@cache
def published_boundaries() -> dict[str, tuple[frozenset[int], frozenset[int]]]:
    """Return, by document, where BLUE's rows have a sentence begin, or not, against the rules.

    Offsets into the text. They are known of the dev part alone, whose rows BLUE's users passed on.
    """
    table = files("bluered.tasks.relations").joinpath("published_boundaries.toml")
    return {
        document: (frozenset(found.get("split", ())), frozenset(found.get("joined", ())))
        for document, found in tomllib.loads(table.read_text("utf-8")).items()
    }
