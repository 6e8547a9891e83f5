"""Running a model over gold documents: what it sees, and which scores come out."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from bluered.documents.document import Document, Entity, Relation, Span, simple_document
from bluered.metrics.counts import Counts
from bluered.tasks.biored.evaluate import (
    evaluate,
    score_predictions,
    text_only,
    with_given_entities,
    without_ids,
)

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
    """Knows the answers, and keeps what it was shown."""

    def __init__(self, *, real_ids: bool = True) -> None:
        self.seen: dict[str, list[Document]] = {"tag": [], "link": [], "relate": []}
        self.real_ids = real_ids

    def _shown(self, name: str, documents: Iterable[Document]) -> Iterator[Document]:
        for document in documents:
            self.seen[name].append(document)
            yield document

    def tag(self, documents, *, on_error=None):
        for _ in self._shown("tag", documents):
            yield without_ids(GOLD)

    def link(self, documents, *, on_error=None):
        for _ in self._shown("link", documents):
            given = with_given_entities(GOLD)
            yield given if self.real_ids else made_local(given)

    def relate(self, documents, *, on_error=None):
        for document in self._shown("relate", documents):
            local = any(e.concepts[0].startswith("local:") for e in document.entities)
            yield made_local(GOLD) if local else GOLD


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


def test_a_linker_sees_mentions_and_no_id():
    seen = without_ids(GOLD)
    assert [(e.spans, e.type, e.concepts, e.combination) for e in seen.entities] == [
        (e.spans, e.type, (), None) for e in GOLD.entities
    ]
    assert replace(seen, entities=()) == text_only(GOLD)


def test_the_model_is_shown_exactly_that():
    model = Oracle()
    evaluate([GOLD], model)
    assert model.seen == {
        "tag": [text_only(GOLD)],
        "link": [without_ids(GOLD), without_ids(GOLD)],
        "relate": [with_given_entities(GOLD), with_given_entities(GOLD)],
    }


def test_stages_take_two_more_runs_of_the_relation_model():
    model = Oracle()
    scores = evaluate([GOLD], model, stages=True)
    assert [len(seen) for seen in model.seen.values()] == [1, 2, 4]
    assert {path[0] for path in scores.counts} == {
        "ner", "linking", "relations", "mention_ids", "concepts", "end_to_end",
        "end_to_end_mentions", "waterfall", "right_pairs", "inputs",
    }  # fmt: skip
    assert {scores.total(*path).f1 for path in scores.counts} == {1.0}
    assert model.seen["relate"][-1].entities == with_given_entities(GOLD).entities


def test_right_answers_score_one_in_all_parts():
    scores = evaluate([GOLD], Oracle())
    assert {path[0] for path in scores.counts} == {
        "ner", "linking", "relations", "mention_ids", "concepts", "end_to_end",
        "end_to_end_mentions",
    }  # fmt: skip
    assert {scores.total(*path).f1 for path in scores.counts} == {1.0}


def test_local_ids_are_wrong_by_id_and_right_by_mentions():
    scores = evaluate([GOLD], Oracle(real_ids=False))
    assert scores.total("end_to_end", "pair") == Counts(fp=1, fn=1)
    assert scores.total("end_to_end_mentions", "all") == Counts(tp=1)
    assert scores.total("relations", "pair").tp == 1
    local = "end to end: relations with a local id, which equals no gold id"
    assert scores.notes[local] == 1
    other = evaluate([GOLD], Oracle(real_ids=False), align="mentions")
    assert other.total("end_to_end", "all") == Counts(tp=1)
    assert other.total("end_to_end_ids", "all") == Counts(fp=1, fn=1)


def test_a_model_without_ids_has_no_scores_of_ids_but_is_told_so():
    scores = evaluate([GOLD], Oracle(real_ids=False), stages=True)
    assert not {"linking", "mention_ids", "concepts"} & {path[0] for path in scores.counts}
    assert scores.notes["concepts: predicted mentions without an id that names a concept"] == 2


def test_what_the_terminology_holds_is_asked_of_a_model_that_knows():
    class Knows(Oracle):
        def knows(self, kind: str, concept: str, /) -> bool:
            return (kind, concept) == ("ChemicalEntity", "D002")

    scores = evaluate([GOLD], Knows())
    assert scores.total("linking", "known", "overall") == Counts(tp=1)
    assert scores.notes["linking: of 2 gold ids the terminology does not hold"] == 1


def test_end_to_end_can_be_left_out():
    model = Oracle()
    scores = evaluate([GOLD], model, end_to_end=False)
    assert {path[0] for path in scores.counts} == {"ner", "linking", "relations"}
    assert len(model.seen["relate"]) == 1


def test_finished_predictions_are_scored_with_what_they_have():
    scores = score_predictions([GOLD], [GOLD])
    assert {path[0] for path in scores.counts} == {
        "ner", "mention_ids", "concepts", "linking", "relations",
    }  # fmt: skip
    bare = score_predictions([GOLD], [without_ids(GOLD)])
    assert {path[0] for path in bare.counts} == {"ner", "relations"}
    text = score_predictions([GOLD], [GOLD], from_text=True)
    assert {path[0] for path in text.counts} - {path[0] for path in scores.counts} == {
        "end_to_end", "end_to_end_mentions", "waterfall",
    }  # fmt: skip
    assert "relations" not in {path[0] for path in text.counts}


def test_ids_brought_from_the_gold_are_not_scored_as_found():
    scores = score_predictions([GOLD], [made_local(GOLD)], align="mentions")
    assert scores.total("relations", "all") == Counts(tp=1)
    assert {path[0] for path in scores.counts} == {"ner", "relations"}
