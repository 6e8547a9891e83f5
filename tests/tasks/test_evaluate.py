"""Running a model over gold documents: what it sees, and which scores come out."""

from collections.abc import Iterable, Iterator

import pytest
from msgspec.structs import replace

from bluered.documents.document import Document, Entity, Relation, Span, simple_document
from bluered.tasks.biored.evaluate import evaluate, text_only, with_given_entities

GOLD = replace(
    simple_document("1", "Olmatin and rash.", "Olmatin gives rash."),
    entities=(
        Entity(
            type="ChemicalEntity", spans=(Span(0, 7),), text="Olmatin", concepts=("D002",),
            confidence=0.5, infons={"leak": "Association"},
        ),
        Entity(
            type="DiseaseOrPhenotypicFeature", spans=(Span(12, 16),), text="rash",
            concepts=("D102",),
        ),
    ),
    relations=(Relation(type="Association", head="D002", tail="D102", novel=True),),
    infons={"leak": "Association"},
)  # fmt: skip


class Oracle:
    """Knows the answers by id, and keeps what it was shown."""

    def __init__(self, *, real_ids: bool = True) -> None:
        self.seen: dict[str, list[Document]] = {"tag": [], "relate": [], "pipe": []}
        self.real_ids = real_ids

    def _answer(self, name: str, documents: Iterable[Document]) -> Iterator[Document]:
        for document in documents:
            self.seen[name].append(document)
            yield replace(GOLD, id=document.id)

    def tag(self, documents, *, on_error=None):
        for document in self._answer("tag", documents):
            yield replace(document, relations=())

    def relate(self, documents, *, on_error=None):
        return self._answer("relate", documents)

    def pipe(self, texts, *, on_error=None):
        for document in self._answer("pipe", texts):
            yield document if self.real_ids else made_local(document)


def made_local(document: Document) -> Document:
    def local(concept: str) -> str:
        return f"local:{concept.lower()}"

    return replace(
        document,
        entities=tuple(
            replace(e, concepts=tuple(map(local, e.concepts))) for e in document.entities
        ),
        relations=tuple(
            replace(r, head=local(r.head), tail=local(r.tail)) for r in document.relations
        ),
    )


def test_a_tagger_sees_nothing_but_text():
    seen = text_only(GOLD)
    assert (seen.id, seen.text) == (GOLD.id, GOLD.text)
    assert [p.type for p in seen.passages] == ["title", "abstract"]
    assert replace(seen, passages=()) == Document(id=GOLD.id, text=GOLD.text)


def test_a_relation_model_sees_entities_and_no_relation():
    seen = with_given_entities(GOLD)
    assert [(e.spans, e.type, e.concepts) for e in seen.entities] == [
        (e.spans, e.type, e.concepts) for e in GOLD.entities
    ]
    assert replace(seen, entities=()) == text_only(GOLD)
    assert not any(e.infons or e.confidence for e in seen.entities)


def test_the_model_is_shown_exactly_that():
    model = Oracle()
    evaluate([GOLD], model)
    assert model.seen == {
        "tag": [text_only(GOLD)],
        "relate": [with_given_entities(GOLD)],
        "pipe": [text_only(GOLD)],
    }


@pytest.mark.parametrize("real_ids", [True, False])
def test_right_answers_score_one_in_all_three_parts(real_ids):
    scores = evaluate([GOLD], Oracle(real_ids=real_ids))
    assert {path[0] for path in scores.counts} == {"ner", "relations", "end_to_end"}
    assert {scores.total(*path).f1 for path in scores.counts} == {1.0}


def test_local_ids_compared_by_id_are_all_wrong():
    scores = evaluate([GOLD], Oracle(real_ids=False), align="ids")
    assert scores.total("end_to_end", "pair").tp == 0
    assert scores.total("relations", "pair").tp == 1


def test_end_to_end_can_be_left_out():
    model = Oracle()
    scores = evaluate([GOLD], model, end_to_end=False)
    assert {path[0] for path in scores.counts} == {"ner", "relations"}
    assert not model.seen["pipe"]
