"""What is shown of a document: concepts, evidence, segments, excerpts, addresses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluered.documents.document import Document, Entity, Relation, Span
from bluered.reports.excerpts import excerpt
from bluered.reports.graph import WIDTH, graph
from bluered.reports.homes import home_of
from bluered.reports.kinds import KINDS, kind_of
from bluered.reports.segments import segments
from bluered.reports.view import view


def entity(text: str, name: str, concept: str = "1", kind: str = "GeneOrGeneProduct", at: int = 0):
    start = text.index(name, at)
    return Entity(
        type=kind, spans=(Span(start, start + len(name)),), text=name, concepts=(concept,)
    )


@pytest.mark.parametrize(
    ("concept", "kind", "address"),
    [
        ("672", "gene", "https://www.ncbi.nlm.nih.gov/gene/672"),
        ("D001943", "disease", "https://meshb.nlm.nih.gov/record/ui?ui=D001943"),
        ("MESH:C531816", "chemical", "https://meshb.nlm.nih.gov/record/ui?ui=C531816"),
        ("OMIM:613795", "disease", "https://omim.org/entry/613795"),
        ("9606", "species", "https://www.ncbi.nlm.nih.gov/Taxonomy/Browser/wwwtax.cgi?id=9606"),
        ("CVCL_0031", "cell", "https://www.cellosaurus.org/CVCL_0031"),
        ("rs1057910", "variant", "https://www.ncbi.nlm.nih.gov/snp/rs1057910"),
        ("local:brca1", "gene", None),
        ("p|SUB|V|600|E", "variant", None),
        ("9606", "disease", None),
        ('672"onclick="x', "gene", None),
    ],
)
def test_addresses(concept, kind, address):
    assert home_of(concept, kind) == address


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("GeneOrGeneProduct", "Gene"), ("GENE-Y", "Gene"), ("Chemical", "Chemical"),
        ("drug_n", "Chemical"),
        ("SpecificDisease", "Disease"), ("OrganismTaxon", "Species"), ("CellLine", "Cell line"),
        ("SequenceVariant", "Variant"), ("DNAMutation", "Variant"), ("Anything", "Other"),
    ],
)  # fmt: skip
def test_kinds_of_many_corpora(name, label):
    assert kind_of(name).label == label


def test_letters_and_keys_tell_the_kinds_apart():
    assert len({k.letter for k in KINDS}) == len({k.key for k in KINDS}) == len(KINDS) == 6


def test_a_concept_is_named_as_it_is_named_most():
    text = "insulin receptor, INSR and INSR"
    document = Document(
        id="1",
        text=text,
        entities=(
            entity(text, "insulin receptor"),
            entity(text, "INSR"),
            entity(text, "INSR", at=20),
        ),
    )
    concept = view(document).concepts["1"]
    assert (concept.name, concept.names) == ("INSR", ("insulin receptor", "INSR"))
    assert len(concept.mentions) == 3


def test_ends_that_join_concepts_of_one_mention():
    text = "learning and memory deficits by X"
    both = Entity(
        type="Disease", spans=(Span(0, 28),), text=text[:28], concepts=("D1", "D2"),
        combination="composite",
    )  # fmt: skip
    document = Document(
        id="1",
        text=text,
        entities=(both, entity(text, "X", "9")),
        relations=(Relation(type="Association", head="D1|D2", tail="9"),),
    )
    (relation,) = view(document).relations
    assert relation.head.name == "learning and memory deficits"
    assert relation.evidence == (Span(0, 33),)


def test_a_relation_without_evidence_gets_the_first_common_sentence():
    text = "A is here. B is there. A meets B. A and B part."
    document = Document(
        id="1",
        text=text,
        entities=tuple(
            entity(text, n, n, at=i)
            for n, i in (("A", 0), ("B", 9), ("A", 20), ("B", 30), ("A", 33))
        ),
        relations=(Relation(type="Bind", head="A", tail="B"),),
    )
    (relation,) = view(document).relations
    assert [text[s.start : s.end] for s in relation.evidence] == ["A meets B."]


@pytest.mark.parametrize(
    ("evidence", "core"),
    [
        (("A meets B.", "A is here."), ["A meets B."]),
        (("A is here.", "B is there.", "A meets B."), ["A is here.", "B is there."]),
        (("B is there.",), ["B is there."]),
    ],
)
def test_the_best_sentence_is_enough_where_it_names_both(evidence, core):
    text = "A is here. B is there. A meets B."
    spans = tuple(Span(text.index(one), text.index(one) + len(one)) for one in evidence)
    document = Document(
        id="1",
        text=text,
        entities=tuple(
            entity(text, n, n, at=i) for n, i in (("A", 0), ("B", 11), ("A", 23), ("B", 31))
        ),
        relations=(Relation(type="Bind", head="A", tail="B", evidence=spans),),
    )
    (relation,) = view(document).relations
    assert relation.evidence == spans
    assert [text[s.start : s.end] for s in relation.core] == core


def test_surest_relations_come_first():
    relations = tuple(
        Relation(type="Bind", head="1", tail="1", confidence=c) for c in (0.2, None, 0.9)
    )
    document = Document(id="1", text="x", entities=(entity("x", "x"),), relations=relations)
    assert [r.relation.confidence for r in view(document).relations] == [0.9, 0.2, None]


def test_nested_crossing_and_split_mentions():
    outer = Entity(type="Disease", spans=(Span(0, 10),), text="0123456789")
    inner = Entity(type="Gene", spans=(Span(2, 4),), text="23")
    crossing = Entity(type="Chemical", spans=(Span(8, 12), Span(14, 16)), text="89ab ef")
    found = list(segments([inner, crossing, outer], 0, 18))
    assert [(s.start, s.end) for s in found] == [
        (0, 2), (2, 4), (4, 8), (8, 10), (10, 12), (12, 14), (14, 16), (16, 18),
    ]  # fmt: skip
    assert [e.type for e in found[1].entities] == ["Disease", "Gene"]
    assert found[0].begins
    assert not found[0].ends
    assert found[6].joins
    assert found[7].entities == ()


spans = st.tuples(st.integers(0, 30), st.integers(1, 12)).map(lambda p: Span(p[0], p[0] + p[1]))


@given(st.lists(spans, max_size=8), st.integers(0, 20), st.integers(20, 40))
def test_segments_cover_the_text_once(found, start, end):
    entities = [Entity(type="Gene", spans=(s,), text="x") for s in found]
    parts = list(segments(entities, start, end))
    assert "".join(str(list(range(p.start, p.end))) for p in parts).replace("][", ", ") == (
        str(list(range(start, end))) if start < end else ""
    )
    for part in parts:
        inside = {e.spans[0] for e in part.entities}
        assert inside == {s for s in found if s.start <= part.start and part.end <= s.end}


TEXT = (
    "In a long sentence that begins far away, BRCA1 was, "
    "after much more was said, tied to cancer, and so on."
)


def test_excerpt_keeps_both_ends():
    head, tail = entity(TEXT, "BRCA1"), entity(TEXT, "cancer")
    whole = Span(0, len(TEXT))
    assert "".join(p for p, _ in excerpt(TEXT, whole, [head], [tail], width=200)) == TEXT
    parts = excerpt(TEXT, whole, [head], [tail], width=60)
    assert [p for p in parts if p[1]] == [("BRCA1", "head"), ("cancer", "tail")]
    assert len("".join(p for p, _ in parts)) < 70
    parts = excerpt(TEXT, whole, [head], [tail], width=30)
    assert [p for p in parts if p[1]] == [("BRCA1", "head"), ("cancer", "tail")]
    assert sum("\u2026" in p for p, _ in parts) == 3


@given(
    st.integers(0, 90),
    st.integers(1, 12),
    st.integers(0, 90),
    st.integers(1, 12),
    st.integers(1, 120),
)
def test_excerpts_hold_for_all_places(a, b, c, d, width):
    ends = [
        Entity(type="Gene", spans=(Span(s, min(s + n, len(TEXT))),), text="")
        for s, n in ((a, b), (c, d))
    ]
    parts = excerpt(TEXT, Span(0, len(TEXT)), [ends[0]], [ends[1]], width=width)
    for text, _ in parts:
        assert text.strip(" \u2026") in TEXT
    assert any(role for _, role in parts)


def drawn(*pairs: tuple[str, str]):
    names = sorted({n for pair in pairs for n in pair})
    text = " ".join(names)
    document = Document(
        id="1",
        text=text,
        entities=tuple(entity(text, n, n) for n in names),
        relations=tuple(Relation(type="Association", head=a, tail=b) for a, b in pairs),
    )
    return graph(view(document).relations)


GRAPHS = {
    "one": [("aa", "bb")],
    "star": [("hub", f"leaf{n:02}") for n in range(12)],
    "two components": [("aa", "bb"), ("cc", "dd")],
    "dense": [(f"node{i}", f"node{j}") for i in range(8) for j in range(i)],
    "twice the same pair": [("aa", "bb"), ("bb", "aa"), ("aa", "bb")],
    "too many": [("hub", f"leaf{n:02}") for n in range(60)],
}


@pytest.mark.parametrize("pairs", GRAPHS.values(), ids=GRAPHS.keys())
def test_boxes_of_the_graph_stay_inside_and_apart(pairs):
    found = drawn(*pairs)
    assert found is not None
    assert found == drawn(*pairs)
    assert len(found.edges) + found.left_out == len(pairs)
    for i, a in enumerate(found.nodes):
        assert a.width / 2 <= a.x <= WIDTH - a.width / 2
        assert a.height / 2 <= a.y <= found.height - a.height / 2
        for b in found.nodes[:i]:
            apart_x = abs(a.x - b.x) - (a.width + b.width) / 2
            apart_y = abs(a.y - b.y) - (a.height + b.height) / 2
            assert apart_x >= 0 or apart_y >= 0
    assert len({(e.sign_x, e.sign_y) for e in found.edges}) == len(found.edges)


def test_no_relations_no_graph():
    assert graph([]) is None
    document = Document(
        id="1", text="x", entities=(entity("x", "x"),),
        relations=(Relation(type="Bind", head="1", tail="1"),),
    )  # fmt: skip
    assert graph(view(document).relations) is None


@pytest.mark.parametrize(
    ("concepts", "infons", "shown"),
    [
        (
            ("1",),
            {"concept_name": "A; B", "match": "exact name", "score": "0.4567"},
            ("A; B", "0.46"),
        ),
        (("1", "2"), {"concept_name": "A; B", "match": "x", "score": "1"}, ("A", "1.00")),
        (("1", "2"), {"concept_name": "A; B; C", "match": "x"}, ("", "")),
        (("1",), {"concept_name": "1", "match": "x", "score": "high"}, ("", "")),
        (("1",), {}, ("", "")),
    ],
)
def test_what_the_terminology_calls_a_concept(concepts, infons, shown):
    entity = Entity("Gene", (Span(0, 1),), "a", concepts=concepts, infons=infons)
    concept = view(Document(id="1", text="a", entities=(entity,))).concepts["1"]
    assert (concept.preferred, concept.score) == shown
