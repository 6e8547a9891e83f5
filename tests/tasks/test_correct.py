"""The clean rule, one claim at a time."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from seqeval.metrics import f1_score, precision_score, recall_score
from seqeval.scheme import IOB2

from bluered.documents.document import Document, Entity, Relation, Span, simple_document
from bluered.errors import BlueredError
from bluered.metrics.counts import Counts
from bluered.tasks.biored import correct
from bluered.tasks.scores import different_texts, pair_documents

TEXT = "Olmatin and zelmatin lower FNR1 and GRB9 in quill fever and rash of mice."
NAMES = {
    "C1": ("ChemicalEntity", "Olmatin"),
    "C2": ("ChemicalEntity", "zelmatin"),
    "G1": ("GeneOrGeneProduct", "FNR1"),
    "G2": ("GeneOrGeneProduct", "GRB9"),
    "D1": ("DiseaseOrPhenotypicFeature", "quill fever"),
    "D2": ("DiseaseOrPhenotypicFeature", "rash"),
    "S1": ("OrganismTaxon", "mice"),
}


def mention(concept: str, **change) -> Entity:
    kind, name = NAMES[concept]
    span = Span(TEXT.index(name), TEXT.index(name) + len(name))
    return replace(Entity(type=kind, spans=(span,), text=name, concepts=(concept,)), **change)


def document(*relations: Relation, name: str = "1") -> Document:
    return replace(
        simple_document(name, TEXT),
        entities=tuple(mention(concept) for concept in NAMES),
        relations=relations,
    )


def relation(head: str, tail: str, kind: str = "Association", novel: bool | None = True):
    return Relation(type=kind, head=head, tail=tail, novel=novel)


def counts(gold: list[Document], predicted: list[Document]) -> dict[str, Counts]:
    scores = correct.score(gold, predicted)
    return {measure: scores.total("relations", measure) for measure in correct.MEASURES}


RIGHT, WRONG, BOTH = Counts(tp=1), Counts(fp=1, fn=1), Counts(tp=1, fp=1)


def test_order_of_the_two_concepts_does_not_count():
    found = counts([document(relation("C1", "D1"))], [document(relation("D1", "C1"))])
    assert set(found.values()) == {RIGHT}


def test_each_measure_asks_for_its_own_label():
    gold = [document(relation("C1", "D1", "Bind", True))]
    typed = counts(gold, [document(relation("C1", "D1", "Bind", False))])
    assert typed == {"pair": RIGHT, "type": RIGHT, "novelty": WRONG, "all": WRONG}
    novel = counts(gold, [document(relation("C1", "D1", "Association", True))])
    assert novel == {"pair": RIGHT, "type": WRONG, "novelty": RIGHT, "all": WRONG}


def test_duplicates_count_once():
    gold = [document(relation("C1", "D1"))]
    twice = [document(relation("C1", "D1"), relation("D1", "C1"))]
    assert set(counts(gold, twice).values()) == {RIGHT}


def test_two_types_for_one_pair_are_one_pair_and_two_claims():
    gold = [document(relation("C1", "D1", "Bind"))]
    found = counts(
        gold, [document(relation("C1", "D1", "Bind"), relation("C1", "D1", "Comparison"))]
    )
    assert found == {"pair": RIGHT, "type": BOTH, "novelty": RIGHT, "all": BOTH}


def test_prediction_without_novelty_is_wrong_where_novelty_counts():
    gold = [document(relation("C1", "D1", novel=True))]
    found = counts(gold, [document(relation("C1", "D1", novel=None))])
    assert found == {"pair": RIGHT, "type": RIGHT, "novelty": WRONG, "all": WRONG}


def test_missing_document_is_all_missed():
    gold = [document(relation("C1", "D1")), document(relation("C1", "D1"), name="2")]
    assert set(counts(gold, gold[:1]).values()) == {Counts(tp=1, fn=1)}
    assert correct.score(gold, gold[:1]).total("ner", "overall") == Counts(tp=7, fn=7)


def test_unknown_document_is_all_false():
    gold = [document(relation("C1", "D1"))]
    more = [*gold, document(relation("C1", "D1"), name="2")]
    assert set(counts(gold, more).values()) == {BOTH}
    assert correct.score(gold, more).total("ner", "overall") == Counts(tp=7, fp=7)


@pytest.mark.parametrize(("head", "tail"), [("D1", "D2"), ("G1", "S1"), ("S1", "C1")])
def test_pairs_outside_the_eight_are_not_judged_but_reported(head, tail):
    gold = [document(relation("C1", "D1"))]
    scores = correct.score(gold, [document(relation("C1", "D1"), relation(head, tail))])
    assert scores.total("relations", "pair") == RIGHT
    assert list(scores.notes.values()) == [1]
    assert counts([document(relation(head, tail))], gold)["pair"] == Counts(fp=1)


def test_relation_of_a_concept_with_itself_counts():
    gold = [document(relation("G1", "G1"))]
    assert counts(gold, gold)["pair"] == RIGHT
    assert counts(gold, [document()])["pair"] == Counts(fn=1)


def test_unknown_concept_and_placeholder_are_false():
    gold = [document(relation("C1", "D1"))]
    for end in ("X9", "-", "-1"):
        scores = correct.score(gold, [document(relation("C1", end))])
        assert scores.total("relations", "pair") == WRONG
        assert scores.total("relations", "by_concept_pair", "unknown", "pair") == Counts(fp=1)


def test_the_gold_decides_the_type_of_a_concept():
    gold = [document(relation("C1", "D1"))]
    other = replace(gold[0], entities=(mention("C1", type="GeneOrGeneProduct"), mention("D1")))
    assert counts(gold, [other])["pair"] == RIGHT


def test_joined_ids_are_one_concept_whatever_their_order():
    both = mention("C1", concepts=("D000001", "D000002"), combination="composite")
    gold = [replace(document(relation("D000001|D000002", "D1")), entities=(both, mention("D1")))]

    def pair(end: str) -> Counts:
        return counts(gold, [replace(gold[0], relations=(relation("D1", end),))])["pair"]

    assert pair("D000002|D000001") == pair("D000002,D000001") == RIGHT
    assert pair("D000001") == WRONG


def test_names_of_other_systems_are_understood():
    gold = [document(relation("C1", "D1", "Positive_Correlation"))]
    entities = (
        mention("C1", type="Chemical"), mention("C2", type="Drug"), mention("G1", type="Gene"),
        mention("G2", type="gene"), mention("D1", type="Disease"), mention("D2", type="Disease"),
        mention("S1", type="Species"),
    )  # fmt: skip
    relations = (relation("C1", "D1", "positive correlation"),)
    scores = correct.score(gold, [replace(gold[0], entities=entities, relations=relations)])
    assert scores.total("ner", "overall").f1 == scores.total("relations", "all").f1 == 1


def test_mentions_need_all_spans_and_the_type():
    whole = mention("D1", spans=(Span(44, 49), Span(60, 64)))
    gold = [replace(document(), entities=(whole, mention("C1")))]
    part = replace(gold[0], entities=(mention("D1", spans=(Span(44, 49),)), mention("C1")))
    assert correct.score(gold, [part]).total("ner", "overall") == Counts(tp=1, fp=1, fn=1)
    other = replace(gold[0], entities=(whole, mention("C1", type="GeneOrGeneProduct")))
    scores = correct.score(gold, [other])
    assert scores.total("ner", "overall") == Counts(tp=1, fp=1, fn=1)
    assert scores.total("ner", "by_type", "ChemicalEntity") == Counts(fn=1)
    assert scores.total("ner", "by_type", "GeneOrGeneProduct") == Counts(fp=1)


def test_duplicate_document_is_an_error_that_names_it():
    with pytest.raises(BlueredError, match="document 1 stands twice in the prediction"):
        correct.score([document()], [document(), document()])


def test_files_without_a_common_document_are_an_error():
    with pytest.raises(BlueredError, match=r"no document of the prediction \(2\)"):
        correct.score([document()], [document(name="2")])
    with pytest.raises(BlueredError, match="the gold holds no document"):
        correct.score([], [document()])


def test_documents_with_another_text_are_named():
    other = replace(document(name="2"), text=TEXT.lower() + " ")
    pairs = pair_documents([document(), document(name="2")], [document(), other])
    assert different_texts(pairs) == ["2"]


def test_gold_against_gold_is_exactly_one_everywhere(split):
    scores = correct.score(split.gold, split.gold)
    assert {scores.total(*path).f1 for path in scores.counts} == {1.0}
    expected = {"test": (3535, 1163), "dev": (3533, 1162)}[split.name]
    found = scores.total("ner", "overall").tp, scores.total("relations", "all").tp
    assert found == expected


def test_half_empty_prediction_is_punished(split):
    scores = correct.score(split.gold, split.predicted("empty_documents"))
    for measure in correct.MEASURES:
        assert scores.total("relations", measure).precision == 1
        assert scores.total("relations", measure).recall < 0.6


def test_order_of_documents_mentions_and_relations_changes_nothing(split):
    rng = random.Random(3)
    predicted = split.predicted("a_bad_system")
    mixed = [
        replace(
            d,
            entities=tuple(rng.sample(d.entities, k=len(d.entities))),
            relations=tuple(rng.sample(d.relations, k=len(d.relations))),
        )
        for d in rng.sample(predicted, k=len(predicted))
    ]
    one, two = correct.score(split.gold, predicted), correct.score(split.gold[::-1], mixed)
    assert one.counts == two.counts
    assert one.documents == two.documents


def tags(document: Document) -> list[str]:
    """Return one IOB2 tag for each character."""
    found = ["O"] * len(document.text)
    for entity in document.entities:
        found[entity.start] = f"B-{entity.type}"
        found[entity.start + 1 : entity.end] = [f"I-{entity.type}"] * (
            entity.end - entity.start - 1
        )
    return found


def test_mention_scores_equal_strict_seqeval(split):
    """BioRED's mentions do not overlap, so seqeval in strict mode sees what we see."""
    rng = random.Random(5)
    gold = split.gold[:20]
    predicted = []
    for one in gold:
        entities = [e for e in one.entities if rng.random() < 0.8]
        for n, entity in enumerate(entities):
            span = entity.spans[0]
            if rng.random() < 0.2 and span.end - span.start > 1:
                entities[n] = replace(entity, spans=(Span(span.start, span.end - 1),))
            elif rng.random() < 0.2:
                entities[n] = replace(entity, type="GeneOrGeneProduct")
        predicted.append(replace(one, entities=tuple(entities)))
    counts = correct.score(gold, predicted).total("ner", "overall")
    left, right = [tags(d) for d in gold], [tags(d) for d in predicted]
    strict = {"mode": "strict", "scheme": IOB2}
    assert counts.precision == pytest.approx(precision_score(left, right, **strict))
    assert counts.recall == pytest.approx(recall_score(left, right, **strict))
    assert counts.f1 == pytest.approx(f1_score(left, right, **strict))
    assert 0.3 < counts.f1 < 0.9


