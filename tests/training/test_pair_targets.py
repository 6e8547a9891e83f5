"""What corpora say of pairs, in BioRED's types."""

from collections.abc import Sequence

import numpy as np
import pytest

from bluered.documents import Document, Entity, Relation, Span
from bluered.documents.document import MentionRelation

pytestmark = pytest.mark.train
pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")

TYPES = (
    "Association",
    "Positive_Correlation",
    "Negative_Correlation",
    "Bind",
    "Conversion",
)
EVERY = {"none", *TYPES}
GENE, DISEASE, DRUG = "GeneOrGeneProduct", "DiseaseOrPhenotypicFeature", "ChemicalEntity"


def document(text: str, *entities: tuple[str, str, str], **fields: object) -> Document:
    """Return a document; entities are (text, type, concept), found from left to right."""
    made, start = [], 0
    for number, (name, kind, concept) in enumerate(entities):
        start = text.index(name, start)
        made.append(
            Entity(
                type=kind,
                spans=(Span(start, start + len(name)),),
                text=name,
                id=f"T{number}",
                concepts=(concept,) if concept else (),
            )
        )
        start += len(name)
    return Document(id="1", text=text, entities=tuple(made), **fields)


def said(targets) -> dict[frozenset[str], set[str]]:
    """Return which types each pair may have, by the ids of its concepts."""
    names = ("none", *TYPES)
    concepts = targets.found.concepts
    return {
        frozenset((concepts[a].id, concepts[b].id)): {names[i] for i in np.flatnonzero(row)}
        for (a, b), row in zip(targets.found.pairs.tolist(), targets.possible, strict=True)
    }


def pair(*names: str) -> frozenset[str]:
    return frozenset(names)


ABSTRACT = "SCN5A in pain. Aspirin eased pain but not fever."
MENTIONS = (
    ("SCN5A", GENE, "6331"),
    ("pain", DISEASE, "D1"),
    ("Aspirin", DRUG, "D2"),
    ("pain", DISEASE, "D1"),
    ("fever", DISEASE, "D3"),
)


def test_biored_gives_each_pair_its_type_or_none():
    from bluered.training.pair_targets import IGNORED, biored

    relations = (
        Relation(type="Association", head="6331", tail="D1", novel=True),
        Relation(type="Negative_Correlation", head="D1", tail="D2", novel=False),
        Relation(type="Comparison", head="D3", tail="D2"),  # not among the model's types
    )
    targets = biored(document(ABSTRACT, *MENTIONS, relations=relations), TYPES)
    assert said(targets) == {
        pair("6331", "D1"): {"Association"},
        pair("D1", "D2"): {"Negative_Correlation"},
        pair("6331", "D2"): {"none"},
        pair("6331", "D3"): {"none"},
        pair("D2", "D3"): {"none"},
    }
    news = dict(zip(said(targets), targets.novelty.tolist(), strict=True))
    assert news[pair("6331", "D1")] == 1
    assert news[pair("D1", "D2")] == 0
    assert news[pair("D2", "D3")] == IGNORED


def test_bc5cdr_says_positive_or_anything_else_of_chemicals_and_diseases():
    from bluered.training.pair_targets import IGNORED, cid

    given = document(ABSTRACT, *MENTIONS, relations=(Relation(type="CID", head="D2", tail="D3"),))
    targets = cid(given, TYPES)
    assert said(targets) == {
        pair("D2", "D3"): {"Positive_Correlation"},
        pair("D1", "D2"): EVERY - {"Positive_Correlation"},
        pair("6331", "D1"): EVERY,
        pair("6331", "D2"): EVERY,
        pair("6331", "D3"): EVERY,
    }
    assert set(targets.novelty.tolist()) == {IGNORED}


def chemprot(relations: Sequence[tuple[str, str, str]]):
    from bluered.training.pair_targets import cpr

    text = "Aspirin blocks COX1 and p53. ASPIRIN spares cox1. Later TP63 came."
    names = (
        ("Aspirin", DRUG, ""), ("COX1", GENE, ""), ("p53", GENE, ""), ("ASPIRIN", DRUG, ""),
        ("cox1", GENE, ""), ("TP63", GENE, ""),
    )  # fmt: skip
    links = tuple(MentionRelation(type=t, head=h, tail=o) for t, h, o in relations)
    return said(cpr(document(text, *names, mention_relations=links), TYPES))


ASPIRIN, COX1, P53, TP63 = f"{DRUG}:aspirin", f"{GENE}:cox1", f"{GENE}:p53", f"{GENE}:tp63"


def test_chemprot_says_something_of_chemicals_and_genes_in_one_sentence():
    found = chemprot([("CPR:4", "T0", "T1")])
    assert found == {
        pair(ASPIRIN, COX1): {"Negative_Correlation"},
        pair(ASPIRIN, P53): {"none", "Association", "Bind"},
        pair(ASPIRIN, TP63): EVERY,  # no sentence names both
        pair(COX1, P53): EVERY,  # two genes
        pair(COX1, TP63): EVERY,
        pair(P53, TP63): EVERY,
    }


@pytest.mark.parametrize(
    ("relations", "expected"),
    [
        ([("CPR:3", "T0", "T1")], {"Positive_Correlation"}),
        ([("CPR:6", "T3", "T4")], {"Negative_Correlation", "Bind"}),
        ([("CPR:9", "T0", "T1")], {"Association", "Bind", "Conversion"}),
        ([("CPR:10", "T0", "T1")], {"Association"}),  # a class that is not scored
        (
            [("CPR:3", "T0", "T1"), ("CPR:4", "T3", "T4")],
            {"Positive_Correlation", "Negative_Correlation"},
        ),
        ([("CPR:3", "T0", "T9")], {"none", "Association", "Bind"}),  # an end that is not there
    ],
)
def test_classes_of_chemprot(relations, expected):
    assert chemprot(relations)[pair(ASPIRIN, COX1)] == expected


@pytest.mark.parametrize("rule", ["biored", "cid", "cpr"])
def test_a_document_without_mentions_has_no_pairs(rule):
    from bluered.training import pair_targets

    targets = getattr(pair_targets, rule)(Document(id="1", text="Nothing."), TYPES)
    assert targets.possible.shape == (0, 1 + len(TYPES))
