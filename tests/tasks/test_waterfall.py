"""Lost relations are charged to the first step that went wrong, worked out by hand."""

import itertools
import random

import pytest
from msgspec.structs import replace

from bluered.documents.document import Document, Entity, Relation, Span, simple_document
from bluered.metrics.counts import Counts
from bluered.reports.waterfall import losses
from bluered.tasks.biored import correct, waterfall

TEXT = "Olmatin and zelmatin lower FNR1 in rash and grey ague of mice."
CHEMICAL, DISEASE, GENE = "ChemicalEntity", "DiseaseOrPhenotypicFeature", "GeneOrGeneProduct"


def mention(name: str, kind: str, *concepts: str) -> Entity:
    start = TEXT.index(name)
    span = Span(start, start + len(name))
    return Entity(type=kind, spans=(span,), text=name, concepts=concepts)


def relation(head: str, tail: str, kind: str = "Association", *, novel: bool = True) -> Relation:
    return Relation(type=kind, head=head, tail=tail, novel=novel)


def document(*entities: Entity, relations: tuple[Relation, ...] = ()) -> Document:
    return replace(simple_document("1", TEXT), entities=entities, relations=relations)


GOLD = document(
    mention("Olmatin", CHEMICAL, "C1"),
    mention("zelmatin", CHEMICAL, "C2"),
    mention("FNR1", GENE, "G1"),
    mention("rash", DISEASE, "D1"),
    mention("grey ague", DISEASE, "D2"),
    relations=(
        relation("C1", "D1"), relation("C1", "D2"), relation("C2", "D1"), relation("G1", "D1"),
    ),
)  # fmt: skip
PREDICTED = document(
    mention("Olmatin", CHEMICAL, "C1"),  # zelmatin is not found
    mention("FNR1", GENE, "G1"),
    mention("rash", DISEASE, "D1"),
    mention("ague", DISEASE, "D9"),  # stands for grey ague, D2
    mention("mice", CHEMICAL, "C9"),  # stands for nothing
    relations=(
        relation("C1", "D1", novel=False),
        relation("G1", "D1", "Bind"),
        relation("C1", "D9"),
        relation("C9", "D1"),
        relation("C1", "G1"),
    ),
)


def links(predicted: list[Document], gold: list[Document] | None = None) -> dict[str, Counts]:
    scores = waterfall.score(gold or [GOLD], predicted)
    return {stage: scores.total("waterfall", stage) for stage in waterfall.STAGES}


def test_the_worked_example():
    assert links([PREDICTED]) == {
        "mentions": Counts(tp=3, fp=1, fn=1),
        "ids": Counts(tp=2, fp=2, fn=2),
        "pair": Counts(tp=2, fp=3, fn=2),
        "type": Counts(tp=1, fp=4, fn=3),
        "novelty": Counts(tp=0, fp=5, fn=4),
    }
    found = losses(waterfall.score([GOLD], [PREDICTED]))
    assert [round(100 * loss.lost, 1) for loss in found] == [25.0, 25.0, 5.6, 22.2, 22.2]


def test_gold_loses_nothing_and_no_prediction_all_at_mentions():
    assert set(links([GOLD]).values()) == {Counts(tp=4)}
    empty = links([document()])
    assert set(empty.values()) == {Counts(fn=4)}
    two = replace(GOLD, id="2")
    assert set(links([GOLD], [GOLD, two]).values()) == {Counts(tp=4, fn=4)}


def test_a_predicted_mention_stands_for_what_it_shares_most_with():
    gold = document(mention("Olmatin and zelmatin", CHEMICAL, "C3"), *GOLD.entities)
    predicted = document(
        mention("zelmatin", CHEMICAL, "local:z"),
        mention("and zelmatin", CHEMICAL),
        mention("rash", CHEMICAL, "C1"),
        relations=(relation("local:z", "C1"),),
    )
    ideal = waterfall.with_gold_ids(gold, predicted)
    assert [e.concepts for e in ideal.entities] == [("C2",), ("C3",), ()]
    assert ideal.relations == ()


def test_local_ids_are_charged_to_the_ids():
    local = replace(
        GOLD,
        entities=tuple(replace(e, concepts=(f"local:{e.concepts[0]}",)) for e in GOLD.entities),
        relations=tuple(
            replace(r, head=f"local:{r.head}", tail=f"local:{r.tail}") for r in GOLD.relations
        ),
    )
    found = links([local])
    assert found["mentions"] == Counts(tp=4)
    assert {found[stage] for stage in waterfall.STAGES[1:]} == {Counts(fp=4, fn=4)}


