"""i2b2/VA 2010's candidate pairs: those of BLUE's original script, row by row."""

import json
import logging
from pathlib import Path

import pytest

from bluered.corpora.catalog import task
from bluered.documents.document import Document, Entity, MentionRelation, Span
from bluered.tasks import examples
from bluered.tasks.relations import i2b2_2010

DATA = Path(__file__).parents[1] / "data"
ORIGINALS = Path(__file__).parents[1] / "corpora" / "blue_originals.json"
BLUE = json.loads(ORIGINALS.read_text("utf-8"))["i2b2-2010"]


@pytest.fixture(autouse=True)
def _place(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("BLUERED_DATA", str(DATA))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.mark.parametrize(
    ("splits", "name"), [(("own-train", "own-dev"), "train"), (("test",), "test")]
)
def test_rows_are_those_of_the_original_script(splits, name) -> None:
    found = [e for split in splits for e in examples.examples(task("i2b2-2010"), split)]
    assert sorted([e.id, e.text, e.label] for e in found) == BLUE[name]


def test_rows_of_a_record_stand_in_the_order_of_the_original() -> None:
    found = [e for e in examples.examples(task("i2b2-2010"), "own-train") if e.document == "toy-1"]
    assert [e.id.removeprefix("toy-1.") for e in found] == [
        "toy-1.con.l0.toy-1.con.l1",
        "toy-1.con.l2.toy-1.con.l3",
        "toy-1.con.l2.toy-1.con.l4",
        "toy-1.con.l2.toy-1.con.l4",
        "toy-1.con.l3.toy-1.con.l4",
    ]
    assert [e.label for e in found] == ["TrAP", "false", "TrAP", "TrIP", "false"]


def test_spans_point_into_the_original_sentence() -> None:
    for example in examples.examples(task("i2b2-2010"), "own-train"):
        ends = ((example.head, example.head_spans), (example.tail, example.tail_spans))
        document = next(
            d for d in examples.documents("i2b2-2010", "own-train") if d.id == example.document
        )
        for name, (span,) in ends:
            entity = next(e for e in document.entities if e.id == name)
            assert example.sentence[span.start : span.end] == entity.text


def test_a_relation_over_two_lines_makes_no_example_and_is_told_by_ids(caplog) -> None:
    concepts = tuple(
        Entity("problem", (Span(at, at + 1),), "x", id=f"t.con.l{number}")
        for number, at in enumerate((0, 2, 4))
    )
    relation = MentionRelation(type="PIP", head="t.con.l0", tail="t.con.l2")
    record = Document(id="t", text="x x\nx", entities=concepts, mention_relations=(relation,))
    with caplog.at_level(logging.WARNING):
        found = list(i2b2_2010.examples([record]))
    assert [(e.text, e.label) for e in found] == [("@problem$ @problem$", "false")]
    assert caplog.messages == ["t: the relation of ['t.con.l0', 't.con.l2'] is not within one line"]
