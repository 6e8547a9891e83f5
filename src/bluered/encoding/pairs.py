"""The concepts of a document, the pairs of them that may be related, and what is known of a pair.

BioRED annotates relations between eight pairs of entity types (Luo et al. 2022, Table 3); every
unordered pair of concepts of such types is a candidate, wherever in the document they stand.
"""

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from bluered.documents.biored_types import PAIR_TYPES
from bluered.documents.concepts import concept_types
from bluered.documents.document import Document, Entity, Span, known_concepts
from bluered.encoding.tokens import Ints
from bluered.formats.identifiers import join_concepts

_PAIR_INDEX: dict[tuple[str, str], int] = {pair: index for index, pair in enumerate(PAIR_TYPES)}


class Concept(Struct, frozen=True):
    """A concept id with its type and the indices of its mentions in `document.entities`."""

    id: str
    type: str
    mentions: tuple[int, ...]


class Candidates(Struct, frozen=True):
    """The candidate pairs: `pairs` (pairs, 2) indexes `concepts`, `kinds` (pairs,) PAIR_TYPES."""

    concepts: tuple[Concept, ...]
    pairs: Ints
    kinds: Ints


def node_ids(entity: Entity) -> tuple[str, ...]:
    """Return the concepts a mention stands for, as the end of a relation would name them.

    A composite mention ("ventricular tachycardia and fibrillation") is one concept under its
    joined id, alternatives (`3040,3048`) are one each: so BioRED's relations name them.
    """
    known = known_concepts(entity)
    if entity.combination == "composite" and len(known) > 1:
        return (join_concepts(entity),)
    return known


def candidates(document: Document) -> Candidates:
    """Return every pair of the document's concepts whose types BioRED relates."""
    mentions: dict[str, list[int]] = {}
    for index, entity in enumerate(document.entities):
        for node in node_ids(entity):
            mentions.setdefault(node, []).append(index)
    types = concept_types(document)
    concepts = tuple(Concept(node, types[node], tuple(m)) for node, m in mentions.items())
    pairs: list[tuple[int, int]] = []
    kinds: list[int] = []
    for a, left in enumerate(concepts):
        for b in range(a + 1, len(concepts)):
            right = concepts[b]
            if (kind := _PAIR_INDEX.get((left.type, right.type))) is not None:
                pairs.append((a, b))
                kinds.append(kind)
            elif (kind := _PAIR_INDEX.get((right.type, left.type))) is not None:
                pairs.append((b, a))
                kinds.append(kind)
    return Candidates(
        concepts,
        np.asarray(pairs, dtype=np.int64).reshape(-1, 2),
        np.asarray(kinds, dtype=np.int64),
    )


def mention_table(places: Ints, found: Candidates) -> Ints:
    """Return the places of each concept's mentions, (concepts, most), padded with -1."""
    most = max((len(c.mentions) for c in found.concepts), default=1)
    table = np.full((len(found.concepts), most), -1, dtype=np.int64)
    for row, concept in zip(table, found.concepts, strict=True):
        row[: len(concept.mentions)] = places[list(concept.mentions)]
    return table


FEATURE_SIZES = (8, 4, 9, 5, 5, 4, 2)
"""How many values each column of `pair_features` can take."""


def pair_features(document: Document, found: Candidates, sentences: Sequence[Span]) -> Ints:
    """Return what the text's layout says of each pair, shape (pairs, 7), small integers.

    The columns: pair type; sentences that mention both (0 to 3 or more); the distance between
    their nearest mentions in characters (powers of two from 16); how often each is mentioned; which
    of them stand in the first sentence, the title; whether the last sentence mentions both.
    """
    if not len(found.pairs):
        return np.zeros((0, len(FEATURE_SIZES)), dtype=np.int64)
    starts = [sentence.start for sentence in sentences]
    places = [np.asarray([document.entities[m].start for m in c.mentions]) for c in found.concepts]
    within = [
        {max(0, bisect_right(starts, place) - 1) for place in concept.tolist()}
        for concept in places
    ]
    last = len(starts) - 1
    rows = []
    for (a, b), kind in zip(found.pairs.tolist(), found.kinds.tolist(), strict=True):
        together = within[a] & within[b]
        distance = int(np.abs(places[a][:, None] - places[b][None, :]).min())
        rows.append(
            (
                kind,
                min(3, len(together)),
                min(8, max(0, distance.bit_length() - 4)),
                _count_class(len(places[a])),
                _count_class(len(places[b])),
                (0 in within[a]) + 2 * (0 in within[b]),
                int(last in together),
            )
        )
    return np.asarray(rows, dtype=np.int64)


def _count_class(count: int) -> int:
    return min(4, (count - 1).bit_length())  # 1, 2, 3-4, 5-8, more
