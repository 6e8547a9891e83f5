"""Predicted concepts without real ids meet gold concepts by their mentions."""

from msgspec.structs import replace

from bluered.documents.document import Document, Entity, Relation, Span, simple_document
from bluered.metrics.counts import Counts
from bluered.tasks.biored import correct
from bluered.tasks.biored.align import align_all, alignment

TEXT = "Olmatin (OLM) and zelmatin cause rash; olmatin also causes quill fever."
CHEMICAL, DISEASE = "ChemicalEntity", "DiseaseOrPhenotypicFeature"


def entity(name: str, kind: str, *concepts: str) -> Entity:
    start = TEXT.index(name)
    return Entity(type=kind, spans=(Span(start, start + len(name)),), text=name, concepts=concepts)


def document(*entities: Entity, relations: tuple[Relation, ...] = ()) -> Document:
    return replace(simple_document("1", TEXT), entities=entities, relations=relations)


GOLD = document(
    entity("Olmatin", CHEMICAL, "D002"),
    entity("OLM", CHEMICAL, "D002"),
    entity("olmatin", CHEMICAL, "D002"),
    entity("zelmatin", CHEMICAL, "D001"),
    entity("rash", DISEASE, "D102"),
    entity("quill fever", DISEASE, "D101"),
    relations=(
        Relation(type="Association", head="D002", tail="D102", novel=True),
        Relation(type="Association", head="D001", tail="D102", novel=True),
    ),
)


def test_a_concept_is_the_one_it_shares_most_mentions_with():
    predicted = document(
        entity("Olmatin", CHEMICAL, "local:a"),
        entity("olmatin", CHEMICAL, "local:a"),
        entity("zelmatin", CHEMICAL, "local:a"),
        entity("OLM", CHEMICAL, "local:b"),
    )
    assert alignment(GOLD, predicted) == {"local:a": "D002"}


def test_ties_go_by_id_and_the_mapping_is_one_to_one():
    predicted = document(entity("Olmatin", CHEMICAL, "x"), entity("OLM", CHEMICAL, "w"))
    assert alignment(GOLD, predicted) == {"w": "D002"}


def test_span_and_type_must_be_exact():
    wrong = replace(entity("rash", DISEASE, "local:r"), spans=(Span(33, 36),), text="ras")
    predicted = document(wrong, entity("zelmatin", DISEASE, "local:z"))
    assert alignment(GOLD, predicted) == {}


def test_placeholders_are_no_concepts():
    assert alignment(GOLD, document(entity("rash", DISEASE, "-"))) == {}


def test_a_joined_concept_can_be_met_as_a_whole():
    gold = document(entity("rash", DISEASE, "D7", "D8"))
    predicted = document(entity("rash", DISEASE, "local:r", "local:s"))
    assert alignment(gold, predicted) == {"local:r": "D7", "local:r|local:s": "D7|D8"} or (
        len(alignment(gold, predicted)) == 3
    )


def test_relations_are_scored_by_aligned_concepts_and_others_are_false():
    predicted = document(
        entity("Olmatin", CHEMICAL, "local:olm"),
        entity("rash", DISEASE, "local:rash"),
        replace(entity("fever", DISEASE, "D101"), text="fever"),
        relations=(
            Relation(type="Association", head="local:olm", tail="local:rash", novel=True),
            Relation(type="Association", head="local:olm", tail="D101", novel=True),
        ),
    )
    assert correct.score([GOLD], [predicted]).total("relations", "pair") == Counts(fp=2, fn=2)
    aligned = align_all([GOLD], [predicted])
    scores = correct.score([GOLD], aligned)
    assert scores.total("relations", "all") == Counts(tp=1, fp=1, fn=1)
    pair = scores.total("relations", "by_concept_pair", "Chemical-Disease", "pair")
    assert pair == Counts(tp=1, fp=1, fn=1)


def test_alignment_leaves_mentions_and_unknown_documents_alone():
    other = replace(GOLD, id="2")
    aligned = align_all([GOLD], [GOLD, other])
    assert aligned[1] is other
    assert correct.score([GOLD], aligned[:1]).total("ner", "overall").f1 == 1


def test_gold_aligned_with_gold_is_gold(split):
    """Even the ids that stand only beside others find themselves: nothing may get lost."""
    bare = [
        replace(
            d,
            entities=tuple(e for e in d.entities if len(e.concepts) == 1),
            relations=tuple(r for r in d.relations if {r.head, r.tail} <= single(d)),
        )
        for d in split.gold
    ]
    scores = correct.score(bare, align_all(bare, bare))
    assert scores.total("relations", "all").f1 == 1


def single(document: Document) -> set[str]:
    return {e.concepts[0] for e in document.entities if len(e.concepts) == 1}
