"""`bluered convert` says what is lost, skips or stops, and leaves nothing half done."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from bluered.cli.main import app, main
from bluered.formats import read_file

GOOD = "1|t|A mouse\n1|a|Ran\n1\t2\t7\tmouse\tSpecies\t10090\n1\tBind\t10090\t10090\tNovel\n\n"
BAD = "2|t|A rat\n2|a|Ran\n2\t3\t6\trat\tSpecies\t10116\n\n"


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "in.pubtator"
    path.write_text(GOOD)
    return path


def run(*arguments):
    return CliRunner().invoke(app, ["convert", *map(str, arguments)])


@pytest.mark.parametrize("name", ["out.bioc.xml", "out.bioc.json", "out.jsonl", "out.brat"])
def test_there_and_back(source, tmp_path, name):
    result = run(source, tmp_path / name)
    assert result.exit_code == 0
    assert result.stderr == f"{source} -> {tmp_path / name}: 1 document\n"
    assert result.stdout == ""
    assert run(tmp_path / name, tmp_path / "back.pubtator").exit_code == 0
    assert (tmp_path / "back.pubtator").read_text() == GOOD


def test_what_is_lost_is_counted(source, tmp_path):
    result = run(source, tmp_path / "out.conll")
    assert "       1  relations\n" in result.stderr
    assert "       1  concept ids of mentions\n" in result.stderr
    result = run(source, tmp_path / "out.conll", "--json")
    assert json.loads(result.stdout)["lost"]["relations"] == 1


def test_a_bad_record_stops_and_leaves_nothing(source, tmp_path):
    source.write_text(GOOD + BAD)
    result = run(source, tmp_path / "out.jsonl")
    assert result.exit_code == 1
    assert "in.pubtator:8, document 2: offsets 3-6 cover" in str(result.exception)
    assert [p.name for p in tmp_path.iterdir()] == ["in.pubtator"]


def test_keep_going_skips_counts_and_lists(source, tmp_path):
    source.write_text(GOOD + BAD + GOOD)
    result = run(source, tmp_path / "out.jsonl", "--keep-going")
    assert result.exit_code == 0
    assert "2 bad records skipped:\n  line 8, document 2: offsets 3-6 cover" in result.stderr
    assert "document 1: a document with this id came before" in result.stderr
    assert [d.id for d in read_file(tmp_path / "out.jsonl")] == ["1"]
    report = json.loads(run(source, tmp_path / "out.jsonl", "--keep-going", "--json").stdout)
    assert [(s["line"], s["document"]) for s in report["skipped"]] == [(8, "2"), (None, "1")]


def test_repeated_ids_stop_unless_unchecked(source, tmp_path):
    source.write_text(GOOD + GOOD)
    assert run(source, tmp_path / "out.jsonl").exit_code == 1
    assert run(source, tmp_path / "out.jsonl", "--no-check").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.pubtator", "x.jsonl"], "missing.pubtator: No such file or directory"),
        (["in.pubtator", "x.foo"], "no format is known by the ending of 'x.foo'"),
        (["in.pubtator", "x.foo", "--to", "brut"], "no format 'brut'; did you mean 'brat'?"),
        (["in.pubtator", "no/x.jsonl"], "no/x.jsonl: No such file or directory"),
        ([".", "x.jsonl"], ".: expected a file, found a directory"),
        (["in.pubtator", "."], "no format is known"),
        (["empty.xml", "x.jsonl"], "empty.xml: the file is empty"),
        (["latin.pubtator", "x.jsonl"], "latin.pubtator:1: byte 0xf6"),
        (["cut.bioc.json", "x.jsonl"], "is the file truncated?"),
        (["cut.bioc.xml", "x.jsonl"], "the file is truncated"),
        (["unknown.pubtator", "x.jsonl"], "names the unknown concept 'D9'"),
    ],
)
def test_bad_input_is_one_line(source, tmp_path, monkeypatch, arguments, message):
    """The whole command: exit status 1 with one line for stderr, and no new file."""
    (tmp_path / "empty.xml").touch()
    (tmp_path / "latin.pubtator").write_bytes("1|t|Sjögren\n1|a|x\n\n".encode("latin-1"))
    (tmp_path / "cut.bioc.json").write_text('{"documents": [{"id": "1", "passages": [')
    (tmp_path / "cut.bioc.xml").write_text("<collection><document><id>1</id>")
    (tmp_path / "unknown.pubtator").write_text("1|t|A\n1|a|B\n1\tBind\tD9\tD9\tNovel\n\n")
    before = sorted(tmp_path.iterdir())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["bluered", "convert", *arguments])
    with pytest.raises(SystemExit) as stopped:
        main()
    line = str(stopped.value.code)  # a text: Python prints it to stderr and exits with 1
    assert line.startswith("bluered: ")
    assert message in line
    assert "\n" not in line
    assert sorted(tmp_path.iterdir()) == before


def test_pipes(source, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "bluered", "convert", "-", "-", "--to", "bioc-json"],
        input=GOOD,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["documents"][0]["id"] == "1"
    assert done.stderr == "- -> -: 1 document\n"
