"""The layout "table": TSV, CSV and JSON lines to examples, faults by file and line."""

import gzip
import json

import pytest

from bluered.corpora.catalog import read_entry
from bluered.corpora.source import Source
from bluered.corpora.table import read
from bluered.documents.examples import LabelledText, RelationExample, TextPair
from bluered.errors import CorpusError, FormatError

ENTRY = """
title = "Invented"
version = "1"
licence = "CC0"
citation = {{text = "Nobody 2020"}}
layout = "table"
splits = {{train = "{path}"}}
{more}
[tasks.invented]
type = "{type}"
metric = "{metric}"
{labels}
"""
METRICS = {
    "sentence-similarity": "pearson",
    "inference": "accuracy",
    "document-classification": "example-f1",
    "relation-extraction": "micro-f1",
    "named-entities": "mention-f1",
}
PAIRS = "id\tfirst\tsecond\tscore\n1\tMice run.\tRats run.\t3.5\n2\tA cat.\tA dog.\t0\n"
CALLED_OTHERWISE = PAIRS.replace("id\tfirst\tsecond\tscore", "no\ta\tb\tgold")
COLUMNS = 'columns = {id = "no", first = "a", second = "b", score = "gold"}'


def rows(tmp_path, content, *, kind, name="train.tsv", more="", labels=""):
    content = content if isinstance(content, bytes) else content.encode()
    (tmp_path / name).write_bytes(content)
    entry = read_entry(
        "invented",
        ENTRY.format(path=name, type=kind, metric=METRICS[kind], more=more, labels=labels),
    )
    return list(read(Source(entry, "train", (tmp_path / name,))))


EXPECTED = [
    TextPair(id="1", first="Mice run.", second="Rats run.", score=3.5),
    TextPair(id="2", first="A cat.", second="A dog.", score=0.0),
]


def as_csv(text: str) -> str:
    return "".join(
        ",".join(f'"{field}"' for field in line.split("\t")) + "\n" for line in text.splitlines()
    )


def as_json(text: str) -> str:
    names, *lines = (line.split("\t") for line in text.splitlines())
    return "".join(json.dumps(dict(zip(names, line, strict=True))) + "\n" for line in lines)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("train.tsv", PAIRS),
        ("train.txt", PAIRS),
        ("train.csv", as_csv(PAIRS)),
        ("train.csv", PAIRS.replace("\t", ",")),
        ("train.jsonl", as_json(PAIRS)),
        ("train.ndjson", as_json(PAIRS).replace('"3.5"', "3.5").replace('"1"', "1")),
        ("train.tsv.gz", gzip.compress(PAIRS.encode())),
        ("train.tsv", PAIRS.replace("\n", "\r\n")),
        ("train.csv", as_csv(PAIRS).replace("\n", "\r\n")),
        ("train.jsonl", as_json(PAIRS).replace("\n", "\r\n\r\n")),
        ("train.tsv", "\ufeff" + PAIRS + "\n\n"),
        ("train.csv", "\ufeff" + as_csv(PAIRS)),
        ("train.jsonl", "\ufeff" + as_json(PAIRS)),
        ("train.tsv", PAIRS.replace("first", "sentence1").replace("second", "sentence2")),
    ],
)
def test_a_table_is_read_by_its_ending(tmp_path, name, content) -> None:
    assert rows(tmp_path, content, kind="sentence-similarity", name=name) == EXPECTED


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        (CALLED_OTHERWISE, COLUMNS),
        (PAIRS.partition("\n")[2], "columns = {id = 0, first = 1, second = 2, score = 3}"),
        (CALLED_OTHERWISE, 'columns = {id = 0, first = 1, second = 2, score = "gold"}'),
    ],
)
def test_columns_are_named_or_numbered(tmp_path, content, columns) -> None:
    assert rows(tmp_path, content, kind="sentence-similarity", more=columns) == EXPECTED


def test_rows_without_an_id_are_numbered(tmp_path) -> None:
    content = "sentence1\tsentence2\tlabel\nA.\tB.\tneutral\nC.\tD.\tentailment\n"
    assert rows(tmp_path, content, kind="inference") == [
        TextPair(id="1", first="A.", second="B.", label="neutral"),
        TextPair(id="2", first="C.", second="D.", label="entailment"),
    ]


