"""What a corpus says of the candidate pairs of a document: which relation types each may have.

BioRED gives one type or none. Other corpora say less in BioRED's terms: an inhibitor of ChemProt is
a negative correlation; an unlabelled chemical and disease of BC5CDR may be anything but a positive
one. A pair of which nothing is known may have every type, and then teaches nothing.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from bluered.documents.biored_types import CHEMICAL, DISEASE
from bluered.documents.document import Document
from bluered.documents.sentences import sentences
from bluered.encoding.pairs import Candidates, candidates
from bluered.encoding.tags import Bools
from bluered.encoding.tokens import Ints

IGNORED = -100  # torch's cross-entropy leaves these out
NONE = "none"


class PairTargets(Struct, frozen=True):
    """A document's candidate pairs and what they may be.

    `document` has the concepts that `found` names. `possible` (pairs, 1 + types), none first;
    `novelty` (pairs,): 1 novel, 0 not, IGNORED unknown.
    """

    document: Document
    found: Candidates
    possible: Bools
    novelty: Ints


Rule = Callable[[Document, Sequence[str]], PairTargets]
"""Make the targets of a document, given the relation types of the model."""


def biored(document: Document, types: Sequence[str]) -> PairTargets:
    """Return BioRED's own labels: each pair has its type, or none."""
    found = candidates(document)
    gold = {frozenset((r.head, r.tail)): r for r in document.relations if r.type in types}
    possible = _nothing(found, types)
    novelty = np.full(len(found.pairs), IGNORED, dtype=np.int64)
    for row, (a, b) in enumerate(found.pairs.tolist()):
        relation = gold.get(frozenset((found.concepts[a].id, found.concepts[b].id)))
        _allow(possible[row], types, {relation.type if relation else NONE})
        if relation is not None and relation.novel is not None:
            novelty[row] = int(relation.novel)
    return PairTargets(document, found, possible, novelty)


def cid(document: Document, types: Sequence[str]) -> PairTargets:
    """Return what BC5CDR's chemical-induced diseases say.

    Of those that BioRED annotates too, 125 of 129 are positive correlations (85 shared documents);
    chemicals and diseases that are not in such a relation can be related otherwise.
    """
    found = candidates(document)
    gold = {frozenset((r.head, r.tail)) for r in document.relations}
    possible = _nothing(found, types)
    others = {NONE, *types} - {"Positive_Correlation"}
    for row, (a, b) in enumerate(found.pairs.tolist()):
        one, other = found.concepts[a], found.concepts[b]
        if {one.type, other.type} != {CHEMICAL, DISEASE}:
            possible[row] = True
        elif frozenset((one.id, other.id)) in gold:
            _allow(possible[row], types, {"Positive_Correlation"})
        else:
            _allow(possible[row], types, others)
    return PairTargets(document, found, possible, _unknown(found))


CPR = {
    "CPR:3": {"Positive_Correlation"},
    "CPR:4": {"Negative_Correlation"},
    "CPR:5": {"Positive_Correlation", "Bind"},
    "CPR:6": {"Negative_Correlation", "Bind"},
    "CPR:9": {"Association", "Bind", "Conversion"},
}
"""ChemProt's scored classes: activators and up-regulators, inhibitors and down-regulators,
agonists, antagonists, substrates and products."""


def cpr(document: Document, types: Sequence[str]) -> PairTargets:
    """Return what ChemProt's classes say of chemicals and genes that share a sentence.

    Mentions have no ids: those of one name and type are taken for one concept. Pairs without one of
    the scored classes may still be regulators or parts, which BioRED may call associations.
    """
    named = replace(document, entities=tuple(
        replace(e, concepts=(f"{e.type}:{e.text.lower()}",)) for e in document.entities
    ))  # fmt: skip
    found = candidates(named)
    concept_of = {e.id: e.concepts[0] for e in named.entities}
    gold: defaultdict[frozenset[str], set[str]] = defaultdict(set)
    for relation in document.mention_relations:
        if relation.head in concept_of and relation.tail in concept_of:
            key = frozenset((concept_of[relation.head], concept_of[relation.tail]))
            gold[key] |= CPR.get(relation.type, {"Association"})
    together = _in_one_sentence(named, found)
    possible = _nothing(found, types)
    for row, (a, b) in enumerate(found.pairs.tolist()):
        one, other = found.concepts[a], found.concepts[b]
        if one.type == other.type or not together[row]:
            possible[row] = True
        else:
            said = gold.get(frozenset((one.id, other.id)), {NONE, "Association", "Bind"})
            _allow(possible[row], types, said)
    return PairTargets(named, found, possible, _unknown(found))


def _nothing(found: Candidates, types: Sequence[str]) -> Bools:
    return np.zeros((len(found.pairs), 1 + len(types)), dtype=bool)


def _unknown(found: Candidates) -> Ints:
    return np.full(len(found.pairs), IGNORED, dtype=np.int64)


def _allow(row: Bools, types: Sequence[str], allowed: Collection[str]) -> None:
    row[0] = NONE in allowed
    for index, kind in enumerate(types, start=1):
        row[index] = kind in allowed


def _in_one_sentence(document: Document, found: Candidates) -> list[bool]:
    starts = [sentence.start for sentence in sentences(document)]
    places = [
        {bisect_right(starts, document.entities[m].start) for m in concept.mentions}
        for concept in found.concepts
    ]
    return [bool(places[a] & places[b]) for a, b in found.pairs.tolist()]
