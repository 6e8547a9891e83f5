"""Learning to choose among candidates: `python -m bluered.normalize.shipped.ranking TERMS OUT`.

Each candidate of each name in the training documents is a row of features, right or not. The
counts of seen names leave out the document at hand, or every name of the training documents would
look known. Gradient-boosted trees (scikit-learn's), whose settings and corpora were chosen on
BioRED dev: for genes the corpora that tell the species, for the others all.
"""

import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import sklearn
from msgspec import Struct
from msgspec.structs import replace
from sklearn.ensemble import HistGradientBoostingClassifier

from bluered.documents.biored_types import CELL_LINE, CHEMICAL, DISEASE, GENE, SPECIES
from bluered.documents.document import Document, Entity, Span, known_concepts
from bluered.normalize.candidates import Finder, Names
from bluered.normalize.decisions import Decider, Decision
from bluered.normalize.features import Features
from bluered.normalize.forest import Forest, Tree
from bluered.normalize.grouping import LINKED_TYPES, Group
from bluered.normalize.names import name_key, word_key
from bluered.normalize.ngrams import NgramIndex
from bluered.normalize.ranker import Ranker
from bluered.normalize.shipped.corpora import (
    FOR_RANKING,
    Corpus,
    SeenName,
    concept_id,
    names_by_text,
    seen_documents,
    text_key,
)
from bluered.normalize.shipped.taxa import common_species
from bluered.normalize.store import WORDS
from bluered.normalize.terminology import Terminology

TREES, LEAVES, RATE, SMALLEST = 40, 31, 0.1, 30
LEAST = {GENE: 0.05, DISEASE: 0.2, CHEMICAL: 0.2, SPECIES: 0.1, CELL_LINE: 0.0}
"""The probability from which a name is linked. A gene's is shared out among the species: on dev the
accuracy of genes is highest at 0, the F1 of their concepts between 0.05 and 0.1. The other types
lose less than half a point of accuracy up to 0.2.
"""

OF_GENES = ("BioRED train", "NLM-Gene train", "tmVar3 train")
"""The corpora that genes are learnt from."""


class Case(Struct, frozen=True):
    """A name in a document: its candidates' features, which of them are right, and its weight."""

    features: tuple[Features, ...]
    right: tuple[bool, ...]
    weight: float


def cases(
    terms: Terminology,
    documents: Iterable[tuple[Corpus, Document]],
    counted: Mapping[bytes, Iterable[SeenName]] | None = None,
) -> dict[str, list[Case]]:
    """Return the cases of the documents by entity type.

    `counted` are the names of each text that the terminology counts (`corpora.names_by_text`), of
    which those of the document at hand are left out.
    """
    names = counted or {}
    decider = Decider(terms, Finder(terms, NgramIndex(terms.folder)), Ranker({}))
    found: defaultdict[str, list[Case]] = defaultdict(list)
    for corpus, document in documents:
        typed = typed_document(document, corpus.types)
        less = _numbered(terms, names.get(text_key(corpus, document), ()))
        with_species = SPECIES in corpus.types.values()
        context = decider.context(_given_species(typed) if with_species else spoken_of(document))
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


def spoken_of(document: Document) -> Document:
    """Return a document with the everyday names of species in its text as its only mentions.

    For corpora that annotate genes alone: what species they are of stands in the text.
    """
    mentions = [
        Entity(
            type=SPECIES,
            spans=(Span(*match.span()),),
            text=match[0],
            concepts=(_everyday()[match[0].lower()],),
        )
        for match in _everyday_names().finditer(document.text)
    ]
    return replace(document, entities=tuple(mentions), relations=(), mention_relations=())


@cache
def _everyday() -> dict[str, str]:
    """Return the Taxonomy number of each everyday name, in small letters, and of its plural."""
    numbers: dict[str, str] = {}
    for taxon, names in common_species().items():
        for name in names:
            numbers[name.lower()] = numbers[name.lower() + "s"] = taxon
    return numbers


