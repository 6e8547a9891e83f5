"""Mentions of several concepts at once: "BRCA1/2", "breast and ovarian cancer"."""

import re
from collections.abc import Iterator

from bluered.documents.biored_types import CHEMICAL, DISEASE, GENE
from bluered.normalize.shortenings import LONGEST

_NUMBERED = re.compile(
    r"(?P<stem>.*?[A-Za-zα-ω-]\s?-?)(?P<first>\d{1,3}[A-Za-z]?|[A-H]|I{1,3}V?)"
    r"(?P<more>(?:\s*(?:/|,|and|or|&|-and-)\s*-?(?:\d{1,3}[A-Za-z]?|[A-H]|I{1,3}V?))+)\Z"
)
_MORE = re.compile(r"\d{1,3}[A-Za-z]?|[A-H]\b|I{1,3}V?\b")
_RANGE = re.compile(r"(?P<stem>.*?[A-Za-z-])(?P<first>\d{1,2})\s*(?:-|–|to)\s*(?P<last>\d{1,2})\Z")
_COORDINATION = re.compile(r"\s*,\s*(?:and |or )?|\s+(?:and/or|and|or|&)\s+|\s*/\s*")
_AT_MOST = 6


def parts(name: str, *, type: str) -> Iterator[tuple[str, ...]]:
    """Yield the ways in which a mention may name several concepts, the likeliest first.

    >>> list(parts("BRCA1/2", type="GeneOrGeneProduct"))[0]
    ('BRCA1', 'BRCA2')
    >>> list(parts("breast and ovarian cancer", type="DiseaseOrPhenotypicFeature"))[0]
    ('breast cancer', 'ovarian cancer')
    """
    name = name[:LONGEST]
    if type in {GENE, CHEMICAL}:
        yield from _numbered(name)
    if type in {DISEASE, CHEMICAL, GENE}:
        yield from _coordinated(name)


def _numbered(name: str) -> Iterator[tuple[str, ...]]:
    if match := _NUMBERED.match(name):
        more = _MORE.findall(match["more"])
        yield tuple(match["stem"] + end for end in (match["first"], *more))
    if match := _RANGE.match(name):
        first, last = int(match["first"]), int(match["last"])
        if first < last <= first + _AT_MOST:
            yield tuple(f"{match['stem']}{number}" for number in range(first, last + 1))


def _coordinated(name: str) -> Iterator[tuple[str, ...]]:
    """Yield "A head" and "B head" of "A and B head", then "head A" and "head B", then A and B."""
    pieces = [piece for piece in _COORDINATION.split(name) if piece]
    if not 1 < len(pieces) <= _AT_MOST:
        return
    last, first = pieces[-1].split(), pieces[0].split()
    for words in range(1, len(last)):
        head = " ".join(last[words:])
        yield (*(f"{piece} {head}" for piece in pieces[:-1]), pieces[-1])
    for words in range(len(first) - 1, 0, -1):
        head = " ".join(first[:words])
        yield (pieces[0], *(f"{head} {piece}" for piece in pieces[1:]))
    yield tuple(pieces)
