"""The words in which links are explained."""

import pytest

from bluered.documents.biored_types import DISEASE, GENE, SPECIES
from bluered.documents.document import Entity, Span, simple_document
from bluered.normalize.candidates import ROUTES, Evidence
from bluered.normalize.context import read_context
from bluered.normalize.features import Asked
from bluered.normalize.names import name_key
from bluered.normalize.reasons import SpeciesReason, how, species_reason, topic_of
from bluered.normalize.term import KINDS


@pytest.mark.parametrize(
    ("feature", "topic"),
    [
        ("exact, synonym", "name"),
        ("short name", "name"),
        ("word order, name", "name"),
        ("by its ortholog", "name"),
        ("species beside", "species"),
        ("by its ortholog, species near", "species"),
        ("seen so", "papers"),
        ("share of what is seen so", "papers"),
        ("also named otherwise", "otherwise"),
        ("of OMIM", "record"),
        ("supplementary", "record"),
        ("of human", "writing"),
        ("of other", "writing"),
        ("capitals, mouse", "writing"),
        ("words, unknown", "writing"),
    ],
)
def test_what_features_are_about(feature, topic):
    assert topic_of(feature) == topic


def evidence(route, kind="synonym", key="", covered=1.0, documents=0, **more) -> Evidence:
    return Evidence(route, kind, key, covered, documents, **more)


@pytest.mark.parametrize(
    ("found", "asked", "words"),
    [
        (evidence("exact", "name"), Asked("BRAF", GENE), "'BRAF' is its symbol"),
        (
            evidence("exact", documents=9),
            Asked("bleeding", DISEASE),
            "'bleeding' is a synonym of it (so in annotated papers: 9)",
        ),
        (
            evidence("exact", "corpus", documents=1),
            Asked("bleed", DISEASE),
            "'bleed' is what annotated papers call it (paper: 1)",
        ),
        (
            evidence("long form", "name"),
            Asked("LQTS", DISEASE, "long QT syndrome"),
            "the text says that 'LQTS' is short for 'long QT syndrome', one of its main names",
        ),
        (
            evidence("word order", key=name_key("cancer of the breast")),
            Asked("cancer of the breast", DISEASE),
            "'cancer of the breast', its words in another order, is a synonym of it",
        ),
        (
            evidence("shorter", "name", name_key("long QT syndrome"), 0.6, 5),
            Asked("familial long QT syndrome", DISEASE),
            "'long QT syndrome', a part of 'familial long QT syndrome', is one of its main names "
            "(so in annotated papers: 5)",
        ),
        (
            evidence("alike", "name", "x", 0.714, 5),
            Asked("melanomma", DISEASE),
            "'melanomma' looks like one of its main names (71% alike)",
        ),
        (
            evidence("exact", "description", ortholog=True),
            Asked("sirtuin 1", GENE),
            "'sirtuin 1' is a full name of the gene with the same symbol in another species",
        ),
    ],
)
def test_how_a_concept_was_found(found, asked, words):
    assert how(found, asked) == words


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_way_of_finding_has_words(route, kind):
    said = how(evidence(route, kind, "brca1"), Asked("BRCA1", GENE, "breast cancer 1"))
    assert "BRCA1" in said
    assert " it" in said


TEXT = "Mice were bought. The rat Brca1 gene and, in patients who smoke, TP53 fell. KRAS rose."


def mention(text: str, kind: str = GENE) -> Entity:
    start = TEXT.index(text)
    return Entity(kind, (Span(start, start + len(text)),), text)


@pytest.mark.parametrize(
    ("gene", "near", "beside", "expected"),
    [
        ("Brca1", "10116", "10116", SpeciesReason("10116", "beside", "rat")),
        ("TP53", "9606", "", SpeciesReason("9606", "sentence", "patients")),
        ("KRAS", "10090", "", SpeciesReason("10090", "document", "Mice")),
    ],
)
def test_where_the_species_of_a_gene_comes_from(gene, near, beside, expected):
    named = {"Mice": "10090", "rat": "10116", "patients": "9606"}
    species = [(mention(name, SPECIES), taxon) for name, taxon in named.items()]
    context = read_context(simple_document("1", TEXT), species)
    asked = Asked(gene, GENE, "", near, beside)
    found = species_reason([mention(gene)], asked, context)
    assert found == expected
    assert expected.mention in found.words


def test_without_a_species_genes_are_human():
    context = read_context(simple_document("1", TEXT), ())
    found = species_reason([mention("KRAS")], Asked("KRAS", GENE), context)
    assert found == SpeciesReason("9606", "none")
    assert species_reason([mention("KRAS")], Asked("x", DISEASE), context) is None
