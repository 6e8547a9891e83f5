"""Files of answers: BLUE's own and ours, recognised by content; what is wrong is named by line."""

import gzip
import io
import json
import sys

import msgspec
import pytest

from bluered.corpora.entry import Columns
from bluered.documents.document import Document, Entity, Span
from bluered.documents.examples import LabelledText, RelationExample, TextPair
from bluered.errors import FormatError
from bluered.formats.files import write_file
from bluered.tasks.answers import read

from .made_up import INFERENCE, MENTIONS, RELATIONS, SIMILARITY, TOPICS, made_up, rows, topics


@pytest.fixture
def file(tmp_path):
    """Write a file and return its path."""

    def write(text: str | bytes, name: str = "answers.tsv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def pair(name: str, **answer) -> TextPair:
    return TextPair(id=name, first="", second="", **answer)


RELATION = RelationExample(id="d.R0", document="d", head="T1", tail="T2", text="", label="A")
CASES = [
    (SIMILARITY, "index\tscore\n7\t2.5\n", [pair("7", score=2.5)]),
    (SIMILARITY, "genre\tindex\ts1\ts2\tscore\nx\t7\ta\tb\t2\n", [pair("7", score=2.0)]),
    (SIMILARITY, '{"id": "7", "score": 2}\n', [pair("7", score=2.0)]),
    (SIMILARITY, '{"id": 7, "score": 2.5, "first": "a"}\n\n', [pair("7", score=2.5)]),
    (INFERENCE, "index\tlabel\n7\tyes\n", [pair("7", label="yes")]),
    (INFERENCE, "index\tlabel\n7\tone\ttwo\tyes\n", [pair("7", label="yes")]),  # BLUE's own gold
    (INFERENCE, '{"type": "text-pair", "id": "7", "label": "no"}', [pair("7", label="no")]),
    (RELATIONS, "docid\tid\targ1\targ2\tlabel\nd\td.R0\tT1\tT2\tA\n", [RELATION]),
    (RELATIONS, "id\tdocid\targ1\targ2\tlabel\nd.R0\td\tT1\tT2\tA\n", [RELATION]),
    (
        RELATIONS,
        "index\tsentence\tlabel\nd.T1.T2\tThe @A$ and @B$.\tfalse\n",
        [RelationExample(id="d.T1.T2", document="d", head="", tail="", text="", label="false")],
    ),
    (
        TOPICS,
        "index\tlabels\n12_s0\ta,b\n12_s1\t\n",
        [
            LabelledText(id="12_s0", document="12", text="", labels=("a", "b")),
            LabelledText(id="12_s1", document="12", text="", labels=()),
        ],
    ),
    (
        TOPICS,
        'index\tsentence\tlabels\n12_s0\t"A ""b"" c\td\n',
        [LabelledText(id="12_s0", document="12", text="", labels=("d",))],
    ),
    (  # create_hoc.py of BLUE: four names over three values
        TOPICS,
        "index\tsentence1\tsentence2\tlabel\n12_s0\tText.\tc\n",
        [LabelledText(id="12_s0", document="12", text="", labels=("c",))],
    ),
    (
        TOPICS,
        '{"type": "labelled-text", "id": "x", "document": "d", "text": "t", "labels": ["a"]}\n',
        [LabelledText(id="x", document="d", text="", labels=("a",))],
    ),
]


@pytest.mark.parametrize(("task", "text", "expected"), CASES)
def test_files_are_recognised_by_their_content(file, task, text, expected):
    assert read(task, file(text)) == expected


@pytest.mark.parametrize(("task", "text", "expected"), CASES)
def test_line_ends_marks_and_compression_do_not_matter(file, task, text, expected):
    windows = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    assert read(task, file(windows)) == expected
    assert read(task, file(gzip.compress(text.encode()), "answers.tsv.gz")) == expected


def test_standard_input_is_read(monkeypatch):
    stdin = type("Stdin", (), {"buffer": io.BytesIO(b"index\tscore\n7\t2.5\n")})
    monkeypatch.setattr(sys, "stdin", stdin)
    assert read(SIMILARITY, "-") == [pair("7", score=2.5)]


@pytest.mark.parametrize(
    ("task", "examples"),
    [(RELATIONS, rows("d 1 2 A", "d 1 3 false")), (TOPICS, topics(d_s0="ab", d_s1=""))],
)
def test_our_own_examples_are_answers(file, task, examples):
    lines = b"".join(msgspec.json.encode(one) + b"\n" for one in examples)
    assert read(task, file(lines, "examples.jsonl")) == examples


def test_a_cell_may_hold_a_line_end(file):
    text = 'index\tsentence\tlabel\n1\t"two\nlines"\tyes\n2\tone\tno\n'
    assert [one.label for one in read(INFERENCE, file(text))] == ["yes", "no"]


def test_the_columns_of_the_corpus_itself_are_known(file):
    task = made_up("inference", "accuracy", columns=Columns(id="pair", label="verdict"))
    text = "verdict\tpair\nyes\t7\n"
    assert read(task, file(text)) == [pair("7", label="yes")]


def test_a_label_may_be_called_none(file):
    task = made_up("document-classification", "example-f1", labels="none some")
    found = read(task, file("index\tlabels\n1\tnone\n2\tnan\n3\t\n"))
    assert [one.labels for one in found] == [("none",), (), ()]


ANNOTATIONS = [
    {"id": "T0", "docid": "d", "locations": [{"start": 1, "end": 4, "text": "abc"}], "type": "X"},
    {"id": "T1", "docid": 17, "locations": [{"start": 9, "end": 11}, {"start": 2, "end": 3}]},
    {"id": "T2", "docid": "d", "locations": [{"start": 1, "end": 4, "text": "abc"}], "type": "X"},
]


def jsonl(*values: object) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def test_blues_annotations_are_grouped_by_document(file):
    first, second = read(MENTIONS, file(jsonl(*ANNOTATIONS), "mentions.jsonl"))
    assert (first.id, len(first.entities), first.entities[0].text) == ("d", 2, "abc")
    assert (second.id, second.entities[0].spans) == ("17", (Span(9, 11), Span(2, 3)))


@pytest.mark.parametrize("name", ["m.pubtator", "m.bioc.xml", "m.bioc.json", "m.jsonl", "m.brat"])
def test_mentions_come_in_every_format_of_documents(tmp_path, name):
    entity = Entity(type="Disease", spans=(Span(0, 5),), text="fever", id="T1")
    document = Document(id="1", text="fever and more", entities=(entity,))
    write_file([document], tmp_path / name)
    (found,) = read(MENTIONS, tmp_path / name)
    assert [(e.type, e.spans) for e in found.entities] == [("Disease", (Span(0, 5),))]


HEADER = "docid\tid\targ1\targ2\tlabel\n"
FAULTS = [
    (SIMILARITY, "", "the file is empty, expected answers"),
    (SIMILARITY, "index\tscore\n", "the file holds no answers"),
    (SIMILARITY, "7\t2.5\n8\t1\n", ":1: expected a header with the columns index|id score"),
    (SIMILARITY, "index\tscore\n7\t\n", ":2: expected a finite number as score, found nothing"),
    (SIMILARITY, "index\tscore\n7\tNaN\n", ":2: expected a finite number as score, found 'NaN'"),
    (SIMILARITY, "index\tscore\n7\t1\n8\tinf\n", ":3: expected a finite number as score"),
    (SIMILARITY, "index\tscore\n7\thigh\n", ":2: the score 'high' is no number"),
    (SIMILARITY, "index\tscore\n7\t1\n8\t2\n7\t1\n", ":4: 7 was answered in line 2 already"),
    (SIMILARITY, "index\tscore\n\t1\n", ":2: the answer names no id"),
    (SIMILARITY, "index\tscore\n7\t1\t3\n", ":2: expected 2 columns as in the header, found 3"),
    (SIMILARITY, '{"id": "7"}\n', ":1: expected a finite number as score, found nothing"),
    (SIMILARITY, '{"id": "7", "score": 1\n', ":1: not an answer in JSON"),
    (
        SIMILARITY,
        '{"id": "7", "score": 1}\n{"type": "relation", "id": "8"}\n',
        ":2: expected examples of type 'text-pair' for made-up, found 'relation'",
    ),
    (INFERENCE, "index\tlabel\n7\tye\n", ":2: no label of made-up 'ye'; did you mean 'yes'?"),
    (INFERENCE, "index\tlabel\n7\t\n", ":2: the label is empty; one of yes, no, maybe"),
    (INFERENCE, "index\tscore\n7\t1\n", ":1: expected a header with the columns index|id label"),
    (RELATIONS, HEADER + "d\tR0\tT1\tT2\tB\nd\tR1\tT1\tT3\tX\n", ":3: no label of made-up 'X'"),
    (RELATIONS, "docid\targ1\tlabel\nd\tT1\tA\n", "docid|document arg1|head arg2|tail label or"),
    (RELATIONS, '{"id": "d.T1.T2"}\n', ":1: the answer has no label"),
    (TOPICS, "index\tlabels\n7_s0\ta,x\n", ":2: no label of made-up 'x'"),
    (TOPICS, "index\tlabels\n7_s0\ta\n7_s0\tb\n", ":3: 7_s0 was answered in line 2 already"),
    (TOPICS, '{"id": "7"}\n', ":1: the answer has no labels (an empty list says none)"),
    (MENTIONS, "", "the file is empty, expected mentions"),
    (MENTIONS, jsonl(ANNOTATIONS[0], {"docid": "d"}), ":2: not one of BLUE's annotations in JSON"),
    (
        MENTIONS,
        jsonl({**ANNOTATIONS[0], "locations": [{"start": 4, "end": 4}]}),
        ":1: expected locations with 0 <= start < end, found 4-4",
    ),
    (MENTIONS, jsonl({**ANNOTATIONS[0], "locations": []}), "found no location"),
    (MENTIONS, "1|t|fever\n1|a|\n1\t0\t4\tfever\tDisease\n", "offsets 0-4 cover 'feve'"),
]


@pytest.mark.parametrize(("task", "text", "message"), FAULTS)
def test_what_cannot_be_scored_is_named_with_file_and_line(file, task, text, message):
    path = file(text, "answers.jsonl" if text.startswith("{") else "answers.txt")
    with pytest.raises(FormatError) as error:
        read(task, path)
    assert str(error.value).startswith(str(path))
    assert message in str(error.value)


def test_bytes_that_are_not_utf8_are_named(file):
    with pytest.raises(FormatError, match=":2: byte 0xff"):
        read(INFERENCE, file(b"index\tlabel\n\xff\tyes\n"))


def test_blues_scripts_let_more_pass(file):
    twice = file("index\tscore\n7\t1\n7\t\n8\tnan\n")
    assert [one.score for one in read(SIMILARITY, twice, rules="blue")] == [1, None, None]
    other = file(HEADER + "d\tR0\tT1\tT2\tCPR:77\n")
    assert [one.label for one in read(RELATIONS, other, rules="blue")] == ["CPR:77"]
    assert read(MENTIONS, file("", "nothing.jsonl"), rules="blue") == []
    with pytest.raises(FormatError, match="the score 'high' is no number"):
        read(SIMILARITY, file("index\tscore\n7\thigh\n"), rules="blue")


def test_the_gold_of_relations_may_have_labels_that_do_not_count(file):
    path = file(HEADER + "d\tR0\tT1\tT2\tCPR:77\n")
    assert [one.label for one in read(RELATIONS, path, side="gold")] == ["CPR:77"]
    with pytest.raises(FormatError, match=":2: no label of made-up 'CPR:77'"):
        read(RELATIONS, path)
