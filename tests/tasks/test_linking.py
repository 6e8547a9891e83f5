"""Scores of concept ids: small documents worked out by hand, and a second way to count."""

import random

import pytest
from msgspec.structs import replace

from bluered.documents.document import Document, Entity, Span, simple_document
from bluered.metrics.counts import Counts
from bluered.metrics.significance import f1_interval
from bluered.tasks.biored import linking
from bluered.tasks.scores import joined

GENE, DISEASE, CHEMICAL, SPECIES = (
    "GeneOrGeneProduct", "DiseaseOrPhenotypicFeature", "ChemicalEntity", "OrganismTaxon",
)  # fmt: skip
TEXT = "FNR1 and globin in mice with rash and ague after olmatin or zelm."


def mention(name: str, kind: str, *concepts: str, composite: bool = False) -> Entity:
    start = TEXT.index(name)
    combination = None if len(concepts) < 2 else "composite" if composite else "alternatives"
    return Entity(
        type=kind,
        spans=(Span(start, start + len(name)),),
        text=name,
        concepts=concepts,
        combination=combination,
    )


def document(*entities: Entity, name: str = "1") -> Document:
    return replace(simple_document(name, TEXT), entities=entities)


GOLD = document(
    mention("FNR1", GENE, "11"),
    mention("globin", GENE, "21", "22"),
    mention("mice", SPECIES, "10090"),
    mention("rash and ague", DISEASE, "D000001", "D000002", composite=True),
    mention("olmatin", CHEMICAL, "D000003"),
    mention("zelm", CHEMICAL, "-"),
)
GIVEN = document(
    mention("FNR1", GENE, "11"),
    mention("globin", GENE, "22"),
    mention("mice", SPECIES, "local:mice"),
    mention("rash and ague", DISEASE, "D000001"),
    mention("olmatin", CHEMICAL, "MESH:d000003"),
    mention("zelm", CHEMICAL, "D000009"),
)


def right(number: int, *, of: int) -> Counts:
    return Counts(tp=number, fp=of - number, fn=of - number)


def test_accuracy_of_the_worked_example():
    scores = linking.score_given([GOLD], [GIVEN])
    assert scores.total("linking", "overall") == right(3, of=5)
    assert scores.total("linking", "overall").f1 == pytest.approx(0.6)
    assert scores.total("linking", "answered", "overall") == right(3, of=4)
    by_type = {p[-1]: scores.total(*p) for p in scores.counts if p[:2] == ("linking", "by_type")}
    assert by_type == {
        GENE: right(2, of=2),
        DISEASE: right(0, of=1),
        CHEMICAL: right(1, of=1),
        SPECIES: right(0, of=1),
    }
    assert ("linking", "answered", "by_type", SPECIES) not in scores.counts
    assert scores.notes == {"linking: gold mentions without an id, not asked": 1}


def test_concepts_and_mentions_of_the_worked_example():
    scores = linking.score_concepts([GOLD], [GIVEN])
    assert scores.total("concepts", "overall") == Counts(tp=4, fp=1, fn=3)
    assert scores.total("concepts", "by_type", GENE) == Counts(tp=2, fn=1)
    assert scores.total("concepts", "by_type", DISEASE) == Counts(tp=1, fn=1)
    assert scores.total("concepts", "by_type", CHEMICAL) == Counts(tp=1, fp=1)
    assert scores.total("concepts", "by_type", SPECIES) == Counts(fn=1)
    assert scores.total("mention_ids", "overall") == Counts(tp=3, fp=2, fn=2)
    assert scores.total("mention_ids", "by_type", CHEMICAL) == Counts(tp=1, fp=1)
    assert scores.notes == {
        "concepts: gold mentions without an id that names a concept": 1,
        "concepts: predicted mentions without an id that names a concept": 1,
    }