@cache
def _everyday_names() -> re.Pattern[str]:
    names = sorted(_everyday(), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b", re.IGNORECASE)


def _numbered(terms: Terminology, names: Iterable[SeenName]) -> Names:
    """Return the names that a text adds to the seen ones, by key and concept."""
    found: set[tuple[str, int]] = set()
    for kind, concept, name, _ in names:
        number = terms.number(concept, type=kind)
        if number is not None:
            found.add((name_key(name, kind=kind), number))
            found.add((WORDS + word_key(name, kind=kind), number))
    return frozenset(found)


def _case(document: Document, group: Group, decision: Decision, terms: Terminology) -> Case | None:
    gold = {c for number in group.mentions for c in document.entities[number].concepts}
    if not gold or not decision.choices:
        return None
    ids = [terms.concept(choice.candidate.concept).id for choice in decision.choices]
    right = [concept in gold for concept in ids]
    return Case(
        tuple(choice.features for choice in decision.choices),
        tuple(right),
        float(len(group.mentions)) ** 0.5,
    )


def fit(cases: Sequence[Case]) -> Forest:
    """Return trees that tell right candidates from wrong ones."""
    names = sorted({name for case in cases for some in case.features for name in some})
    empty = Forest(names, 0.0, [], 0)
    rows = empty.rows([some for case in cases for some in case.features])
    right = np.array([flag for case in cases for flag in case.right])
    weights = np.array([case.weight for case in cases for _ in case.right])
    model = HistGradientBoostingClassifier(
        learning_rate=RATE,
        max_iter=TREES,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=SMALLEST,
        early_stopping=False,  # pyright: ignore[reportArgumentType] - as documented
        random_state=0,
    ).fit(rows, right, sample_weight=weights)
    trees = [_tree(predictors[0].nodes) for predictors in model._predictors]
    depth = max(int(p[0].nodes["depth"].max()) for p in model._predictors)
    base = round(float(np.ravel(model._baseline_prediction)[0]), 6)
    return Forest(names, base, trees, depth)


def _tree(nodes: Any) -> Tree:  # noqa: ANN401 - scikit-learn's array of nodes
    own = np.arange(len(nodes))
    leaf = nodes["is_leaf"].astype(bool)
    return Tree(
        feature=np.where(leaf, 0, nodes["feature_idx"]).tolist(),
        threshold=[float(f"{t:.6g}") for t in np.where(leaf, 0.0, nodes["num_threshold"])],
        left=np.where(leaf, own, nodes["left"]).tolist(),
        right=np.where(leaf, own, nodes["right"]).tolist(),
        value=[float(f"{v:.5g}") for v in np.where(leaf, nodes["value"], 0.0)],
    )


def learn(terms: Terminology, data: Path) -> Ranker:
    """Return the ranker learnt from the documents whose names the terminology counts."""
    documents = list(seen_documents(data))
    names = names_by_text(documents)
    by_type = cases(terms, [d for d in documents if not d[0].in_passages], names)
    by_type[GENE] = cases(terms, [d for d in documents if d[0].name in OF_GENES], names)[GENE]
    more = cases(terms, seen_documents(data, FOR_RANKING))
    for kind, some in more.items():
        by_type[kind] = [*by_type[kind], *some]
    forests = {kind: fit(by_type[kind]) for kind in _present(by_type)}
    made = {"terms": terms.manifest.built, "scikit-learn": sklearn.__version__}
    made |= {f"names of {kind}": str(len(by_type[kind])) for kind in forests}
    return Ranker(forests, {kind: LEAST[kind] for kind in forests}, made)


def _present(by_type: Mapping[str, Sequence[Case]]) -> Iterator[str]:
    return (kind for kind in LINKED_TYPES if by_type.get(kind))


if __name__ == "__main__":
    ranker = learn(Terminology(Path(sys.argv[1])), Path(os.environ["BLUERED_DATA"]))
    Path(sys.argv[2]).write_bytes(msgspec.json.encode(ranker) + b"\n")
