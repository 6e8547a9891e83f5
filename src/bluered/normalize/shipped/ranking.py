"""Learning the ranker's weights: `python -m bluered.normalize.shipped.ranking TERMS OUT`.

For each name of the training documents the gold concept should be likelier than the other
candidates and than "none"; where it is no candidate, "none" should be the likeliest. The counts of
seen names leave out the document at hand, or every name of the training documents would look
known. L2-regularised maximum likelihood, by L-BFGS; the strength is chosen on BioRED dev.
"""

import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from scipy.optimize import minimize

from bluered.documents.biored_types import SPECIES
from bluered.documents.document import Document, known_concepts
from bluered.normalize.candidates import Finder
from bluered.normalize.decisions import Decider, Decision
from bluered.normalize.features import NIL, Features
from bluered.normalize.grouping import LINKED_TYPES, Group
from bluered.normalize.names import name_key
from bluered.normalize.ngrams import NgramIndex
from bluered.normalize.ranker import Ranker
from bluered.normalize.shipped.corpora import (
    Corpus,
    concept_id,
    seen_documents,
    seen_names,
)
from bluered.normalize.terminology import Terminology

STRENGTH = 3.0
"""Of the regularisation."""

Names = frozenset[tuple[str, int]]


class Case(Struct, frozen=True):
    """A name in a document: its candidates' features, which of them are right, and its weight."""

    features: tuple[Features, ...]
    right: tuple[bool, ...]
    weight: float


def cases(
    terms: Terminology, documents: Iterable[tuple[Corpus, Document]]
) -> dict[str, list[Case]]:
    """Return the cases of the documents by entity type."""
    decider = Decider(terms, Finder(terms, NgramIndex(terms.folder)), Ranker({}))
    found: defaultdict[str, list[Case]] = defaultdict(list)
    for corpus, document in documents:
        typed = typed_document(document, corpus.types)
        less = _own_names(terms, document, corpus.types)
        context = decider.context(_given_species(typed))
        for group, decisions in decider.decide(without_concepts(typed), context, less=less):
            if len(decisions) == 1 and (case := _case(typed, group, decisions[0], terms)):
                found[group.type].append(case)
    return found


def typed_document(document: Document, types: Mapping[str, str]) -> Document:
    """Return a document with BioRED's types and ids, without entities of other types."""
    entities = [
        replace(
            entity,
            type=types[entity.type],
            concepts=tuple(concept_id(c)[0] for c in known_concepts(entity)),
        )
        for entity in document.entities
        if entity.type in types
    ]
    return replace(document, entities=tuple(entities), relations=(), mention_relations=())


def without_concepts(document: Document) -> Document:
    """Return a document whose mentions have no ids."""
    return replace(document, entities=tuple(replace(e, concepts=()) for e in document.entities))


def _given_species(document: Document) -> Document:
    """Return a document with the ids of its species alone."""
    entities = [e if e.type == SPECIES else replace(e, concepts=()) for e in document.entities]
    return replace(document, entities=tuple(entities))


def _own_names(terms: Terminology, document: Document, types: Mapping[str, str]) -> Names:
    """Return the names that a document adds to the seen ones, by key and concept."""
    return frozenset(
        (name_key(name, kind=kind), number)
        for kind, concept, name, _ in seen_names(document, dict(types))
        if (number := terms.number(concept, type=kind)) is not None
    )


def _case(document: Document, group: Group, decision: Decision, terms: Terminology) -> Case | None:
    gold = {c for number in group.mentions for c in document.entities[number].concepts}
    if not gold:
        return None
    ids = [terms.concept(choice.candidate.concept).id for choice in decision.choices]
    right = [concept in gold for concept in ids]
    return Case(
        (*(choice.features for choice in decision.choices), NIL),
        (*right, not any(right)),
        float(len(group.mentions)) ** 0.5,
    )


def fit(cases: Sequence[Case], *, strength: float = STRENGTH) -> dict[str, float]:
    """Return the weights of the features that make the right candidates likeliest."""
    names = sorted({name for case in cases for some in case.features for name in some})
    place = {name: number for number, name in enumerate(names)}
    rows = [_row(some, place) for case in cases for some in case.features]
    matrix = np.array(rows, dtype=np.float64)
    starts = np.cumsum([0, *(len(case.features) for case in cases)])[:-1]
    right = np.array([flag for case in cases for flag in case.right])
    weights = np.array([case.weight for case in cases])
    sizes = [len(case.features) for case in cases]

    def loss(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = matrix @ w
        scores -= np.repeat(np.maximum.reduceat(scores, starts), sizes)
        powers = np.exp(scores)
        total = np.add.reduceat(powers, starts)
        good = np.add.reduceat(np.where(right, powers, 0), starts)
        share = powers / np.repeat(total, sizes)
        among = np.where(right, powers / np.repeat(good, sizes), 0)
        gradient = matrix.T @ ((share - among) * np.repeat(weights, sizes))
        value = float((weights * (np.log(total) - np.log(good))).sum())
        return value + strength / 2 * float(w @ w), gradient + strength * w

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B").x
    return {n: round(float(w), 4) for n, w in zip(names, found, strict=True) if abs(w) > 5e-4}


def _row(some: Features, place: Mapping[str, int]) -> list[float]:
    row = [0.0] * len(place)
    for name, value in some.items():
        row[place[name]] = value
    return row


def learn(terms: Terminology, data: Path, *, strength: float = STRENGTH) -> Ranker:
    """Return the ranker learnt from the documents whose names the terminology counts."""
    by_type = cases(terms, seen_documents(data))
    weights = {kind: fit(by_type[kind], strength=strength) for kind in _present(by_type)}
    made = {"terms": terms.manifest.built, "strength": str(strength)}
    made |= {f"{kind}, names": str(len(by_type[kind])) for kind in _present(by_type)}
    return Ranker(weights, made=made)


def _present(by_type: Mapping[str, Sequence[Case]]) -> Iterator[str]:
    return (kind for kind in LINKED_TYPES if by_type.get(kind))


if __name__ == "__main__":
    ranker = learn(Terminology(Path(sys.argv[1])), Path(os.environ["BLUERED_DATA"]))
    text = msgspec.json.format(msgspec.json.encode(ranker), indent=1)
    Path(sys.argv[2]).write_bytes(text + b"\n")