@pytest.mark.parametrize(
    ("gold", "composite", "given", "fine"),
    [
        (("11",), False, ("11",), True),
        (("11",), False, ("12",), False),
        (("11",), False, ("11", "12"), False),
        (("11",), False, (), False),
        (("11",), False, ("-",), False),
        (("11",), False, ("local:11",), False),
        (("11",), False, ("local:11", "11"), True),
        (("21", "22"), False, ("21",), True),
        (("21", "22"), False, ("22", "21"), True),
        (("21", "22"), False, ("21", "23"), False),
        (("21", "22"), False, (), False),
        (("21", "22"), True, ("21",), False),
        (("21", "22"), True, ("22", "21"), True),
        (("21", "22"), True, ("22|21",), True),
        (("21", "22"), True, ("21", "22", "23"), False),
        (("D000003",), False, ("MESH:D000003",), True),
        (("D000003",), False, (" d000003",), True),
        (("OMIM:3",), False, ("3",), False),
        (("p|SUB|V|600|E",), False, ("p|SUB|V|600|E",), True),
    ],
)
def test_when_an_answer_is_right(gold, composite, given, fine):
    one = document(mention("globin", GENE, *gold, composite=composite))
    other = document(mention("globin", GENE, *given))
    scores = linking.score_given([one], [other])
    assert scores.total("linking", "overall") == right(int(fine), of=1)
    strict = linking.score_concepts([one], [other]).total("mention_ids", "overall")
    assert strict.tp == int(fine)


def test_ids_the_terminology_does_not_hold_are_counted_apart():
    holds = {(GENE, "11"), (GENE, "22"), (DISEASE, "D000001"), (CHEMICAL, "D000003")}
    scores = linking.score_given([GOLD], [GIVEN], known=lambda *concept: concept in holds)
    # FNR1, globin (one of two) and olmatin; not mice, nor the two diseases, of which one is held
    assert scores.total("linking", "known", "overall") == right(3, of=3)
    assert scores.notes["linking: of 7 gold ids the terminology does not hold"] == 3
    assert scores.total("linking", "overall") == right(3, of=5)


def test_a_mention_that_is_not_there_is_wrong_or_not_asked():
    half = document(*GIVEN.entities[:2])
    assert linking.score_given([GOLD], [half]).total("linking", "overall") == right(2, of=5)
    found = linking.score_given([GOLD], [half], only_found=True)
    assert found.total("linking", "overall") == right(2, of=2)
    assert found.notes["linking: gold mentions that the prediction lacks, not asked"] == 3


def test_missing_and_unknown_documents():
    two = replace(GOLD, id="2")
    scores = linking.score_given([GOLD, two], [GOLD])
    assert scores.total("linking", "overall") == right(5, of=10)
    concepts = linking.score_concepts([GOLD, two], [GOLD])
    assert concepts.total("concepts", "overall") == Counts(tp=7, fn=7)
    assert concepts.total("mention_ids", "overall") == Counts(tp=5, fn=5)
    more = linking.score_concepts([GOLD], [GOLD, two])
    assert more.total("concepts", "overall") == Counts(tp=7, fp=7)


def test_documents_without_mentions_have_no_measures():
    assert linking.score_given([document()], [document()]).counts == {}
    assert linking.score_concepts([document()], [document()]).counts == {}
    assert linking.score_concepts([document()], [GIVEN]).total("concepts", "overall").fp == 5
    assert not linking.have_ids([document(mention("zelm", CHEMICAL, "-", "local:zelm"))])


def test_one_concept_in_many_mentions_is_one_and_other_names_of_types_are_understood():
    twice = document(mention("olmatin", "Chemical", "D000003"), mention("zelm", "Drug", "D000003"))
    scores = linking.score_concepts([GOLD], [twice])
    assert scores.total("concepts", "by_type", CHEMICAL) == Counts(tp=1)


def test_a_mention_that_stands_twice_has_the_ids_of_both():
    twice = document(mention("FNR1", GENE, "11"), mention("FNR1", GENE, "12"))
    assert linking.score_given([GOLD], [twice], only_found=True).total(
        "linking", "overall"
    ) == right(0, of=1)
    assert linking.score_given([twice], [GOLD]).total("linking", "overall") == right(1, of=1)