@pytest.mark.parametrize(
    ("name", "content", "more"),
    [
        ("train.tsv", "id\ttext\tlabels\n1\tA text.\ta, b\n2\tAnother.\t\n", ""),
        ("train.tsv", "id\ttext\tlabels\n1\tA text.\ta;b;a\n2\tAnother.\t;\n", 'separator = ";"'),
        ("train.tsv", "id\ttext\tlabel\n1\tA text.\ta,b\n2\tAnother.\t\n", ""),
        ("train.tsv", "id\ttext\tx\n1\tA text.\ta,b\n2\tAnother.\t\n", 'columns = {label = "x"}'),
        (
            "train.jsonl",
            '{"id": 1, "text": "A text.", "labels": ["a", "b"]}\n'
            '{"id": 2, "text": "Another.", "labels": []}\n',
            "",
        ),
    ],
)
def test_a_text_has_any_number_of_labels(tmp_path, name, content, more) -> None:
    found = rows(tmp_path, content, kind="document-classification", name=name, more=more)
    assert found == [
        LabelledText(id="1", document="1", text="A text.", labels=("a", "b")),
        LabelledText(id="2", document="2", text="Another.", labels=()),
    ]


def test_a_relation_may_stand_twice_with_two_labels(tmp_path) -> None:
    content = (
        "index\tdocid\thead\ttail\tsentence\tlabel\n"
        "7.T1.T2\t7\tT1\tT2\t@CHEMICAL$ binds @GENE$ .\tCPR:3\n"
        "7.T1.T2\t7\tT1\tT2\t@CHEMICAL$ binds @GENE$ .\tCPR:4\n"
    )
    one, other = rows(tmp_path, content, kind="relation-extraction")
    text = "@CHEMICAL$ binds @GENE$ ."
    assert one == RelationExample(
        id="7.T1.T2", document="7", head="T1", tail="T2", text=text, label="CPR:3"
    )
    assert other.label == "CPR:4"
    with pytest.raises(FormatError, match=r"train.tsv:3: the id '7.T1.T2' stands twice"):
        rows(tmp_path, content.replace("CPR:4", "CPR:3"), kind="relation-extraction")


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ('"So" he said.', '"So" he said.'),
        ('He said "so"', 'He said "so"'),
        ('"So" or "so"', '"So" or "so"'),
        ('"""So"" he said."', '"So" he said.'),
        ('"', '"'),
    ],
)
def test_quotation_marks_in_tsv_are_signs_unless_a_writer_put_them(tmp_path, written, text) -> None:
    content = f"text\tlabels\n{written}\ta\n"
    assert rows(tmp_path, content, kind="document-classification")[0].text == text


def test_csv_keeps_commas_quotes_and_line_breaks(tmp_path) -> None:
    content = 'text,labels\n"One, ""two""\nthree",a\nfour,b\nfive\n'
    with pytest.raises(FormatError, match=r"train.csv:5: expected 2 fields .* found 1"):
        rows(tmp_path, content, kind="document-classification", name="train.csv")
    found = rows(
        tmp_path, content.removesuffix("five\n"), kind="document-classification", name="train.csv"
    )
    assert [row.text for row in found] == ['One, "two"\nthree', "four"]


PAIR = {"kind": "sentence-similarity"}
LABELS = 'labels = ["a", "b"]\nnegative = "none"'


