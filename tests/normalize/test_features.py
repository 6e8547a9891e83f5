"""What speaks for and against a candidate, worked out by hand."""

from math import log

import pytest

from bluered.documents.biored_types import CELL_LINE, CHEMICAL, DISEASE, GENE
from bluered.documents.document import Entity, Span
from bluered.normalize.candidates import Candidate, Evidence
from bluered.normalize.context import read_context
from bluered.normalize.features import Asked, Features, Seen, features
from bluered.normalize.term import Term
from bluered.normalize.terminology import Terminology

TERMS = (
    Term("672", GENE, "BRCA1", taxon="9606"),
    Term("12189", GENE, "Brca1", taxon="10090"),
    Term("7", GENE, "brca1", taxon="7955"),
    Term("D1", DISEASE, "flu"),
    Term("OMIM:100100", DISEASE, "rare flu"),
    Term("C000001", CHEMICAL, "newdrug"),
    Term("CVCL_0030", CELL_LINE, "HeLa"),
    Term("CVCL_A1B2", CELL_LINE, "NewLine"),
)


@pytest.fixture
def terms(made) -> Terminology:
    return made(TERMS)


def candidate(terms: Terminology, concept: str, kind: str, *evidence: Evidence) -> Candidate:
    return Candidate(terms.number(concept, type=kind), list(evidence))


def mouse_paper(mentioning):
    """A text that names the mouse twice and man once."""
    document = mentioning("Mouse and mouse, not man. BRCA1 was seen.")
    spans = {Span(0, 5): "10090", Span(10, 15): "10090", Span(21, 24): "9606"}
    species = [(Entity("OrganismTaxon", (s,), "x"), taxon) for s, taxon in spans.items()]
    return read_context(document, species)


def test_a_gene_by_hand(terms, mentioning):
    human = candidate(
        terms, "672", GENE,
        Evidence("exact", "name", "brca1", 1.0, 3),
        Evidence("shorter", "synonym", "brca", 0.5, 9),
    )  # fmt: skip
    mouse = candidate(terms, "12189", GENE, Evidence("exact", "name", "brca1", 1.0, 0, True))
    asked = Asked("BRCA1", GENE, near="10090", beside="", others={human.concept: 2})
    seen = Seen({human.concept: 30, mouse.concept: 4})
    one, two = features(
        [human, mouse], asked, context=mouse_paper(mentioning), terms=terms, seen=seen
    )
    expected: Features = {
        "exact, name": 1.0,
        "shorter, synonym": 0.5,
        "candidates": 2.0,
        "letters": 5.0,
        "seen so": log(10),
        "share of what is seen so": 9 / 10,
        "seen": log(31),
        "seen behind the most seen": 0.0,
        "also named otherwise": log(3),
        "others named otherwise": 0.0,
        "species in document": 1 / 3,
        "species in document at all": 1.0,
        "usual species": 0.0,
        "only species in document": 0.0,
        "another fits the species": 1.0,
        "of human": 1.0,
        "capitals, human": 1.0,
    }
    assert {name: one[name] for name in expected} == pytest.approx(expected)
    assert "species near" not in one
    assert "by its ortholog" not in one
    expected = {
        "by its ortholog": 1.0,
        "seen so": 0.0,
        "seen": log(5),
        "seen behind the most seen": log(31) - log(5),
        "others named otherwise": log(3),
        "species near": 1.0,
        "species near, named": 1.0,
        "usual species": 1.0,
        "another fits the species": 0.0,
        "of mouse": 1.0,
        "capitals, mouse": 1.0,
    }
    assert {name: two[name] for name in expected} == pytest.approx(expected)


def only(terms, mentioning, concept: str, asked: Asked, *evidence: Evidence) -> Features:
    context = read_context(mentioning("Nothing is said."), ())
    one = candidate(terms, concept, asked.type, *evidence)
    return features([one], asked, context=context, terms=terms, seen=Seen({}))[0]


def test_where_no_species_is_named_it_is_man(terms, mentioning):
    found = only(terms, mentioning, "672", Asked("BRCA1", GENE))
    assert (found["species near"], found["species near, named"]) == (1.0, 0.0)
    assert "usual species" not in found
    assert "species near" not in only(terms, mentioning, "12189", Asked("BRCA1", GENE))


@pytest.mark.parametrize(
    ("concept", "feature"), [("12189", "species beside"), ("672", "other species beside")]
)
def test_a_species_beside(terms, mentioning, concept, feature):
    found = only(terms, mentioning, concept, Asked("Brca1", GENE, near="10090", beside="10090"))
    assert {name for name in found if name.endswith("species beside")} == {feature}


@pytest.mark.parametrize(
    ("name", "writing"),
    [
        ("BRCA1", "capitals"), ("Brca1", "title"), ("brca1", "small"), ("hTERT", "mixed"),
        ("breast cancer 1", "words"), ("adiponectins", "words"), ("Fgf2a", "title"),
    ],
)  # fmt: skip
def test_how_a_gene_is_written(terms, mentioning, name, writing):
    assert f"{writing}, other" in only(terms, mentioning, "7", Asked(name, GENE))


@pytest.mark.parametrize(
    ("concept", "kind", "expected"),
    [
        ("D1", DISEASE, {}),
        ("OMIM:100100", DISEASE, {"of OMIM": 1.0}),
        ("C000001", CHEMICAL, {"supplementary": 1.0}),
        ("CVCL_0030", CELL_LINE, {"early accession": 1.0}),
        ("CVCL_A1B2", CELL_LINE, {"early accession": 0.0}),
    ],
)
def test_what_record_it_is(terms, mentioning, concept, kind, expected):
    found = only(terms, mentioning, concept, Asked("name", kind))
    names = {"of OMIM", "supplementary", "early accession"}
    assert {name: value for name, value in found.items() if name in names} == expected


def test_short_names_say_less(terms, mentioning):
    exact = Evidence("exact", "synonym", "flu", 1.0, 0)
    assert only(terms, mentioning, "D1", Asked("flu", DISEASE), exact)["short synonym"] == 1.0
    assert "short synonym" not in only(terms, mentioning, "D1", Asked("grippe", DISEASE), exact)


def test_what_the_document_itself_says_is_not_counted(terms, mentioning):
    context = read_context(mentioning("The bug."), ())
    flu = candidate(terms, "D1", DISEASE, Evidence("exact", "corpus", "bug", 1.0, 1))
    asked = Asked("the bug", DISEASE)
    own = Seen({flu.concept: 5}, frozenset({("bug", flu.concept)}))
    counted, left_out = (
        features([flu], asked, context=context, terms=terms, seen=seen)[0]
        for seen in (Seen({flu.concept: 5}), own)
    )
    assert (counted["exact, corpus"], counted["seen so"], counted["seen"]) == (1, log(2), log(6))
    assert "exact, corpus" not in left_out
    assert (left_out["seen so"], left_out["seen"]) == (0, log(5))


def test_no_candidates_no_features(terms, mentioning):
    context = read_context(mentioning("Nothing."), ())
    assert features([], Asked("x", GENE), context=context, terms=terms, seen=Seen({})) == []