def test_gold_against_gold_is_one(split):
    scores = joined(
        linking.score_given(split.gold, split.gold, known=lambda kind, concept: True),
        linking.score_concepts(split.gold, split.gold),
    )
    assert {scores.total(*path).f1 for path in scores.counts} == {1.0}
    interval = f1_interval(scores.counts["linking", "overall"])
    assert (interval.low, interval.high) == (1, 1)


def test_scores_of_other_documents_are_not_joined():
    one, other = (linking.score_concepts([d], [d]) for d in (GOLD, replace(GOLD, id="2")))
    with pytest.raises(ValueError, match="different documents"):
        joined(one, other)


def disturbed(gold: list[Document]) -> list[Document]:
    """Give mentions other ids, borders or none at all, by chance; leave a document out."""
    rng = random.Random(8)
    ids = sorted({c for d in gold for e in d.entities for c in e.concepts})
    found = []
    for one in gold[1:]:
        entities = [e for e in one.entities if rng.random() < 0.9]
        for n, entity in enumerate(entities):
            draw = rng.random()
            if draw < 0.15:
                entities[n] = replace(entity, concepts=(rng.choice(ids),), combination=None)
            elif draw < 0.3:
                entities[n] = replace(entity, concepts=("local:x",), combination=None)
            elif draw < 0.4 and entity.end - entity.start > 1:
                entities[n] = replace(entity, spans=(Span(entity.start, entity.end - 1),))
            elif draw < 0.5:
                entities[n] = replace(entity, concepts=entity.concepts[:1], combination=None)
        found.append(replace(one, entities=tuple(entities)))
    return found


def plain_ids(entity: Entity) -> list[str]:
    return sorted({c for c in entity.concepts if c != "-" and not c.startswith("local:")})


def test_counts_equal_a_plain_second_count(split):
    """BioRED's mentions do not repeat, and its ids differ in more than case."""
    predicted = disturbed(split.gold)
    asked = right_ones = answered = both = 0
    gold_ones, predicted_ones, strict = [], [], [0, 0, 0]
    others = {d.id: d.entities for d in predicted}
    for one in split.gold:
        given = others.get(one.id, ())
        gold_ones += {(one.id, e.type, c) for e in one.entities for c in plain_ids(e)}
        predicted_ones += {(one.id, e.type, c) for e in given for c in plain_ids(e)}
        strict[2] += sum(1 for e in given if plain_ids(e))
        for entity in one.entities:
            if not plain_ids(entity):
                continue
            asked += 1
            same = [o for o in given if o.spans == entity.spans and o.type == entity.type]
            if not same or not plain_ids(same[0]):
                continue
            answered += 1
            if entity.combination == "alternatives":
                both = all(c in entity.concepts for c in plain_ids(same[0]))
            else:
                both = plain_ids(same[0]) == plain_ids(entity)
            right_ones += both
    hits = sum(one in predicted_ones for one in gold_ones)
    scores = joined(
        linking.score_given(split.gold, predicted), linking.score_concepts(split.gold, predicted)
    )
    assert scores.total("linking", "overall") == right(right_ones, of=asked)
    assert scores.total("linking", "answered", "overall") == right(right_ones, of=answered)
    assert scores.total("concepts", "overall") == Counts(
        tp=hits, fp=len(predicted_ones) - hits, fn=len(gold_ones) - hits
    )
    assert scores.total("mention_ids", "overall") == Counts(
        tp=right_ones, fp=strict[2] - right_ones, fn=asked - right_ones
    )
    assert 0.5 < scores.total("linking", "overall").f1 < 0.9


def test_types_sum_to_the_whole_and_order_changes_nothing(split):
    predicted = disturbed(split.gold)
    scores = linking.score_concepts(split.gold, predicted)
    for name in ("concepts", "mention_ids"):
        parts = [scores.total(*p) for p in scores.counts if p[:2] == (name, "by_type")]
        assert sum(parts, start=Counts()) == scores.total(name, "overall")
    mixed = [replace(d, entities=d.entities[::-1]) for d in predicted[::-1]]
    assert linking.score_concepts(split.gold[::-1], mixed).counts == scores.counts