CONCEPTS = st.sampled_from([*NAMES, "X1"])
RELATIONS = st.builds(
    relation,
    CONCEPTS,
    CONCEPTS,
    st.sampled_from(["Association", "Bind", "Comparison"]),
    st.sampled_from([True, False, None]),
)
DOCUMENTS = st.lists(st.lists(RELATIONS, max_size=8), min_size=1, max_size=3).map(
    lambda lists: [document(*some, name=str(n)) for n, some in enumerate(lists)]
)


@settings(max_examples=30, deadline=None)
@given(DOCUMENTS)
def test_any_gold_against_itself_has_no_error(gold):
    scores = correct.score(gold, gold)
    assert all(scores.total(*path).fp == scores.total(*path).fn == 0 for path in scores.counts)


@settings(max_examples=30, deadline=None)
@given(DOCUMENTS, DOCUMENTS)
def test_swapping_the_sides_swaps_false_and_missed(gold, predicted):
    there, back = counts(gold, predicted), counts(predicted, gold)
    for measure, found in there.items():
        assert (found.tp, found.fp, found.fn) == (
            back[measure].tp,
            back[measure].fn,
            back[measure].fp,
        )


def one_label_each(documents: list[Document]) -> list[Document]:
    return [
        replace(d, relations=tuple({frozenset({r.head, r.tail}): r for r in d.relations}.values()))
        for d in documents
    ]


@settings(max_examples=30, deadline=None)
@given(DOCUMENTS, DOCUMENTS)
def test_stricter_measures_find_no_more(gold, predicted):
    """True only with one label for each pair: two right labels are two finds, and one pair."""
    found = counts(one_label_each(gold), one_label_each(predicted))
    assert found["all"].tp <= min(found["type"].tp, found["novelty"].tp)
    assert found["pair"].fn <= min(found["type"].fn, found["novelty"].fn)


@settings(max_examples=30, deadline=None)
@given(DOCUMENTS, DOCUMENTS)
def test_concept_pairs_sum_to_the_whole(gold, predicted):
    scores = correct.score(gold, predicted)
    for measure in correct.MEASURES:
        parts = [
            scores.total(*path)
            for path in scores.counts
            if path[1] == "by_concept_pair" and path[-1] == measure
        ]
        assert sum(parts, start=Counts()) == scores.total("relations", measure)
