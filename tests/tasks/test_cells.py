"""The figures of a cell, and their mean and deviation."""

from statistics import stdev

import pytest
from msgspec.structs import replace

from bluered.corpora import catalog
from bluered.documents.document import Document, Entity, Relation, Span
from bluered.errors import BlueredError
from bluered.tasks import cell_scores
from bluered.tasks.cells import Cell, Figure, read_cell, spread, write_cell

TEXT = "SCN5A causes pain"


def document(number: int) -> Document:
    entities = (
        Entity(type="GeneOrGeneProduct", spans=(Span(0, 5),), text="SCN5A", concepts=("6331",)),
        Entity(
            type="DiseaseOrPhenotypicFeature",
            spans=(Span(13, 17),),
            text="pain",
            concepts=("D010146",),
        ),
    )
    relation = Relation(type="Association", head="6331", tail="D010146", novel=True)
    return Document(id=str(number), text=TEXT, entities=entities, relations=(relation,))


@pytest.fixture
def gold(monkeypatch) -> list[Document]:
    documents = [document(number) for number in range(4)]
    monkeypatch.setattr(cell_scores, "examples", lambda task, split: iter(documents))
    monkeypatch.setattr(cell_scores, "split_paths", lambda entry, split: ())
    monkeypatch.setattr(cell_scores, "split_files", lambda entry, split: ())
    return documents


def scored(answer):
    return cell_scores.scored(catalog.task("biored"), "test", answer)


def test_relations_between_given_entities_have_four_figures(gold):
    found = scored(lambda documents: documents)
    assert {name: figure.score for name, figure in found.figures.items()} == dict.fromkeys(
        ("pair", "type", "novelty", "all"), 1.0
    )
    assert (found.metric, found.units) == ("all", 4)
    wrong = [replace(d, relations=(replace(d.relations[0], novel=False),)) for d in gold]
    figures = scored(lambda _: wrong).figures
    assert [figures[name].score for name in ("pair", "type", "novelty", "all")] == [1, 1, 0, 0]
    half = scored(lambda documents: [*documents[:2], *(replace(d, relations=()) for d in gold[2:])])
    assert half.figures["pair"].details["fn"] == 2
    assert half.figures["pair"].score == pytest.approx(2 / 3)


def test_a_tagger_has_the_figure_of_its_mentions(gold):
    def tag(documents):
        for one in documents:
            first = replace(one.entities[0], concepts=())
            yield replace(one, entities=(first,), relations=())

    found = scored(tag)
    assert list(found.figures) == ["mentions"]
    assert found.figures["mentions"].details == {
        "tp": 4,
        "fp": 0,
        "fn": 4,
        "precision": 1.0,
        "recall": 0.5,
        "f1": pytest.approx(2 / 3),
    }
    assert found.notes == {}


def test_what_is_no_document_is_refused(gold):
    with pytest.raises(BlueredError, match="documents"):
        scored(lambda documents: ["x" for _ in documents])


def test_mean_and_deviation_are_over_the_figures_that_exist():
    found = spread([0.5, None, 0.7, 0.9])
    assert found is not None
    assert found.mean == pytest.approx(0.7)
    assert found.deviation == pytest.approx(stdev([0.5, 0.7, 0.9]))
    assert found.seeds == 3
    assert spread([None]) is None
    assert spread([0.5]).deviation is None


def test_a_cell_is_read_as_it_was_written(tmp_path):
    cell = Cell(
        row="a",
        recipe="b",
        seed=13,
        task="biored",
        split="test",
        encoder="",
        model="bert",
        metric="all",
        figures={"all": Figure(score=None)},
        units=3,
        gold="x",
        train_seconds=1.5,
        answer_seconds=0.1,
        train_memory=None,
        answer_memory=7,
        answers="test/x",
        digest="d",
    )
    path = tmp_path / "b.test.json"
    assert read_cell(path) is None
    write_cell(cell, path)
    assert read_cell(path) == cell
    assert cell.score is None
    path.write_text("{}")
    with pytest.raises(BlueredError, match=r"b\.test\.json.*remove it"):
        read_cell(path)
