"""What a tagger writes is read as documents: BLUE's four-column table and our tagged sentences."""

import json

import pytest

from bluered.corpora.catalog import task as catalogued
from bluered.documents.document import Document, Entity, Span, covered_text
from bluered.errors import FormatError
from bluered.tasks.answers import read
from bluered.tasks.examples import examples
from bluered.tasks.ready import table_lines
from bluered.tasks.scoring import score
from bluered.tasks.tagging import tagged_sentences

from .made_up import MENTIONS, made_up

TWO_TYPES = made_up("named-entities", "mention-f1", types="Drug Disease")


@pytest.fixture
def found(tmp_path):
    """Read a file of tagged tokens and return the mentions of each document."""

    def mentions(text: str, task=MENTIONS) -> dict[str, list[tuple[str, list[tuple[int, int]]]]]:
        path = tmp_path / "tagged"
        path.write_bytes(text.encode())
        return {
            document.id: [
                (e.type, [(span.start, span.end) for span in e.spans]) for e in document.entities
            ]
            for document in read(task, path)
        }

    return mentions


def table(*sentences: str, document: str = "7") -> str:
    """Return the table of sentences written `token/tag token/tag`, one blank between tokens."""
    lines, start = [], 0
    for sentence in sentences:
        for number, one in enumerate(sentence.split()):
            token, tag = one.split("/")
            lines.append(f"{token}\t{'-' if number else document}\t{start}\t{tag}\n")
            start += len(token) + 1
        lines.append("\n")
    return "".join(lines)


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (("No/O fever/B now/O",), [("", [(3, 8)])]),
        (("lung/B cancer/I is/O bad/O",), [("", [(0, 11)])]),
        (("pain/B fever/B",), [("", [(0, 4)]), ("", [(5, 10)])]),
        (("left/B and/O right/O eye/I",), [("", [(0, 4), (15, 18)])]),  # a gap
        (("a/O pain/B", "fever/I came/O"), [("", [(2, 12)])]),  # goes on in the next sentence
        (("a/B b/O", "c/O d/I"), [("", [(0, 1), (6, 7)])]),  # a gap and a sentence between
        (("stray/O eye/I lid/I",), [("", [(6, 13)])]),  # nothing was begun
        (("a/B b/O c/I d/B e/O f/I",), [("", [(0, 1), (4, 5)]), ("", [(6, 7), (10, 11)])]),
    ],
)
def test_b_begins_and_i_goes_on_also_behind_a_gap(found, sentences, expected):
    assert found(table(*sentences)) == {"7": expected}


def test_i_goes_on_with_the_mention_of_its_own_type(found):
    text = table("a/B-Drug b/B-Disease c/I-Drug d/I-Disease")
    assert found(text, TWO_TYPES)["7"] == [
        ("Drug", [(0, 1), (4, 5)]),
        ("Disease", [(2, 3), (6, 7)]),
    ]


def test_nothing_goes_on_from_one_document_into_the_next(found):
    text = table("a/B b/O") + table("c/O d/I", document="8")
    assert found(text) == {"7": [("", [(0, 1)])], "8": [("", [(2, 3)])]}


def test_documents_without_a_mention_are_answered(found):
    assert found(table("nothing/O here/O")) == {"7": []}


def test_the_order_of_sentences_does_not_count(found):
    first, second = table("a/B b/O", "c/O d/I").split("\n\n")[:2]
    assert found(f"{second}\n\n{first}\n") == {"7": [("", [(0, 1), (6, 7)])]}


def test_a_token_may_be_a_brace(found):
    assert found(table("{/B a/I }/O")) == {"7": [("", [(0, 3)])]}


def test_line_ends_and_blues_quotes_do_not_matter(found):
    quoted = 'x\t7\t0\tO\r\n""""\t-\t2\tB\r\n"\t-\t4\tI\r\n'
    assert found(quoted) == {"7": [("", [(2, 5)])]}


SENTENCE = {"document": 7, "tokens": ["a", "bc"], "starts": [0, 2], "tags": ["O", "B-Disease"]}


def test_our_tagged_sentences_are_read(found):
    assert found(json.dumps(SENTENCE) + "\n") == {"7": [("Disease", [(2, 4)])]}
    whole = {"type": "tagged-sentence", "id": "7_s0", **SENTENCE}
    assert found(json.dumps(whole) + "\n\n") == {"7": [("Disease", [(2, 4)])]}


FAULTS = [
    ("a\t-\t0\tO\n", ":1: the first token of a sentence must name its document"),
    ("a\t7\t0\tO\n\nb\t-\t2\tO\n", ":3: the first token of a sentence must name its document"),
    ("a\t7\t0\n", ":1: expected four columns (token, document, offset, tag), found 3: without"),
    ("a\t7\t0\tO\nb\t-\tx\tO\n", ":2: expected an offset in the third column"),
    ("a\t7\t0\tO\nb\t-\t2\tE\n", ":2: expected the tag O, B, I, B-<type> or I-<type>, found 'E'"),
    ("a\t7\t0\tO\n\nb\t7\t0\tO\n", ":3: a token at offset 0 of the document stands in line 1"),
    (json.dumps({**SENTENCE, "tags": None}), ":1: the sentence has no `tags`"),
    (json.dumps({**SENTENCE, "tags": ["O"]}), "found 2 tokens, 2 starts and 1 tags"),
    (json.dumps({**SENTENCE, "starts": [-1, 2]}), "expected a token at 0 or later, found -1-0"),
    (json.dumps({**SENTENCE, "document": None}), ":1: not a tagged sentence in JSON"),
]


@pytest.mark.parametrize(("text", "message"), FAULTS)
def test_what_cannot_be_read_is_named_by_its_line(found, text, message):
    with pytest.raises(FormatError) as error:
        found(text)
    assert message in str(error.value)


def test_an_error_shows_nothing_of_a_corpus_under_an_agreement(found):
    task = made_up("named-entities", "mention-f1", types="Disease", access="agreement")
    with pytest.raises(FormatError) as error:
        found("a\t7\t0\tO\nb\t-\t2\tWORD\n", task)
    assert "WORD" not in str(error.value)


def test_gold_written_as_a_table_scores_1_where_tokens_hold_the_mentions(tmp_path):
    text = "Pain in left and right ventricles, fever."
    spans = ((Span(0, 4),), (Span(8, 12), Span(23, 33)), (Span(35, 40),))
    entities = tuple(Entity("Disease", one, covered_text(text, one)) for one in spans)
    gold = Document(id="1", text=text, entities=entities)
    path = tmp_path / "gold.tsv"
    path.write_text("".join(table_lines(MENTIONS, tagged_sentences(gold))), "utf-8")
    result = score(MENTIONS, [gold], read(MENTIONS, path))
    assert (result.score, result.notes) == (1, {})


@pytest.mark.parametrize(("name", "lost"), [("bc5cdr-disease", 0), ("bc5cdr-chemical", 5)])
def test_bc5cdr_comes_back_from_its_table(data_dir, monkeypatch, tmp_path, name, lost):
    """But for what ends inside a token ("Na" of "NaCl")."""
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    task = catalogued(name)
    gold = list(examples(task, "test"))
    path = tmp_path / "test.tsv"
    sentences = (s for document in gold for s in tagged_sentences(document))
    path.write_text("".join(table_lines(task, sentences)), "utf-8")
    result = score(task, gold, read(task, path))
    assert (result.details["fn"], result.notes) == (lost, {})
