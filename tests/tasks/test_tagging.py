"""Sentences with BIO tags: BLUE's rules on invented texts, its counts on BC5CDR."""

import pytest

from bluered.corpora.catalog import task
from bluered.documents.document import Document, Entity, Span, covered_text
from bluered.tasks.examples import examples
from bluered.tasks.ready import ready_examples
from bluered.tasks.tagging import TOKEN, mentions_begun, tagged_sentences


def tagged(text: str, *mentions: tuple[tuple[int, int], ...]) -> list[tuple[str, str]]:
    entities = [
        Entity(type="X", spans=spans, text=covered_text(text, spans))
        for spans in (tuple(Span(*pair) for pair in pairs) for pairs in mentions)
    ]
    document = Document(id="1", text=text, entities=tuple(entities))
    found = list(tagged_sentences(document))
    for sentence in found:
        for token, start in zip(sentence.tokens, sentence.starts, strict=True):
            assert text[start : start + len(token)] == token
    return [pair for s in found for pair in zip(s.tokens, s.tags or (), strict=True)]


def test_the_first_token_is_b_and_later_ones_i() -> None:
    assert tagged("Non-Hodgkin's lymphoma, rarely.", ((0, 22),)) == [
        ("Non", "B-X"),
        ("-", "I-X"),
        ("Hodgkin", "I-X"),
        ("'s", "I-X"),
        ("lymphoma", "I-X"),
        (",", "O"),
        ("rarely", "O"),
        (".", "O"),
    ]


def test_apostrophes_stay_inside_words_only() -> None:
    text = "O'Brien's 'coma' at the 5'-end isn't 's."
    assert [token for token, _ in tagged(text)] == [
        *("O'Brien", "'s", "'", "coma", "'", "at", "the", "5", "'", "-", "end"),
        *("isn't", "'s", "."),
    ]


def test_a_mention_inside_a_token_tags_the_token() -> None:
    assert tagged("10mg of Na+ now", ((0, 2),), ((8, 10),)) == [
        ("10mg", "B-X"),
        ("of", "O"),
        ("Na", "B-X"),
        ("+", "O"),
        ("now", "O"),
    ]


def test_behind_a_gap_it_goes_on_with_i() -> None:
    text = "left and right ventricles"
    assert [tag for _, tag in tagged(text, ((0, 4), (15, 25)))] == ["B-X", "O", "O", "I-X"]


def test_two_that_touch_are_two() -> None:
    assert [tag for _, tag in tagged("pain fever", ((0, 4),), ((5, 10),))] == ["B-X", "B-X"]


def test_where_they_overlap_the_later_counts() -> None:
    text = "lung cancer cells"
    assert [tag for _, tag in tagged(text, ((0, 11),), ((5, 17),))] == ["B-X", "B-X", "I-X"]
    assert [tag for _, tag in tagged(text, ((5, 17),), ((0, 11),))] == ["B-X", "I-X", "I-X"]


def test_a_mention_may_go_on_in_the_next_sentence() -> None:
    text = "We saw pain. Fever came too."
    found = list(tagged_sentences(Document(id="9", text=text)))
    assert [s.id for s in found] == ["9_s0", "9_s1"]
    assert [tag for _, tag in tagged(text, ((7, 18),))] == [
        *("O", "O", "B-X", "I-X"),
        *("I-X", "O", "O", "O"),
    ]


def test_signs_beyond_ascii_stay() -> None:
    assert [token for token, _ in tagged("5 ± 2 µg α-tocopherol")] == [
        *("5", "±", "2", "µg", "α", "-", "tocopherol")
    ]


def test_tokens_do_not_depend_on_the_mentions() -> None:
    text = "10mg of Na+ now"
    assert [t for t, _ in tagged(text)] == [t for t, _ in tagged(text, ((0, 2),), ((8, 11),))]


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("bc5cdr-disease", {"train": 4182, "dev": 4244, "test": 4424}),
        ("bc5cdr-chemical", {"train": 5203, "dev": 5347, "test": 5385}),
    ],
)
def test_every_mention_of_bc5cdr_has_one_b(data_dir, monkeypatch, name, counts) -> None:
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    for split, expected in counts.items():
        total = 0
        for document in examples(task(name), split):
            assert isinstance(document, Document)
            found = sum(map(mentions_begun, tagged_sentences(document)))
            assert found == len(document.entities), document.id
            total += found
        assert total == expected


def test_few_mentions_of_bc5cdr_end_inside_a_token(data_dir, monkeypatch) -> None:
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    inside = dict.fromkeys(("bc5cdr-disease", "bc5cdr-chemical"), 0)
    for name in inside:
        for split in ("train", "dev", "test"):
            for document in examples(task(name), split):
                assert isinstance(document, Document)
                spans = [match.span() for match in TOKEN.finditer(document.text)]
                starts, ends = ({span[side] for span in spans} for side in (0, 1))
                inside[name] += sum(
                    entity.start not in starts or entity.end not in ends
                    for entity in document.entities
                )
    assert inside == {"bc5cdr-disease": 0, "bc5cdr-chemical": 15}


def test_without_answers_nothing_is_given_away(data_dir, monkeypatch) -> None:
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    asked = task("bc5cdr-disease")
    with_tags = list(ready_examples(asked, "dev"))
    without = list(ready_examples(asked, "dev", answers=False))
    assert [s.tokens for s in without] == [s.tokens for s in with_tags]
    assert all(sentence.tags is None for sentence in without)
