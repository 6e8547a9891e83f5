"""Which confidences belong to right predictions, worked out by hand."""

import pytest
from msgspec.structs import replace

from bluered.documents.document import Document, Entity, Relation, Span, simple_document
from bluered.errors import BlueredError
from bluered.tasks.biored.calibration import TARGETS, Answers, answers, have_confidences

TEXT = "Olmatin and zelmatin lower FNR1 in rash and grey ague of mice."
CHEMICAL, DISEASE, GENE = "ChemicalEntity", "DiseaseOrPhenotypicFeature", "GeneOrGeneProduct"


def mention(name: str, kind: str, concept: str, confidence: float | None = None) -> Entity:
    start = TEXT.index(name)
    span = Span(start, start + len(name))
    return Entity(
        type=kind, spans=(span,), text=name, concepts=(concept,), confidence=confidence
    )  # fmt: skip


def relation(
    head: str,
    tail: str,
    kind: str = "Association",
    *,
    novel: bool | None = True,
    sure: float | None = None,
    news: float | None = None,
) -> Relation:
    return Relation(
        type=kind, head=head, tail=tail, novel=novel, confidence=sure, novelty_confidence=news
    )


def document(*entities: Entity, relations: tuple[Relation, ...] = ()) -> Document:
    return replace(simple_document("1", TEXT), entities=entities, relations=relations)


CONCEPTS = (
    mention("Olmatin", CHEMICAL, "C1"),
    mention("zelmatin", CHEMICAL, "C2"),
    mention("FNR1", GENE, "G1"),
    mention("rash", DISEASE, "D1"),
    mention("mice", "OrganismTaxon", "10090"),
)
GOLD = document(
    *CONCEPTS,
    relations=(relation("C1", "D1", "Negative_Correlation"), relation("C2", "D1", novel=False)),
)


def found(*relations: Relation, tagged: Document = GOLD) -> dict[str, Answers]:
    return answers([GOLD], tagged=[tagged], related=[document(*CONCEPTS, relations=relations)])


def test_mentions_are_right_with_spans_and_type():
    tagged = document(
        mention("Olmatin", "Chemical", "", 0.9),  # another name of the type
        mention("FNR1", CHEMICAL, "", 0.8),
        mention("ague", DISEASE, "", 0.7),
        mention("mice", "OrganismTaxon", ""),
        mention("rash", DISEASE, "", 0.1),
        mention("rash", DISEASE, "again", 0.3),
    )
    assert found(tagged=tagged)["mentions"] == Answers(
        (0.9, 0.8, 0.7, 0.3), (True, False, False, True), 1
    )


def test_relations_are_right_with_their_type_and_novelty_only_counts_in_right_pairs():
    said = found(
        relation("D1", "C1", "Negative correlation", sure=0.9, news=0.6),
        relation("C2", "D1", "Bind", sure=0.4, novel=True, news=0.7),
        relation("G1", "D1", sure=0.2, news=0.99),
        relation("D1", "10090", sure=0.1, news=0.5),  # no pair that BioRED relates
    )
    assert said["relations"] == Answers((0.9, 0.4, 0.2), (True, False, False), 0)
    assert said["novelty"] == Answers((0.6, 0.7), (True, False), 0)


def test_what_is_said_twice_counts_once_and_what_is_not_said_not_at_all():
    said = found(
        relation("C1", "D1", sure=0.3),
        relation("D1", "C1", sure=0.6, novel=None),
        relation("C2", "D1"),
    )
    assert said["relations"] == Answers((0.6,), (False,), 1)
    assert said["novelty"] == Answers((), (), 2)


def test_without_confidences_it_is_told():
    said = found(relation("C1", "D1"), tagged=document(mention("rash", DISEASE, "")))
    assert not have_confidences(said)
    assert {target: one.without for target, one in said.items()} == dict.fromkeys(TARGETS, 1)
    assert have_confidences(found(relation("C1", "D1", sure=0.0)))


@pytest.mark.parametrize("confidence", [-0.1, 7.0, float("nan")])
def test_a_score_that_is_no_probability_is_refused(confidence):
    with pytest.raises(BlueredError, match="document 1: the confidence of a relation"):
        found(relation("C1", "D1", sure=confidence))
