"""Candidate relations of the DDI corpus: BLUE's rules, and its rows with every difference named."""

import pytest

from bluered.corpora.catalog import task
from bluered.corpora.ddi_document import read_document
from bluered.documents.document import Document, Entity, MentionRelation, Passage, Span
from bluered.documents.examples import RelationExample
from bluered.errors import FormatError
from bluered.tasks.examples import examples
from bluered.tasks.relations import ddi


def document(**changes) -> Document:
    """Return two sentences, the first of them with a discontinuous drug."""
    text = " Xol and yol acids.\r\n\nNone, b or\r\nc. "
    parts = {
        "id": "d",
        "text": text,
        "passages": (
            Passage(type="sentence", start=0, end=21, infons={"id": "d.s2"}),
            Passage(type="sentence", start=22, end=len(text), infons={"id": "d.s10"}),
        ),
        "entities": (
            Entity("drug", (Span(1, 4), Span(13, 18)), "Xol acids", id="e0"),
            Entity("group", (Span(9, 18),), "yol acids", id="e1"),
            Entity("brand", (Span(28, 29),), "b", id="e2"),
            Entity("drug_n", (Span(34, 35),), "c", id="e3"),
        ),
        "mention_relations": (
            MentionRelation(type="effect", head="e0", tail="e1", id="d.s2.p0"),
            MentionRelation(type="false", head="e3", tail="e2", id="d.s10.p0"),
        ),
    }
    return Document(**(parts | changes))


def test_pairs_come_by_the_ids_of_their_sentences_as_text() -> None:
    found = list(ddi.examples([document()]))
    assert [(e.id, e.label) for e in found] == [
        ("d.s10.p0", "DDI-false"),
        ("d.s2.p0", "DDI-effect"),
    ]


def test_every_type_of_drug_is_a_drug_and_line_ends_are_spaces() -> None:
    example = next(ddi.examples([document()]))
    assert example.sentence == "None, b or  c."
    assert example.text == "None, @DRUG$ or  @DRUG$."
    assert (example.head, example.tail) == ("e3", "e2")
    assert (example.head_type, example.tail_type) == ("drug_n", "brand")
    assert (example.head_spans, example.tail_spans) == ((Span(12, 13),), (Span(6, 7),))


def test_a_discontinuous_drug_is_blinded_from_its_first_to_its_last_character() -> None:
    _, example = ddi.examples([document()])
    assert example.text == "@DRUG-DRUG$."
    assert example.sentence == "Xol and yol acids."
    assert example.head_spans == (Span(0, 3), Span(12, 17))
    assert example.tail_spans == (Span(8, 17),)


def test_an_interaction_without_a_type_makes_no_example() -> None:
    untyped = MentionRelation(type="untyped", head="e2", tail="e3", id="d.s10.p1")
    relations = (*document().mention_relations, untyped)
    assert len(list(ddi.examples([document(mention_relations=relations)]))) == 2


@pytest.mark.parametrize("tail", ["e2", "e9"])
def test_a_pair_over_two_sentences_is_named(tail) -> None:
    over = (MentionRelation(type="int", head="e0", tail=tail, id="p7"),)
    with pytest.raises(FormatError, match="document d: pair p7: its two drugs do not stand in one"):
        list(ddi.examples([document(mention_relations=over)]))


def rows(split: str) -> list[tuple[str, str, str | None]]:
    found = [e for e in examples(task("ddi"), split) if isinstance(e, RelationExample)]
    return [(e.id, e.text, e.label) for e in found]


def test_the_dev_rows_are_blues_but_for_two_sentences_and_two_pairs(released) -> None:
    expected, found = released("ddi2013-type/dev.tsv"), rows("dev")
    assert (len(expected), len(found)) == (7244, 7246)
    known = {row[0] for row in expected}
    # negative pairs that BLUE's state of the corpus did not have
    absent = [row for row in found if row[0] not in known]
    assert [(name, label) for name, _, label in absent] == [
        ("DDI-MedLine.d104.s8.p1", "DDI-false"),
        ("DDI-MedLine.d104.s8.p2", "DDI-false"),
    ]
    # a line end of two characters between title and text, which now is one space
    differing = []
    for blue, ours in zip(expected, [row for row in found if row[0] in known], strict=True):
        if blue != ours:
            assert (blue[0], blue[1].replace("]  It has", "] It has"), blue[2]) == ours
            differing.append(blue[0].rpartition(".")[0])
    assert len(differing) == 51
    assert set(differing) == {"DDI-MedLine.d15.s0", "DDI-MedLine.d27.s0"}


def test_the_test_rows_are_blues_but_for_a_document_of_the_other_task(released, data_dir) -> None:
    expected, found = released("ddi2013-type/test.tsv"), rows("test")
    assert (len(expected), len(found)) == (5761, 5716)
    ours, theirs = "DDI-MedLine.d206", "DrugDDI.d21928724"
    assert [row for row in expected if not row[0].startswith(theirs)] == found
    folder = data_dir / "ddi" / "extracted" / "DDICorpus" / "Test" / "Test for DrugNER task"
    with (folder / "MedLine" / "21928724.xml").open("rb") as stream:
        made = ddi.examples([read_document(stream, "21928724.xml")])
    extra = [(e.id.replace(ours, theirs), e.text, e.label) for e in made]
    assert len(extra) == 45
    assert [row for row in expected if row[0].startswith(theirs)] == extra
    assert {label for _, _, label in extra} == {"DDI-false"}


@pytest.mark.parametrize(
    ("split", "count", "some"),
    [
        ("train", 20545, ("DrugBank.d0.s0.p0", "DrugBank.d0.s4.p0", "MedLine.d99.s9.p0")),
        ("dev", 7246, ("DrugBank.d0.s1.p0", "DrugBank.d106.s4.p0", "MedLine.d99.s8.p5")),
        ("test", 5716, ("DrugBank.d572.s0.p0", "DrugBank.d572.s2.p1", "MedLine.d231.s8.p14")),
    ],
)
def test_the_real_examples_count_as_the_catalogue_says(
    data_dir, monkeypatch, split, count, some
) -> None:
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    found, asked = rows(split), task("ddi")
    assert len(found) == count
    assert (found[0][0], found[9][0], found[-1][0]) == tuple(f"DDI-{name}" for name in some)
    assert {label for _, _, label in found} == {*asked.entry.labels, asked.entry.negative}
    positive = [row for row in found if row[2] != asked.entry.negative]
    assert len(positive) == asked.entry.counts[split]


def test_blues_train_part_is_80_interactions_short(data_dir, monkeypatch) -> None:
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    asked = task("ddi").entry
    typed = asked.counts["train"] - asked.published_counts["train"]
    assert (typed, typed + 1) == (79, 80)  # the one without a type among them or not
    assert asked.counts["dev"] == 1004
    assert asked.difference
