"""Which mentions share a concept, and the local ids they get."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluered.documents.concepts import is_local
from bluered.documents.document import Document, Entity, Span
from bluered.normalize.names import name_key, slug
from bluered.pipeline.concepts import add_local_concepts

D, G, C, V = "DiseaseOrPhenotypicFeature", "GeneOrGeneProduct", "ChemicalEntity", "SequenceVariant"
ALPHA = "\N{GREEK SMALL LETTER ALPHA}"


def document(text: str, *mentions: tuple) -> Document:
    """Return a document with mentions (name, type, concepts...), each at its next place."""
    entities, position = [], 0
    for name, kind, *concepts in mentions:
        position = text.index(name, position)
        span = Span(position, position + len(name))
        entities.append(Entity(type=kind, spans=(span,), text=name, concepts=tuple(concepts)))
        position += 1
    return Document(id="1", text=text, entities=tuple(entities))


def ids(document: Document) -> list[str]:
    return ["|".join(e.concepts) for e in add_local_concepts(document).entities]


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("Breast cancer", "breast cancers", D),
        ("TNF-" + ALPHA, "TNF alpha", G),
        ("IL-6", "IL6", G),
        ("interleukin 6", "Interleukin-6", G),
        ("p.V600E", "V600E", V),
        ("Parkinson's disease", "Parkinson disease", D),
        ("mice", "Mouse", "OrganismTaxon"),
        ("neuropathies", "neuropathy", D),
        ("viruses", "virus", "OrganismTaxon"),
        ("PARPs", "PARP", G),
        ("non\u2013small cell carcinoma", "non-small cell carcinoma", D),
    ],
)
def test_one_name_in_two_spellings(first, second, kind):
    assert name_key(first, kind=kind) == name_key(second, kind=kind)


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("Kras", "Kra", G),
        ("BRCA1", "BRCA2", G),
        ("diabetes type 1", "diabetes type 2", D),
        ("V600E", "V600K", V),
        ("c.35delG", "c.35delC", V),
        ("sepsis", "sepsi", D),
    ],
)
def test_two_names(first, second, kind):
    assert name_key(first, kind=kind) != name_key(second, kind=kind)


def test_same_name_same_id():
    text = "Breast cancer and breast cancers, BRCA1"
    assert ids(document(text, ("Breast cancer", D), ("breast cancers", D), ("BRCA1", G))) == [
        "local:breast-cancer", "local:breast-cancer", "local:brca1",
    ]  # fmt: skip


def test_abbreviation_is_its_long_form():
    text = "Congenital long QT syndrome (LQTS) is rare; LQTS kills."
    found = ids(document(text, ("Congenital long QT syndrome", D), ("LQTS", D), ("LQTS", D)))
    assert set(found) == {"local:congenital-long-qt-syndrome"}


def test_abbreviation_of_another_type_is_another_concept():
    text = "long QT syndrome (LQTS) gene LQTS"
    found = ids(document(text, ("long QT syndrome", D), ("LQTS", D), ("LQTS", G)))
    assert found == ["local:long-qt-syndrome"] * 2 + ["local:lqts"]


def test_a_part_of_the_long_form_is_another_concept():
    text = "type 1 diabetes (T1D) and diabetes"
    found = ids(document(text, ("diabetes", D), ("T1D", D), ("diabetes", D)))
    assert found == ["local:diabetes", "local:t1d", "local:diabetes"]


def test_same_name_of_two_types_gets_two_ids():
    text = "insulin (drug), insulin (gene)"
    assert ids(document(text, ("insulin", C), ("insulin", G))) == [
        "local:insulin", "local:insulin-2",
    ]  # fmt: skip


def test_names_with_one_slug_get_two_ids():
    assert ids(document("c.1+2A c.1-2A", ("c.1+2A", V), ("c.1-2A", V))) == [
        "local:c-1-2a", "local:c-1-2a-2",
    ]  # fmt: skip


def test_given_ids_are_kept_and_lent():
    text = "BRCA1, brca1, BRCA1; TP53"
    found = ids(
        document(text, ("BRCA1", G), ("brca1", G, "672"), ("BRCA1", G, "-"), ("TP53", G, "-1"))
    )
    assert found == ["672", "672", "672", "local:tp53"]


def test_local_ids_do_not_collide_with_given_ones():
    text = "aspirin and Aspirin"
    found = ids(document(text, ("aspirin", C), ("Aspirin", G, "local:aspirin")))
    assert found == ["local:aspirin-2", "local:aspirin"]


def test_linking_twice_changes_nothing():
    once = add_local_concepts(document("BRCA1 and BRCA1", ("BRCA1", G), ("BRCA1", G)))
    assert add_local_concepts(once) == once


@given(st.text(min_size=1, max_size=70))
def test_ids_are_letters_digits_and_hyphens_for_any_name(name):
    span = Span(0, len(name))
    entity = Entity(type=D, spans=(span,), text=name)
    (out,) = add_local_concepts(Document(id="1", text=name, entities=(entity,))).entities
    assert is_local(out.concepts[0])
    assert re.fullmatch(r"local:[a-z0-9_-]+", out.concepts[0])
    assert name_key(name)


def test_slug_of_signs_only():
    assert slug("+/+") == "concept"


def test_many_definitions_take_time_in_proportion():
    sentence = "The long QT syndrome (LQTS) came. "

    def seconds(count: int) -> float:
        spans = [(34 * n + a, 34 * n + b) for n in range(count) for a, b in ((4, 20), (22, 26))]
        text = sentence * count
        entities = tuple(Entity("Disease", (Span(a, b),), text[a:b]) for a, b in spans)
        start = time.process_time()
        linked = add_local_concepts(Document(id="1", text=text, entities=entities))
        taken = time.process_time() - start
        assert {c for e in linked.entities for c in e.concepts} == {"local:long-qt-syndrome"}
        return taken

    assert seconds(1600) < 12 * max(seconds(400), 0.01)  # 16 times as long if it were quadratic
