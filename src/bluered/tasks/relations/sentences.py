"""Where BLUE's sentences end in ChemProt, without the parser that BLUE used.

BLUE split the abstracts with spaCy (en_core_web_sm) and joined what did not end in a stop
(merge_sentences in blue/bert/create_chemprot_bert.py). In its rows nearly every stop before white
space ends a sentence; where one does not, it mostly is because the stop was part of its word: for
spaCy's tokenizer the stop of "4 degrees C.", "PDE3A." or "24 h." is no token. That is what the rules
here say. They were written by looking at the rows of BLUE's dev part.
"""

import re
from collections.abc import Iterator

from bluered.documents.document import Span

_STOP = re.compile(r"[.?!](?:\s+(?=\S)|(?<=[a-z]\.)(?=[A-Z][a-z]))")
"""A stop before white space, or glued to the next sentence ("inhibitors.Clinical")."""

_PART_OF_WORD = re.compile(
    r"""(?:(?<![A-Z])[A-Z]|\*)\.\Z                # the stop of a single capital: "C.", "PDE3A.", "G-A*."
    |(?<![^\s(\[/])[a-z]\.\Z                      # of a single small letter: "24 h."
    |(?<![A-Za-z])(?:e\.g|i\.e|i\.v|c\.f|vs|v|wt)\.\Z     # abbreviations that something always follows
    """,
    re.VERBOSE,
)
_LIST_NUMBER = re.compile(r"\(?\d{1,2}[.)]?\.?\Z")


def sentence_spans(text: str) -> Iterator[Span]:
    """Yield the sentences of a text, as BLUE's released ChemProt rows have them."""
    start = 0
    for match in _STOP.finditer(text):
        end = match.start() + 1
        if _PART_OF_WORD.search(text, start, end) or _LIST_NUMBER.fullmatch(text, start, end):
            continue
        yield Span(start, end)
        start = match.end()
    end = len(text.rstrip())
    if start < end:
        yield Span(start, end)
