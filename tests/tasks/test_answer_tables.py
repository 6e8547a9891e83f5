"""Tables of answers: which lines are a row, what quotation marks hold together, what is blank."""

import pytest

from bluered.errors import FormatError
from bluered.tasks.answers import read

from .made_up import INFERENCE, RELATIONS, SIMILARITY, TOPICS, made_up

HEADER = "index\ttext\tlabel\n"


def labels(tmp_path, text: str) -> list[str]:
    path = tmp_path / "answers.tsv"
    path.write_bytes(text.encode())
    return [one.label for one in read(INFERENCE, path)]


@pytest.mark.parametrize(
    "row",
    [
        '1\t"two\nlines"\tyes\n',
        '1\t"an ""inner""\n\nblank line"\tyes\n',
        '1\t"a\ttab"\tyes\n',
        '"1\n"\t"two\nlines"\tyes\n',
        '1\topen"\tyes\n',
        '1\t"open\tyes\n',
        '1\t"' + "long\n" * 40_000 + '"\tyes\n',
        '1\t"a bare\rreturn\nand more"\tyes\n',
    ],
)
def test_quotation_marks_hold_a_cell_together(tmp_path, row):
    assert labels(tmp_path, f"{HEADER}{row}2\tx\tno\n") == ["yes", "no"]


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ('a\t"open text\tyes\nb\tx\nc\tclosing"\tyes\n', 3),
        ('a\t"open text\nb\tx\tno\nc\tclosing"\tyes\n', 2),
        ('a\t"open\tyes\nb\tx\tno\nc\tno\nd\tx\tno\n', 4),
        ('a\tx\tyes\nb\t"never closed\n', 3),
        ('a\t"x\ty" z\t"w\tyes\n', 2),
        ('a\tx\tyes\nb\t"a tab and\tyes\na line end"\tno\n', 4),
    ],
)
def test_a_quotation_mark_that_opens_swallows_no_rows(tmp_path, body, line):
    with pytest.raises(FormatError, match=f":{line}: expected 3 columns as in the header, found"):
        labels(tmp_path, HEADER + body)


@pytest.mark.parametrize("blank", ["\u00a0\n", "\u2028", "\x1c\n", "\u3000 \n\t\n"])
def test_a_file_of_blanks_of_any_kind_is_empty(tmp_path, blank):
    with pytest.raises(FormatError, match="the file is empty, expected answers"):
        labels(tmp_path, blank)


@pytest.mark.parametrize("text", ["index\tlabel\n7\tyes\n", '{"id": "7", "label": "yes"}\n'])
def test_blank_lines_are_skipped_however_many(tmp_path, text):
    assert labels(tmp_path, "\n" * 70_000 + text) == ["yes"]
    with pytest.raises(FormatError, match=":70001: expected a header"):
        labels(tmp_path, "\n" * 70_000 + "index\tscore\n1\t2\n")


FAULTS = [
    (SIMILARITY, "index\tscore\tscore\n7\t1\t2\n", ":1: two columns are called 'score'"),
    (SIMILARITY, "id\tscore\tid\n7\t1\t2\n", ":1: two columns are called 'id'"),
    (RELATIONS, "docid\tid\tdocid\targ1\targ2\tlabel\n" + "d\t" * 5 + "A\n", "called 'docid'"),
    (SIMILARITY, "index\tscore\n7\t1_0\n", ":2: the score '1_0' is no number"),
    (SIMILARITY, "index\tscore\n7\t\u0663\n", ":2: the score '\u0663' is no number"),
    (SIMILARITY, '{"id": "7", "score": "1_0"}\n', ":1: the score '1_0' is no number"),
    (SIMILARITY, "index\tscore\n7\t1\0\n", ":2: NUL byte at byte 4 of the line: not text, or a b"),
    (SIMILARITY, '{"pair": "7", "score": 1}\n', ":1: the answer names no id (`id` must say what"),
    (SIMILARITY, '{"x": ' + "[" * 100_000, ":1: not an answer in JSON: maximum recursion depth"),
]


@pytest.mark.parametrize(("task", "text", "message"), FAULTS)
def test_what_is_wrong_is_named(tmp_path, task, text, message):
    path = tmp_path / "answers"
    path.write_text(text)
    with pytest.raises(FormatError) as error:
        read(task, path)
    assert message in str(error.value)
    assert "doctor" not in str(error.value)


def test_two_columns_that_are_not_read_may_have_one_name(tmp_path):
    assert labels(tmp_path, "index\tx\tx\tlabel\n1\ta\tb\tyes\n") == ["yes"]


def test_a_class_that_is_only_written_otherwise_is_not_taken_for_none(tmp_path):
    task = made_up("document-classification", "example-f1", labels="None some")
    path = tmp_path / "answers.tsv"
    path.write_text("index\tlabels\n1\tNone\n2\tnan\n")
    assert [one.labels for one in read(task, path)] == [("None",), ()]
    path.write_text("index\tlabels\n1\tnone\n")
    with pytest.raises(FormatError, match="no label of made-up 'none'; did you mean 'None'"):
        read(task, path)


def test_without_a_list_of_labels_only_an_empty_cell_says_none(tmp_path):
    task = made_up("document-classification", "example-f1")
    path = tmp_path / "answers.tsv"
    path.write_text("index\tlabels\n1\tNA\n2\tnull\n3\t\n4\t \n")
    assert [one.labels for one in read(task, path)] == [("NA",), ("null",), (), ()]


def test_only_ids_of_blues_corpora_begin_with_their_document(tmp_path):
    path = tmp_path / "answers.tsv"
    path.write_text("index\tlabels\n12_s0\ta\n")
    own = made_up("document-classification", "example-f1", layout="table")
    assert [one.document for task in (TOPICS, own) for one in read(task, path)] == ["12", "12_s0"]
