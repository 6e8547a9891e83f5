"""From mentions to concept ids: what holds of every document."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bluered.documents.biored_types import (
    CELL_LINE,
    CHEMICAL,
    DISEASE,
    ENTITY_TYPES,
    GENE,
    SPECIES,
    VARIANT,
)
from bluered.documents.document import Document, Entity, Span, covered_text
from bluered.normalize.forest import Forest, Tree
from bluered.normalize.linker import MATCH, NAME, SCORE, Linker, explanations
from bluered.normalize.ranker import Ranker
from bluered.normalize.term import Term

TERMS = (
    Term("672", GENE, "BRCA1", ("RNF53",), ("breast cancer gene",), "9606"),
    Term("675", GENE, "BRCA2", taxon="9606"),
    Term("12189", GENE, "Brca1", taxon="10090"),
    Term("7157", GENE, "TP53", ("p53",), taxon="9606"),
    Term("22059", GENE, "Trp53", ("p53",), taxon="10090"),
    Term("D001943", DISEASE, "Breast Neoplasms", ("breast cancer",)),
    Term("D010051", DISEASE, "Ovarian Neoplasms", ("ovarian cancer",)),
    Term("D008133", DISEASE, "Long QT Syndrome"),
    Term("D010146", DISEASE, "Pain", ("LP",)),
    Term("D013921", DISEASE, "Thrombocytopenia"),
    Term("D001241", CHEMICAL, "Aspirin", ("ASA",)),
    Term("9606", SPECIES, "Homo sapiens", ("human", "patients")),
    Term("10090", SPECIES, "Mus musculus", ("mouse", "mice")),
    Term("CVCL_0030", CELL_LINE, "HeLa"),
)
WEIGHTS = {
    "exact, name": 3.0, "exact, synonym": 2.0, "long form, name": 3.0, "long form, synonym": 3.0,
    "shorter, name": 1.0, "shorter, synonym": 1.0, "alike, name": 0.5, "species near": 2.0,
}  # fmt: skip


def ranker(least: float = 0.1) -> Ranker:
    """Return a ranker that adds a weight for each of some features."""
    names = list(WEIGHTS)
    trees = [
        Tree([number, 0, 0], [0.2, 0, 0], [1, 1, 2], [2, 1, 2], [0, 0, WEIGHTS[name]])
        for number, name in enumerate(names)
    ]
    forest = Forest(names, -2.0, trees, 1)
    kinds = [kind for kind in ENTITY_TYPES if kind != VARIANT]
    return Ranker(dict.fromkeys(kinds, forest), dict.fromkeys(kinds, least))


@pytest.fixture(scope="module")
def linker(tmp_path_factory) -> Linker:
    from bluered.normalize.store import write_terminology
    from bluered.normalize.terminology import Terminology

    folder = tmp_path_factory.mktemp("terms")
    write_terminology(TERMS, folder, name="invented", built="2026-01-01", sources=())
    return Linker(Terminology(folder), ranker())


@pytest.fixture
def ids(linker, mentioning) -> Callable[..., list[tuple[str, ...]]]:
    def ids(text: str, *mentions: tuple[str, str]) -> list[tuple[str, ...]]:
        return [entity.concepts for entity in linker(mentioning(text, *mentions)).entities]

    return ids


def test_what_a_linked_mention_has(linker, mentioning):
    (entity,) = linker(mentioning("We saw breast cancers.", ("breast cancers", DISEASE))).entities
    assert entity.concepts == ("D001943",)
    assert entity.combination is None
    assert entity.infons[NAME] == "Breast Neoplasms"
    assert entity.infons[MATCH] == "exact synonym"
    assert 0 < float(entity.infons[SCORE]) <= 1


def test_what_nothing_is_known_of_stays_without(ids):
    assert ids("The qqqq and zzzz rose.", ("qqqq", DISEASE), ("zzzz", GENE)) == [(), ()]


def test_a_gene_is_of_the_species_near(ids):
    text = "In mice p53 rose. It rose. In patients and healthy people p53 fell."
    found = ids(text, ("mice", SPECIES), ("p53", GENE), ("patients", SPECIES))
    assert found == [("10090",), ("22059",), ("9606",)]
    assert ids("The p53 rose.", ("p53", GENE)) == [("7157",)]


def test_given_species_tell_the_genes_too(linker, mentioning):
    document = mentioning("In thale cress p53 rose.", ("thale cress", SPECIES), ("p53", GENE))
    species, gene = document.entities
    document = replace(document, entities=(replace(species, concepts=("10090",)), gene))
    assert [e.concepts for e in linker(document).entities] == [("10090",), ("22059",)]


def test_one_sense_in_a_document(ids):
    text = "In mice p53 rose and later, in all of the sera of the many others, p53 fell."
    assert ids(text, ("mice", SPECIES), ("p53", GENE), ("p53", GENE))[1:] == [("22059",)] * 2


def test_an_abbreviation_is_its_long_form(ids):
    text = "The long QT syndrome (LP) is rare; LP may kill."
    found = ids(text, ("long QT syndrome", DISEASE), ("LP", DISEASE), ("LP", DISEASE))
    assert found == [("D008133",)] * 3
    assert ids("The LP is rare.", ("LP", DISEASE)) == [("D010146",)]


def test_an_unknown_long_form_does_not_take_an_abbreviation_s_sense(ids):
    text = "The aspirinated something acid (ASA) was given."
    assert ids(text, ("ASA", CHEMICAL)) == [("D001241",)]


def test_composites_have_the_ids_of_their_parts(linker, mentioning):
    text = "BRCA1/2 in breast and ovarian cancer."
    document = linker(mentioning(text, ("BRCA1/2", GENE), ("breast and ovarian cancer", DISEASE)))
    genes, diseases = document.entities
    assert genes.concepts == ("672", "675")
    assert diseases.concepts == ("D001943", "D010051")
    assert genes.combination == diseases.combination == "alternatives"
    assert genes.infons[NAME] == "BRCA1; BRCA2"


def test_a_composite_of_which_a_part_is_unknown_is_none(ids):
    assert ids("BRCA1/77 rose.", ("BRCA1/77", GENE)) == [()]


def test_an_unlikely_id_is_not_given(linker, mentioning):
    document = mentioning("A case of trombocytopenia.", ("trombocytopenia", DISEASE))
    assert Linker(linker.terms, ranker(0.99))(document).entities[0].concepts == ()


def test_variants_are_linked_by_their_form(ids):
    found = ids("The V600E of BRCA1.", ("V600E", VARIANT), ("BRCA1", GENE))
    assert found[0] == ("p|SUB|V|600|E",)


@pytest.mark.parametrize("kind", ["Gene", "", "disease", "Cell", "\N{DNA DOUBLE HELIX}"])
def test_entities_of_other_types_are_left_alone(linker, mentioning, kind):
    document = mentioning("The BRCA1.", ("BRCA1", kind))
    assert linker(document) == document


@pytest.mark.parametrize("concepts", [("1",), ("1", "2"), ("-", "2"), ("local:a",)])
@pytest.mark.parametrize("kind", ENTITY_TYPES)
def test_given_ids_stay(linker, mentioning, kind, concepts):
    document = mentioning("BRCA1 p.V600E mice", ("mice", kind))
    given = replace(document.entities[0], concepts=concepts, infons={"a": "b"}, confidence=0.5)
    document = replace(document, entities=(given,))
    assert linker(document) == document


@pytest.mark.parametrize("placeholder", ["", "-", "-1", "None"])
def test_placeholders_are_no_ids(linker, mentioning, placeholder):
    document = mentioning("The BRCA1.", ("BRCA1", GENE))
    entity = replace(document.entities[0], concepts=(placeholder,), infons={"a": "b"})
    (linked,) = linker(replace(document, entities=(entity,))).entities
    assert linked.concepts == ("672",)
    assert linked.infons["a"] == "b"


@pytest.mark.parametrize("text", ["", " ", "No mention at all."])
def test_documents_without_mentions(linker, text):
    document = Document(id="1", text=text)
    linked, links = linker.link(document)
    assert linked == document
    assert (links.names, dict(links.variants)) == ((), {})


def test_discontinuous_mentions(linker):
    text = "breast and ovarian cancer in mice"
    spans = (Span(0, 6), Span(19, 25))
    entity = Entity(DISEASE, spans, covered_text(text, spans))
    (linked,) = linker(Document(id="1", text=text, entities=(entity,))).entities
    assert (linked.concepts, linked.spans, linked.text) == (("D001943",), spans, "breast cancer")


def test_offsets_are_code_points(ids):
    text = "\N{DNA DOUBLE HELIX}\N{MOUSE FACE} In mouse \N{MOUSE FACE} p53 rose."
    assert ids(text, ("mouse", SPECIES), ("p53", GENE)) == [("10090",), ("22059",)]
    assert ids(f"{text} Yes.", ("\N{MOUSE FACE}", SPECIES)) == [()]


def many(number: int) -> Document:
    names = [
        ("mice", SPECIES), ("p53", GENE), ("breast cancer", DISEASE), ("qqqq", DISEASE),
        ("HeLa", CELL_LINE), ("patients", SPECIES), ("BRCA1/2", GENE), ("V600E", VARIANT),
    ]  # fmt: skip
    pieces: list[str] = []
    entities: list[Entity] = []
    at = 0
    for n in range(number):
        name, kind = names[n % len(names)]
        entities.append(Entity(kind, (Span(at, at + len(name)),), name))
        pieces.append(name + (". Then " if n % 9 == 8 else " and "))
        at += len(pieces[-1])
    return Document(id="1", text="".join(pieces), entities=tuple(entities))


def test_five_thousand_mentions(linker):
    document = many(5_000)
    begun = time.process_time()
    linked = linker(document)
    assert time.process_time() - begun < 5
    assert sum(bool(entity.concepts) for entity in linked.entities) == 5_000 * 7 // 8


def test_threads_do_not_change_anything(linker):
    documents = [many(number) for number in range(2, 40)]
    alone = [linker(document) for document in documents]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(linker, documents * 2)) == alone * 2


def test_every_decision_is_told_in_the_order_of_the_text(linker):
    _, links = linker.link(many(30))
    told = list(explanations(links))
    firsts = [link.group.mentions[0] for link in told]
    assert firsts == sorted(firsts)
    assert len(told) == len(links.names) == 7
    for link in told:
        for decision in link.decisions:
            odds = [choice.probability for choice in decision.choices]
            assert odds == sorted(odds, reverse=True)


def test_what_can_be_found_at_all(linker):
    assert linker.knows(GENE, "672")
    assert linker.knows(VARIANT, "anything")
    assert not linker.knows(GENE, "D001943")
    assert not linker.knows("Gene", "672")


WORDS = (
    "BRCA1 Brca1 brca-1 p53 mice patients LP long QT syndrome (LP) breast cancer and "
    "breast/ovarian cancer BRCA1/2 aspirin (ASA) V600E p.V600E HeLa cells ; . *** ( ) - "
    "\N{DNA DOUBLE HELIX} \N{GREEK SMALL LETTER ALPHA} \N{COMBINING ACUTE ACCENT} trombocytopenia"
).split()


@st.composite
def annotated(draw: st.DrawFn) -> Document:
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=25))
    starts: list[int] = []
    at = 0
    for word in words:
        starts.append(at)
        at += len(word) + 1
    text = " ".join(words)
    entities: list[Entity] = []
    for _ in range(draw(st.integers(0, 8))):
        first = draw(st.integers(0, len(words) - 1))
        last = min(len(words) - 1, first + draw(st.integers(0, 3)))
        spans = [Span(starts[first], starts[last] + len(words[last]))]
        if last + 2 < len(words) and draw(st.booleans()):
            spans.append(Span(starts[last + 2], starts[last + 2] + len(words[last + 2])))
        entities.append(
            Entity(
                draw(st.sampled_from([*ENTITY_TYPES, "Other"])),
                tuple(spans),
                covered_text(text, tuple(spans)),
                concepts=draw(st.sampled_from([(), (), ("-",), ("672",), ("10090",)])),
            )
        )
    return Document(id="1", text=text, entities=tuple(entities))


LENIENT = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@LENIENT
@given(document=annotated())
def test_only_ids_and_what_explains_them_are_added(linker, document):
    linked = linker(document)
    assert replace(linked, entities=()) == replace(document, entities=())
    assert len(linked.entities) == len(document.entities)
    for before, after in zip(document.entities, linked.entities, strict=True):
        if after != before:
            assert before.concepts in {(), ("-",)}
            assert after.concepts
            assert {NAME, MATCH, SCORE} <= set(after.infons)
            assert 0 <= float(after.infons[SCORE]) <= 1
            bare = {"concepts": (), "combination": None, "infons": {}}
            assert replace(after, **bare) == replace(before, **bare)
    assert linker(document) == linked
    assert linker(linked) == linked  # what has an id keeps it


@LENIENT
@given(document=annotated(), data=st.data())
def test_the_order_of_the_entities_does_not_count(linker, document, data):
    order = data.draw(st.permutations(range(len(document.entities))))
    shuffled = replace(document, entities=tuple(document.entities[n] for n in order))
    linked, other = linker(document).entities, linker(shuffled).entities
    assert [linked[n].concepts for n in order] == [entity.concepts for entity in other]


@LENIENT
@given(text=st.text(min_size=1, max_size=30), kind=st.sampled_from(ENTITY_TYPES))
def test_any_text_may_be_a_mention(linker, text, kind):
    entity = Entity(kind, (Span(0, len(text)),), text)
    linked = linker(Document(id="1", text=text, entities=(entity,)))
    assert linked.text == text
    assert linked.entities[0].text == text
