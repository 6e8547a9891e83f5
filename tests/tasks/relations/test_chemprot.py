"""Candidate relations of ChemProt: BLUE's rules on invented documents, its rows on real ones."""

from collections import Counter

import pytest

from bluered.corpora import documents
from bluered.corpora.catalog import task
from bluered.documents.document import (
    Document,
    Entity,
    MentionRelation,
    Span,
    simple_document,
)
from bluered.documents.examples import RelationExample
from bluered.tasks.examples import examples, without_answers
from bluered.tasks.relations import chemprot, sentences


def document(text: str, *mentions: str, related: tuple[str, ...] = ()) -> Document:
    """Return a document; a mention is `id type start end`, a relation `class head tail`."""
    title, _, abstract = text.partition("|")
    made = simple_document("7", title, abstract)
    entities = []
    for mention in mentions:
        name, kind, start, end = mention.split()
        span = Span(int(start), int(end))
        entities.append(Entity(kind, (span,), made.text[span.start : span.end], id=name))
    relations = [
        MentionRelation(type=kind, head=head, tail=tail)
        for kind, head, tail in (relation.split() for relation in related)
    ]
    return Document(
        id=made.id,
        text=made.text,
        passages=made.passages,
        entities=tuple(entities),
        mention_relations=tuple(relations),
    )


def rows(*made: Document) -> list[tuple[str, str, str | None]]:
    return [(e.id, e.text, e.label) for e in chemprot.examples(made)]


def test_every_chemical_pairs_with_every_gene_of_its_sentence_first_those_of_type_n() -> None:
    made = document(
        "Xol.|Yol stops G1 and G2. G3 is.",
        *("T1 CHEMICAL 0 3", "T2 CHEMICAL 5 8", "T3 GENE-Y 15 17", "T4 GENE-N 22 24"),
        "T5 GENE-Y 26 28",
        related=("CPR:4 T2 T3", "CPR:4 T1 T5"),
    )
    assert rows(made) == [
        ("7.T2.T4", "@CHEMICAL$ stops G1 and @GENE$.", "false"),
        ("7.T2.T3", "@CHEMICAL$ stops @GENE$ and G2.", "CPR:4"),
    ]


def test_where_the_gene_stands_first_blues_placeholders_change_places_but_the_spans_do_not() -> (
    None
):
    made = document("G1 takes xol.|", "T1 GENE-N 0 2", "T2 CHEMICAL 9 12")
    (example,) = chemprot.examples([made])
    assert example.text == "@CHEMICAL$ takes @GENE$."
    assert example.sentence == "G1 takes xol."
    assert (example.head, example.head_type, example.head_spans) == (
        "T2",
        "CHEMICAL",
        (Span(9, 12),),
    )
    assert (example.tail, example.tail_type, example.tail_spans) == ("T1", "GENE-N", (Span(0, 2),))


@pytest.mark.parametrize("chemical", ["0 3", "0 4", "2 5", "0 8", "5 6"])
def test_arguments_that_overlap_or_touch_become_one_placeholder(chemical) -> None:
    made = document("Xol-G1-ab is.|", f"T1 CHEMICAL {chemical}", "T2 GENE-Y 3 6")
    ((_, text, _),) = rows(made)
    assert "@CHEM-GENE$" in text
    assert "@GENE$" not in text


def test_a_pair_with_two_labels_stands_twice_the_last_line_first() -> None:
    made = document(
        "Xol stops G1.|",
        *("T1 CHEMICAL 0 3", "T2 GENE-Y 10 12"),
        related=("CPR:3 T1 T2", "CPR:4 T1 T2"),
    )
    assert [label for _, _, label in rows(made)] == ["CPR:4", "CPR:3"]


def test_text_is_ascii_and_blinded_where_the_mentions_stand_even_behind_theta() -> None:
    made = document("PKCθ is β. α-ol stops G1.|", "T1 CHEMICAL 11 15", "T2 GENE-Y 22 24")
    (example,) = chemprot.examples([made])
    assert example.text == "PKCth is b. @CHEMICAL$ stops @GENE$."  # "b." is a word of one letter
    start, end = example.head_spans[0].start, example.head_spans[0].end
    assert example.sentence[start:end] == "α-ol"


def test_a_mention_over_two_sentences_has_no_candidates() -> None:
    made = document("The xol. The G1.|", "T1 CHEMICAL 4 11", "T2 GENE-Y 13 15")
    assert rows(made) == []


def test_without_answers_there_is_no_label() -> None:
    made = document("Xol G1.|", "T1 CHEMICAL 0 3", "T2 GENE-Y 4 6", related=("CPR:3 T1 T2",))
    (example,) = chemprot.examples([made])
    hidden = without_answers(example)
    assert isinstance(hidden, RelationExample)
    assert (example.label, hidden.label) == ("CPR:3", None)


def test_the_dev_rows_are_blues_in_order_and_to_the_letter(released) -> None:
    expected = released("ChemProt/dev.tsv")
    found = rows(*documents("chemprot", "dev"))
    assert len(expected) == 11820
    assert found == expected


def test_the_rules_alone_are_near_and_lose_no_relation_of_dev(data_dir, monkeypatch) -> None:
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    monkeypatch.setattr(sentences, "published_boundaries", dict)
    found = rows(*documents("chemprot", "dev"))
    assert len(found) == 11612
    assert sum(label != "false" for _, _, label in found) == 2416


def test_28_pairs_have_two_labels(data_dir, monkeypatch) -> None:
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    for split, expected in (("train", 10), ("dev", 4), ("test", 14)):
        labels = (chemprot.labels_of_pairs(d).values() for d in documents("chemprot", split))
        assert sum(len(of_pair) == 2 for found in labels for of_pair in found) == expected


@pytest.mark.parametrize(
    ("split", "count", "some"),
    [
        ("train", 18742, ("16357751.T1.T2", "14967461.T9.T22", "17611273.T1.T20")),
        ("dev", 11820, ("10064839.T49.T56", "10064839.T46.T52", "9876137.T6.T16")),
        ("test", 16138, ("10076535.T44.T63", "10076535.T33.T60", "9990013.T9.T35")),
    ],
)
def test_the_real_examples_count_as_the_catalogue_says(
    data_dir, monkeypatch, split, count, some
) -> None:
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    asked = task("chemprot")
    found = [e for e in examples(asked, split) if isinstance(e, RelationExample)]
    assert len(found) == count
    assert (found[0].id, found[9].id, found[-1].id) == some
    assert {e.label for e in found} == {*asked.entry.labels, asked.entry.negative}
    assert asked.entry.entity_types == chemprot.NAMES  # what a model is shown of the two
    positive = [e for e in found if e.label != asked.entry.negative]
    assert len(positive) == asked.entry.counts[split]
    for example in found:
        assert example.text.isascii()
        assert example.text.count("@CHEM") == 1


def test_only_three_gold_relations_are_lost_all_between_two_sentences(
    data_dir, monkeypatch
) -> None:
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    for split, lost in (("train", ["T11 T40", "T12 T40", "T15 T40"]), ("dev", []), ("test", [])):
        made = list(documents("chemprot", split))
        gold = Counter((d.id, r.head, r.tail, r.type) for d in made for r in d.mention_relations)
        gold -= Counter((e.document, e.head, e.tail, e.label) for e in chemprot.examples(made))
        assert [f"{head} {tail}" for _, head, tail, _ in gold] == lost
        assert {name for name, *_ in gold} <= {"16437532"}
