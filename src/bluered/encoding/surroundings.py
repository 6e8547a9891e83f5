"""Which word pieces stand for each concept of a document, and which surround each pair of them.

A pair is mostly told by the words around two of its mentions that share a sentence: those between
them, those beside them, and the sentence. Pieces inside any mention are left out of all three, so
that a relation is known by what is said, not by who is named; names are seen apart.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from bluered.documents.document import Document, Entity
from bluered.encoding.meetings import Meetings, ordered, sentence_bounds
from bluered.encoding.pairs import Candidates
from bluered.encoding.tokens import Ints, Tokens
from bluered.encoding.viterbi import Floats

BETWEEN, BESIDE, SENTENCE = range(3)
ZONES = 3
BESIDE_PIECES = 8
"""How far beside a mention, away from the other, pieces count."""


class Surroundings(Struct, frozen=True):
    """Where pairs are talked of, as ranges of pieces, small enough to keep for every document.

    `mentions` (mentions, 2): the pieces `[first, end)` of each. `zones` (ranges, 4): pair, zone,
    and `[first, end)` pieces, of every meeting of the pair, by pair.
    """

    pieces: int
    mentions: Ints
    zones: Ints


def surroundings(document: Document, tokens: Tokens, met: Meetings) -> Surroundings:
    """Return where the candidate pairs of a document are talked of."""
    mentions = mention_pieces(tokens, document.entities)
    left, right, _ = ordered(mentions, met)
    begin, end = sentence_bounds(met, tokens.starts)
    ranges = (
        (SENTENCE, begin, end),
        (BETWEEN, left[:, 1], right[:, 0]),
        (BESIDE, np.maximum(begin, left[:, 0] - BESIDE_PIECES), left[:, 0]),
        (BESIDE, right[:, 1], np.minimum(end, right[:, 1] + BESIDE_PIECES)),
    )
    zones = np.concatenate([
        np.stack([met.pairs, np.full_like(met.pairs, zone), first, last], axis=1)
        for zone, first, last in ranges
    ])  # fmt: skip
    zones = zones[zones[:, 2] < zones[:, 3]]
    return Surroundings(len(tokens.ids), mentions, zones[np.argsort(zones[:, 0], kind="stable")])


def mention_pieces(tokens: Tokens, entities: Sequence[Entity]) -> Ints:
    """Return the pieces `[first, end)` of each mention, (mentions, 2), at least one for each."""
    starts = np.asarray([entity.start for entity in entities], dtype=np.int64)
    ends = np.asarray([entity.end for entity in entities], dtype=np.int64)
    first = np.searchsorted(tokens.ends, starts, side="right")
    first = np.minimum(first, max(0, len(tokens.ids) - 1))
    end = np.maximum(np.searchsorted(tokens.starts, ends, side="left"), first + 1)
    return np.stack([first, end], axis=1)


def name_weights(found: Candidates, around: Surroundings) -> Floats:
    """Return what each piece counts for each concept, (concepts, pieces); rows sum to 1."""
    weights = np.zeros((len(found.concepts), around.pieces), dtype=np.float32)
    for row, concept in zip(weights, found.concepts, strict=True):
        for first, end in around.mentions[list(concept.mentions)].tolist():
            row[first:end] += 1
    return _normal(weights)


def zone_weights(around: Surroundings, pairs: slice) -> Floats:
    """Return what each piece counts around some pairs, (pairs, ZONES, pieces).

    `pairs` has a start and a stop. Rows sum to 1, or to 0 where there is nothing in a zone.
    """
    count = pairs.stop - pairs.start
    change = np.zeros((count, ZONES, around.pieces + 1), dtype=np.float32)
    begin, end = np.searchsorted(around.zones[:, 0], (pairs.start, pairs.stop))
    row, zone, first, last = around.zones[begin:end].T
    np.add.at(change, (row - pairs.start, zone, first), 1)
    np.add.at(change, (row - pairs.start, zone, last), -1)
    weights = np.cumsum(change, axis=2)[:, :, :-1]
    for first, end in around.mentions.tolist():
        weights[:, :, first:end] = 0
    return _normal(weights)


def _normal(weights: Floats) -> Floats:
    return weights / np.maximum(weights.sum(axis=-1, keepdims=True), 1)
