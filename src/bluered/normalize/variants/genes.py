"""Which gene a variant belongs to: the nearest of the document's gene mentions."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from math import inf

from msgspec import Struct

from bluered.documents.biored_types import GENE
from bluered.documents.document import Document, Entity, known_concepts

ANOTHER_SENTENCE = 300
AFTER = 2
"""A gene after the variant counts as so many times further away than one before it."""

SOFTLY = 20
"""Characters added to each distance, so that one more or less matters little."""

USUAL = 0.05
"""How much it counts that all gene mentions are of one gene."""

JOINED = 0.1
"""A gene right beside ("BRAF V600E", "V600E in BRAF") counts as so many times nearer."""

AT_MOST = 100
"""So many mentions of a variant, and of genes on each side of one, are looked at."""

NEAR = 60
"""From so many characters on no words join a gene and a variant."""

_SENTENCE_ENDS = re.compile(r"[a-z\d)\]][.?!]\s+[A-Z(]")
_JOINED_BEFORE = re.compile(r"[\s(:,*-]*(?:gene|p\.|c\.)?[\s(:,-]*")
_JOINED_AFTER = re.compile(
    r"\W*(?:(?:polymorphisms?|mutations?|variants?|substitutions?|alleles?|genotypes?|SNPs?"
    r"|transitions?|deletions?|insertions?|change|in|of|on|within|the|human|exon \d+)\W+)*"
)


class GeneMentions(Struct, frozen=True):
    """The genes of a document: their mentions with all ids, and each id's share of the mentions.

    The mentions stand in text order, `stops` is where sentences end.
    """

    mentions: list[tuple[Entity, tuple[str, ...]]]
    shares: dict[str, float]
    stops: list[int]


def gene_mentions(document: Document) -> GeneMentions:
    """Return the linked gene mentions of a document."""
    found = [
        (entity, ids)
        for entity in document.entities
        if entity.type == GENE and (ids := known_concepts(entity))
    ]
    found.sort(key=lambda pair: pair[0].start)
    counts = Counter(name for _, ids in found for name in ids)
    return GeneMentions(
        mentions=found,
        shares={name: count / len(found) for name, count in counts.items()},
        stops=[match.start() for match in _SENTENCE_ENDS.finditer(document.text)],
    )


def rank_genes(text: str, variant: Sequence[Entity], genes: GeneMentions) -> tuple[str, ...]:
    """Return the ids of the genes, the one that a variant most likely belongs to first.

    All mentions of the variant count: each gives a gene the inverse of their distance. Of a gene
    mention with several ids the first comes first.
    """
    weights = {name: USUAL * share for name, share in genes.shares.items()}
    for mention in variant[:AT_MOST]:
        nearest: dict[str, float] = {}
        for gene, ids in _around(mention, genes.mentions):
            distance = _distance(text, mention, gene, genes.stops)
            for order, name in enumerate(ids):
                nearest[name] = min(nearest.get(name, inf), distance + order)
        for name, distance in nearest.items():
            weights[name] += 1 / (SOFTLY + distance)
    return tuple(sorted(weights, key=lambda name: (-weights[name], name)))


def _around(
    variant: Entity, mentions: list[tuple[Entity, tuple[str, ...]]]
) -> list[tuple[Entity, tuple[str, ...]]]:
    """Return the gene mentions around a variant: all of an abstract's, the nearest of a book's."""
    if len(mentions) <= 2 * AT_MOST:
        return mentions
    place = bisect_left(mentions, variant.start, key=lambda pair: pair[0].start)
    return mentions[max(0, place - AT_MOST) : place + AT_MOST]


def _distance(text: str, variant: Entity, gene: Entity, stops: list[int]) -> float:
    """Return how far a gene mention is from a variant, in characters, weighed by the text there."""
    if gene.end <= variant.start:
        start, end, weight, joined = gene.end, variant.start, 1, _JOINED_BEFORE
    elif variant.end <= gene.start:
        start, end, weight, joined = variant.end, gene.start, AFTER, _JOINED_AFTER
    else:
        return 0
    distance = (end - start + 1) * weight
    if end - start < NEAR and joined.fullmatch(text, start, end):
        return distance * JOINED
    return distance + ANOTHER_SENTENCE * (bisect_left(stops, end) - bisect_left(stops, start))