def test_a_right_concept_on_a_wrong_mention_is_charged_to_the_ids():
    """D2 is a gold concept, but all that bears it here stands for D1."""
    wrong = document(
        mention("Olmatin", CHEMICAL, "C1"),
        mention("zelmatin", CHEMICAL, "C2"),
        mention("rash", DISEASE, "D2"),
        relations=(relation("C2", "D2"),),
    )
    assert links([wrong])["mentions"].fp == 0
    assert links([wrong])["ids"].fp == 1
    also = replace(wrong, entities=(*wrong.entities, mention("grey ague", DISEASE, "D2")))
    assert links([also])["ids"].fp == 0
    assert links([also])["pair"].fp == 1


def test_a_concept_named_without_its_mention_is_reached_all_the_same():
    """So that no stage can win what the one before it could not reach."""
    strange = document(
        mention("mice", CHEMICAL, "C2"), mention("rash", DISEASE, "D1"),
        relations=(relation("C2", "D1"),),
    )  # fmt: skip
    assert links([strange])["mentions"] == links([strange])["novelty"] == Counts(tp=1, fn=3)


def test_joined_ids_are_one_concept():
    both = replace(mention("rash", DISEASE, "D000001", "D000002"), combination="composite")
    gold = document(GOLD.entities[0], both, relations=(relation("C1", "D000001|D000002"),))
    assert set(links([gold], [gold]).values()) == {Counts(tp=1)}
    one = replace(gold, entities=(GOLD.entities[0], replace(both, concepts=("D000001",))))
    one = replace(one, relations=(relation("C1", "D000001"),))
    assert links([one], [gold])["mentions"] == Counts(tp=1)
    assert links([one], [gold])["ids"] == Counts(fn=1)
    assert links([one], [gold])["pair"] == Counts(fp=1, fn=1)


def test_labels_of_right_pairs():
    scores = waterfall.score_alone([GOLD], [PREDICTED])
    assert scores.total("right_pairs", "type") == Counts(tp=1, fp=1, fn=1)
    assert scores.total("right_pairs", "novelty") == Counts(tp=1, fp=1, fn=1)
    twice = replace(GOLD, relations=(*GOLD.relations, relation("C1", "D1", "Bind")))
    assert waterfall.score_alone([GOLD], [twice]).total("right_pairs", "type").f1 == 0.75


def disturbed(gold: list[Document]) -> list[Document]:
    """Lose, cut and rename mentions, relate at random, change labels, all by chance."""
    rng = random.Random(4)
    found = []
    for one in gold:
        entities = [e for e in one.entities if rng.random() < 0.8]
        entities = [
            replace(e, concepts=("D000000",), combination=None) if rng.random() < 0.2 else e
            for e in entities
        ]
        entities.append(
            Entity(type=CHEMICAL, spans=(Span(0, 1),), text=one.text[:1], concepts=("C0",))
        )
        ends = sorted({c for e in entities for c in e.concepts})
        relations = [r for r in one.relations if {r.head, r.tail} <= set(ends)]
        relations = [
            replace(r, type="Bind") if rng.random() < 0.3 else replace(r, novel=rng.random() < 0.7)
            for r in relations
            if rng.random() < 0.7
        ]
        relations += [relation(*rng.sample(ends, k=2)) for _ in range(5) if len(ends) > 1]
        found.append(replace(one, entities=tuple(entities), relations=tuple(relations)))
    return found


def test_losses_sum_to_what_is_lost_and_the_last_links_are_the_official_scores(split):
    predicted = disturbed(split.gold)
    scores, official = waterfall.score(split.gold, predicted), correct.score(split.gold, predicted)
    for stage, measure in (("pair", "pair"), ("type", "type"), ("novelty", "all")):
        assert scores.counts["waterfall", stage] == official.counts["relations", measure], stage
    found = losses(scores)
    assert sum(loss.lost for loss in found) == pytest.approx(
        1 - official.total("relations", "all").f1
    )
    assert all(loss.lost > 0 for loss in found)
    assert all(loss.interval.low <= loss.lost <= loss.interval.high for loss in found)


@pytest.mark.parametrize("seed", range(3))
def test_no_stage_wins_back_what_was_lost(split, seed):
    rng = random.Random(seed)
    gold = rng.sample(split.gold, k=20)
    found = links(disturbed(gold), gold)
    chain = [found[stage] for stage in ("mentions", "ids", "pair")]
    for one, other in itertools.pairwise(chain):
        assert one.tp >= other.tp
        assert one.fp <= other.fp
        assert one.fn <= other.fn


def test_order_changes_nothing(split):
    predicted = disturbed(split.gold)
    mixed = [
        replace(d, entities=d.entities[::-1], relations=d.relations[::-1]) for d in predicted[::-1]
    ]
    assert links(mixed, split.gold) == links(predicted, split.gold)