@pytest.mark.parametrize(
    ("name", "content", "options", "message"),
    [
        ("t.tsv", PAIRS.replace("0\n", "high\n"), PAIR, r"t.tsv:3: expected a number .* 'high'"),
        ("t.tsv", PAIRS.replace("3.5", "nan"), PAIR, r"t.tsv:2: expected a number as `score`"),
        ("t.tsv", PAIRS.replace("3.5", ""), PAIR, r"t.tsv:2: expected a number as `score`"),
        ("t.tsv", PAIRS.replace("\n2\t", "\n1\t"), PAIR, r"t.tsv:3: the id '1' stands twice"),
        ("t.tsv", PAIRS.replace("\n2\t", "\n\t"), PAIR, r"t.tsv:3: `id` is empty"),
        ("t.tsv", PAIRS.replace("A cat.", " "), PAIR, r"t.tsv:3: `first` is empty"),
        ("t.tsv", PAIRS + "3\tToo few\n", PAIR, r"t.tsv:4: expected 4 fields .* found 2"),
        ("t.tsv", PAIRS + "3\ta\tb\t1\t\n", PAIR, r"t.tsv:4: expected 4 fields .* found 5"),
        (
            "t.tsv",
            PAIRS.replace("score", "scores"),
            PAIR,
            r"t.tsv:1: no column 'score'; did you mean 'scores'\? \(`score`\)",
        ),
        (
            "t.tsv",
            CALLED_OTHERWISE.replace("gold", "glod"),
            PAIR | {"more": COLUMNS},
            r"t.tsv:1: no column 'gold'; did you mean 'glod'\? \(`score`\)",
        ),
        (
            "t.tsv",
            CALLED_OTHERWISE,
            PAIR,
            r"t.tsv:1: no column for `first`: .* there are no, a, b, gold",
        ),
        (
            "t.tsv",
            PAIRS,
            PAIR | {"more": "columns = {first = 1, second = 2, score = 4}"},
            r"t.tsv:1: no column 4 \(`score`\): the table has 4, counted from 0",
        ),
        ("t.jsonl", '{"id": 1}\nnot json\n', PAIR, r"t.jsonl:1: no column for `first`"),
        ("t.jsonl", as_json(PAIRS) + "[1]\n", PAIR, r"t.jsonl:3: expected a JSON object"),
        (
            "t.jsonl",
            as_json(PAIRS) + '{"id": 3, "first": "a", "score": 1}\n',
            PAIR,
            r"t.jsonl:3: no key 'second', which the first row has",
        ),
        (
            "t.jsonl",
            as_json(PAIRS).replace('"Mice run."', '["Mice"]'),
            PAIR,
            r"t.jsonl:1: expected text, found list",
        ),
        ("t.csv", 'id,text\n1,"open\n', PAIR, r"t.csv:\d: "),
        ("t.xls", PAIRS, PAIR, r"t.xls: a table is told by its ending: one of .tsv"),
        ("t.tsv", "", PAIR, r"t.tsv: the table has no row"),
        ("t.tsv", "id\tfirst\tsecond\tscore\n", PAIR, r"t.tsv: the table has no row"),
        ("t.tsv", b"id\tfirst\n\xff\t1\n", PAIR, r"t.tsv:1: no column for `second`"),
        ("t.tsv", PAIRS.encode() + b"3\t\xff\ta\t1\n", PAIR, r"t.tsv:4: byte 0xff .* UTF-8"),
        (
            "t.tsv",
            "text\tlabels\nA.\ta,c\n",
            {"kind": "document-classification", "labels": LABELS},
            r"t.tsv:2: no label 'c'; did you mean one of a, b, none",
        ),
        (
            "t.tsv",
            "text\tlabel\nA.\tnone\nB.\tnil\n",
            {"kind": "relation-extraction", "labels": LABELS},
            r"t.tsv:3: no label 'nil'",
        ),
        (
            "t.tsv",
            "text\tlabel\nA.\t\n",
            {"kind": "relation-extraction"},
            r"t.tsv:2: `label` is empty",
        ),
    ],
)
def test_a_fault_is_named_with_file_and_line(tmp_path, name, content, options, message) -> None:
    with pytest.raises(FormatError, match=message):
        rows(tmp_path, content, name=name, **options)


def test_mentions_do_not_come_from_a_table(tmp_path) -> None:
    message = r"one type, .* here they are of named-entities \(documents have the layout 'annot"
    with pytest.raises(CorpusError, match=message):
        rows(tmp_path, PAIRS, kind="named-entities")


def test_several_files_make_one_split(tmp_path) -> None:
    content = "first\tsecond\tlabel\nA.\tB.\tneutral\n"
    (tmp_path / "a.tsv").write_text(content)
    (tmp_path / "b.tsv").write_text(content)
    entry = read_entry(
        "invented",
        ENTRY.format(path="a.tsv", type="inference", metric="accuracy", more="", labels=""),
    )
    found = list(read(Source(entry, "train", (tmp_path / "a.tsv", tmp_path / "b.tsv"))))
    assert [row.id for row in found] == ["1", "2"]


@pytest.mark.parametrize("written", ["1_0", "\u0663", "2,5"])
def test_a_score_is_a_number_as_tables_write_it(tmp_path, written):
    with pytest.raises(FormatError, match=r":2: expected a number as `score`, found"):
        rows(tmp_path, PAIRS.replace("3.5", written), kind="sentence-similarity")


def test_two_columns_of_one_name_are_refused_where_they_are_read(tmp_path):
    twice = "id\ttext\tlabel\tlabel\n1\tA cat.\tp\tq\n"
    with pytest.raises(FormatError, match=r":1: two columns are called 'label' \(`label`\)"):
        rows(tmp_path, twice, kind="relation-extraction")
    other = "id\ttext\tlabel\tx\tx\n1\tA cat.\tp\tq\tr\n"
    assert len(rows(tmp_path, other, kind="relation-extraction")) == 1


def test_json_nested_too_deeply_is_a_fault_of_the_line(tmp_path):
    with pytest.raises(FormatError, match=":1: expected a JSON object"):
        rows(tmp_path, '{"x": ' + "[" * 100_000, kind="inference", name="train.jsonl")
