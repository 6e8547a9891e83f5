"""Where the two concepts of a pair meet: two of their mentions in one sentence."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from bluered.documents.document import Document, Span
from bluered.encoding.pairs import Candidates
from bluered.encoding.tokens import Ints


class Meetings(Struct, frozen=True):
    """Every two mentions of a pair in one sentence, by pair; arrays of shape (meetings,).

    `pairs` are rows of the candidate pairs, `one` and `other` mentions of their first and second
    concept, `sentences` the sentence in which both begin; `starts` (sentences,), where all begin.
    """

    pairs: Ints
    one: Ints
    other: Ints
    sentences: Ints
    starts: Ints


def meetings(document: Document, found: Candidates, sentences: Sequence[Span]) -> Meetings:
    """Return where the candidate pairs of a document meet: nowhere in one without sentences."""
    starts = np.asarray([sentence.start for sentence in sentences], dtype=np.int64)
    begins = [entity.start for entity in document.entities]
    places = np.maximum(np.searchsorted(starts, begins, side="right") - 1, 0).tolist()
    mentions = [concept.mentions for concept in found.concepts]
    met = [
        (row, one, other, places[one])
        for row, (a, b) in enumerate(found.pairs.tolist())
        for one in mentions[a]
        for other in mentions[b]
        if len(starts) and places[one] == places[other]
    ]
    pairs, one, other, within = np.asarray(met, dtype=np.int64).reshape(-1, 4).T
    return Meetings(pairs, one, other, within, starts)


def sentence_bounds(met: Meetings, starts: Ints) -> tuple[Ints, Ints]:
    """Return the first and the end of each meeting's sentence, (meetings,) each.

    They count pieces or words, whichever begin at `starts`.
    """
    edges = np.append(np.searchsorted(starts, met.starts), len(starts))
    return edges[met.sentences], edges[met.sentences + 1]


def ordered(places: Ints, met: Meetings) -> tuple[Ints, Ints, Ints]:
    """Return of each meeting the left and the right place, and 1 where the second comes first.

    places: (mentions, 2), `[first, end)` of each; left and right: (meetings, 2).
    """
    one, other = places[met.one], places[met.other]
    turned = one[:, 0] > other[:, 0]
    left = np.where(turned[:, None], other, one)
    right = np.where(turned[:, None], one, other)
    return left, right, turned.astype(np.int64)


def spread(first: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Return the numbers of all ranges `[first, end)`, after one another, and whose each is."""
    lengths = np.maximum(end - first, 0)
    whose = np.repeat(np.arange(len(first)), lengths)
    before = np.cumsum(lengths) - lengths
    return np.arange(len(whose)) - before[whose] + first[whose], whose
