"""`bluered examples` as a user runs it."""

import json
import os
import subprocess
import sys

import pytest


def bluered(*arguments: str, data) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"BLUERED_DATA": str(data), "XDG_CACHE_HOME": "/nonexistent"}
    command = [sys.executable, "-m", "bluered", "examples", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.fixture
def hoc(tmp_path):
    """A folder of corpora with an invented HoC."""
    (tmp_path / "hoc").mkdir()
    rows = 'index\tsentence\tlabels\n7_s0\t"Stroma is odd .\t\n7_s1\tVessels grow .\t'
    for split in ("train", "dev", "test"):
        path = tmp_path / "hoc" / f"{split}.tsv"
        path.write_text(rows + "inducing angiogenesis,resisting cell death\n")
    return tmp_path


def test_examples_are_json_lines(hoc) -> None:
    done = bluered("hoc", "--split", "dev", data=hoc)
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {
            "type": "labelled-text",
            "id": "7_s0",
            "document": "7",
            "text": '"Stroma is odd .',
            "labels": [],
        },
        {
            "type": "labelled-text",
            "id": "7_s1",
            "document": "7",
            "text": "Vessels grow .",
            "labels": ["inducing angiogenesis", "resisting cell death"],
        },
    ]
    assert done.stderr == "hoc, dev: 2 examples\n"


def test_answers_are_left_out_on_request(hoc) -> None:
    done = bluered("hoc", "--split", "dev", "--no-answers", data=hoc)
    assert "labels" not in done.stdout
    table = bluered("hoc", "--no-answers", "--format", "tsv", data=hoc).stdout
    assert table == 'index\tsentence\n7_s0\t"Stroma is odd .\n7_s1\tVessels grow .\n'


def test_a_table_has_blues_columns(hoc, tmp_path) -> None:
    target = tmp_path / "out.tsv"
    done = bluered("hoc", "--split", "test", "--format", "tsv", "-o", str(target), data=hoc)
    assert done.stdout == ""
    assert target.read_text() == (hoc / "hoc" / "test.tsv").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hco"], "no task 'hco'; did you mean 'hoc'"),
        (["hoc", "--split", "tets"], "no split of hoc named 'tets'; did you mean 'test'?"),
        (["biosses"], "run `bluered corpora fetch biosses`"),
    ],
)
def test_an_error_is_one_line_and_leaves_no_file(hoc, tmp_path, arguments, message) -> None:
    target = tmp_path / "out.jsonl"
    done = bluered(*arguments, "-o", str(target), data=hoc)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert message in done.stderr
    assert not target.exists()


def test_whole_documents_have_no_table(data_dir) -> None:
    done = bluered("biored", "--split", "dev", "--format", "tsv", data=data_dir)
    assert (done.returncode, done.stdout) == (1, "")
    assert "BLUE has no table for whole documents" in done.stderr


@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_the_table_of_hoc_is_blues_own_to_the_byte(data_dir, tmp_path, split) -> None:
    target = tmp_path / "hoc.tsv"
    bluered("hoc", "--split", split, "--format", "tsv", "-o", str(target), data=data_dir)
    published = data_dir / "hoc" / "blue_layout" / f"{split}.tsv"
    assert target.read_bytes() == published.read_bytes()


def test_tagged_sentences_have_blues_four_columns(data_dir) -> None:
    done = bluered("bc5cdr-disease", "--split", "dev", "--format", "tsv", data=data_dir)
    first, second = (line.split("\t") for line in done.stdout.splitlines()[:2])
    assert first == ["Tricuspid", "6794356", "0", "B"]
    assert second == ["valve", "-", "10", "I"]
    tags = [line.rpartition("\t")[2] for line in done.stdout.splitlines() if line]
    assert (tags.count("B"), set(tags)) == (4244, {"B", "I", "O"})
    assert done.stderr == "bc5cdr-disease, dev: 4555 sentences, 4244 mentions\n"


@pytest.mark.parametrize(
    ("task", "said", "columns"),
    [
        ("biosses", "16 examples", ["index", "sentence1", "sentence2", "score"]),
        ("chemprot", "2416 positive", ["index", "sentence", "label"]),
        ("ddi", "1004 positive", ["index", "sentence", "label"]),
    ],
)
def test_each_open_task_has_its_examples(data_dir, task, said, columns) -> None:
    done = bluered(task, "--split", "dev", "--format", "tsv", data=data_dir)
    assert said in done.stderr
    assert done.stdout.partition("\n")[0].split("\t") == columns
