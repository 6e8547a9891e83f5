"""`bluered annotate` with a pipeline of rules: inputs, outputs, bad input, reports."""

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from bluered.cli.main import main
from bluered.formats import read_file
from bluered.pipeline.load import cores

TEXT = "BRCA1 in breast cancer\n\nOlaparib slows breast cancers. MCF-7 cells lack BRCA1.\n"
PUBTATOR = (
    "1|t|BRCA1 in breast cancer\n1|a|Olaparib helps.\n"
    "1\t0\t5\tBRCA1\tGeneOrGeneProduct\t672\n"
    "1\t9\t22\tbreast cancer\tDiseaseOrPhenotypicFeature\t-\n\n"
)


@pytest.fixture
def run(monkeypatch, capfd, nlp):
    """Run a command line; give exit status, stdout and stderr."""
    loaded = []

    def load(model, *, threads, processes, terms):
        assert processes == threads
        loaded.append((model, threads, terms))
        return nlp

    monkeypatch.setattr("bluered.pipeline.load.load", load)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: object, stdin: str | None = None):
        if stdin is not None:
            binary = SimpleNamespace(buffer=io.BytesIO(stdin.encode()), isatty=lambda: False)
            monkeypatch.setattr(sys, "stdin", binary)
        monkeypatch.setattr(sys, "argv", ["bluered", "annotate", *map(str, arguments)])
        try:
            main()
            status = 0
        except SystemExit as stop:
            status = stop.code
            if isinstance(status, str):
                sys.stderr.write(status + "\n")
                status = 1
        out, err = capfd.readouterr()
        return SimpleNamespace(status=status or 0, out=out, err=err, loaded=loaded)

    return run


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "one.txt"
    path.write_text(TEXT)
    return path


def test_jsonl_on_a_pipe(run, text):
    result = run(text)
    assert result.status == 0
    (document,) = [json.loads(line) for line in result.out.splitlines()]
    assert document["id"] == "one"
    assert {e["text"] for e in document["entities"]} >= {"BRCA1", "Olaparib", "MCF-7"}
    assert document["relations"]
    assert result.err.startswith("1 document: 6 mentions (0 linked, 6 with a local id), ")


def test_standard_input(run):
    assert '"text":"BRCA1 alone' in run("-", stdin="BRCA1 alone\n").out


@pytest.mark.parametrize(
    "name", ["o.pubtator", "o.bioc.xml", "o.bioc.json", "o.jsonl", "o.jsonl.gz"]
)
def test_every_format_by_its_ending(run, text, tmp_path, name):
    assert run(text, "-o", tmp_path / name).status == 0
    (document,) = read_file(tmp_path / name)
    assert [e.text for e in document.entities][:2] == ["BRCA1", "breast cancer"]
    assert document.relations
    assert document.entities[0].concepts == ("local:brca1",)


def test_what_a_format_cannot_hold_is_counted(run, text, tmp_path):
    assert "pubtator cannot hold: " in run(text, "-o", tmp_path / "o.pubtator").err


def test_brat_folder(run, text, tmp_path):
    assert run(text, "--format", "brat", "-o", tmp_path / "out").status == 0
    (document,) = read_file(tmp_path / "out", "brat")
    assert len(document.entities) == 6


def test_page(run, text, tmp_path):
    assert run(text, "-o", tmp_path / "o.html").status == 0
    page = (tmp_path / "o.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "Olaparib" in page
    assert "model rules" in page


def test_terminal_view_to_a_pipe_and_a_file(run, text, tmp_path):
    result = run(text, "--format", "terminal")
    assert "[BRCA1]G in [breast cancer]D" in result.out
    assert "\x1b" not in result.out
    assert run(text, "--format", "terminal", "-o", tmp_path / "o.log").status == 0
    assert (tmp_path / "o.log").read_text() == result.out


def test_given_entities_are_kept(run, tmp_path):
    path = tmp_path / "in.pubtator"
    path.write_text(PUBTATOR)
    result = run(path, "--given-entities")
    document = json.loads(result.out)
    assert [e["text"] for e in document["entities"]] == ["BRCA1", "breast cancer"]
    assert [(r["head"], r["tail"]) for r in document["relations"]] == [
        ("672", "local:breast-cancer")
    ]


def test_given_entities_without_any(run, text):
    assert "the input has no entities" in run(text, "--given-entities").err


def test_options_reach_the_pipeline(run, text):
    assert run(text, "--threads", 2, "--model", "m").loaded == [(Path("m"), 2, None)]


@pytest.mark.parametrize(
    ("options", "terms"),
    [(["--terms", "full"], "full"), (["--no-terms"], "none"), (["--terms", "none"], "none")],
)
def test_the_terminology_reaches_the_pipeline(run, text, options, terms):
    assert run(text, *options).loaded == [(None, cores(), terms)]


def test_a_terminology_and_none_is_a_wrong_use(run, text):
    result = run(text, "--terms", "full", "--no-terms")
    assert (result.status, result.loaded) == (2, [])
    assert "exclude each other" in result.err


def test_linked_mentions_are_counted_and_told_of(run, text, monkeypatch, linking_nlp, tmp_path):
    assert "6 mentions (0 linked, 6 with a local id)" in run(text).err
    monkeypatch.setattr("bluered.pipeline.load.load", lambda *_, **__: linking_nlp())
    text.write_text(TEXT.replace("Olaparib", "BRCA1 XQZ"))
    result = run(text)
    assert "6 mentions (6 linked, 0 with a local id)" in result.err
    gene = json.loads(result.out)["entities"][0]
    assert gene["concepts"] == ["672"]
    assert gene["infons"].keys() == {"concept_name", "match", "score"}
    shown = " ".join(run(text, "--format", "terminal").out.split())
    assert "[breast cancer]D D001943 Breast Neoplasms exact synonym" in shown


@pytest.mark.parametrize("terms", ["nosuch", "no/such/folder"])
def test_a_terminology_that_is_not_there_is_one_line(monkeypatch, capfd, text, terms):
    monkeypatch.setattr(sys, "argv", ["bluered", "annotate", str(text), "--terms", terms])
    with pytest.raises(SystemExit) as stop:
        main()
    assert str(stop.value).startswith("bluered: ")
    assert terms in str(stop.value)
    assert "\n" not in str(stop.value)
    assert capfd.readouterr().out == ""


def test_several_inputs_in_order(run, text, tmp_path):
    other = tmp_path / "in.pubtator"
    other.write_text(PUBTATOR)
    assert [json.loads(line)["id"] for line in run(other, text).out.splitlines()] == ["1", "one"]


BAD = {
    "truncated.xml": (b"<collection><document><id>1</id>", "truncated.xml"),
    "truncated.bioc.json": (b'{"documents": [{"id": "1"', "truncated.bioc.json"),
    "latin.txt": (b"caf\xe9 BRCA1", "latin.txt:1: byte 0xe9"),
    "offsets.pubtator": (
        PUBTATOR.replace("\t0\t5", "\t1\t6").encode(),
        "offsets.pubtator:3, document 1: offsets 1-6",
    ),
    "twice.pubtator": ((PUBTATOR * 2).encode(), "document 1: a document with this id came before"),
    "relation.pubtator": (
        PUBTATOR.replace("\n\n", "\n1\tBind\t672\t999\tNovel\n\n").encode(),
        "names the unknown concept '999'",
    ),
    "empty.pubtator": (b"", "empty.pubtator: the file is empty"),
    "empty.txt": (b"", "empty.txt: the file is empty"),
    "unknown.xyz": (b"BRCA1", "unknown.xyz: the format is not recognised"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "content", "message"), [(n, *c) for n, c in BAD.items()])
def test_bad_input_is_one_line_and_leaves_nothing(run, tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    result = run(path, "-o", tmp_path / "out.jsonl")
    assert result.status == 1
    assert result.err.count("\n") == 1
    assert message in result.err
    assert sorted(p.name for p in tmp_path.iterdir()) == [name]


def test_missing_file_and_directory(run, tmp_path, text):
    result = run(text, tmp_path / "none.txt")
    assert (result.status, result.out, result.loaded) == (1, "", [])
    assert result.err == f"bluered: {tmp_path / 'none.txt'}: No such file or directory\n"
    (tmp_path / "folder").mkdir()
    result = run(tmp_path / "folder")
    assert result.status == 1
    assert result.err.count("\n") == 1
    assert "folder" in result.err


@pytest.mark.parametrize("arguments", [["--format", "jsnl"], ["-o", "out.txt"], ["-o", "out"]])
def test_unknown_output_format(run, text, arguments):
    result = run(text, *arguments)
    assert (result.status, result.loaded) == (1, [])
    assert "format to annotate to" in result.err
    assert not Path(arguments[-1]).exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_disk_full(run, text):
    result = run(text, "--format", "jsonl", "-o", "/dev/full")
    assert result.status == 1
    assert "No space left on device" in result.err


def test_keep_going_skips_counts_and_lists(run, text, tmp_path):
    bad = tmp_path / "bad.pubtator"
    second = PUBTATOR.replace("1|", "2|").replace("\n1\t", "\n2\t")
    bad.write_text(PUBTATOR.replace("\t0\t5", "\t1\t6") + second + second)
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    result = run(bad, empty, text, "--keep-going", "-o", tmp_path / "out.jsonl")
    assert result.status == 0
    assert [d.id for d in read_file(tmp_path / "out.jsonl")] == ["2", "one"]
    assert "skipped: 3 documents" in result.err
    assert "offsets 1-6" in result.err
    assert "a document with this id came before" in result.err


def test_keep_going_with_nothing_good(run, tmp_path):
    bad = tmp_path / "bad.pubtator"
    bad.write_text(PUBTATOR.replace("\t0\t5", "\t1\t6"))
    result = run(bad, "--keep-going")
    assert result.status == 1
    assert "skipped: 1 document\n" in result.err


def test_a_text_the_model_cannot_bear(run, text, tmp_path):
    bad = tmp_path / "bad.txt"
    bad.write_text("BREAK BRCA1")
    out = tmp_path / "out.jsonl"
    result = run(bad, text, "-o", out)
    assert result.status == 1
    assert "not annotated: 1 document\n  document bad: ValueError" in result.err
    assert [bool(d.entities) for d in read_file(out)] == [False, True]
    assert run(bad, text, "-o", out, "--keep-going").status == 0


@pytest.mark.parametrize(
    "content",
    [
        "BRCA1\r\n\r\nMCF-7 cells\r\n",
        "\ufeffBRCA1 cells",
        "\u2028BRCA1\u2028x",
        "\U0001f9ecBRCA1",
        "e\u0301\tBRCA1",
    ],
)
def test_odd_characters_shift_no_offset(run, tmp_path, content):
    path = tmp_path / "odd.txt"
    path.write_bytes(content.encode())
    out = tmp_path / "out.jsonl"
    assert run(path, "-o", out).status == 0
    (document,) = read_file(out)  # checks that every mention equals its text
    assert "BRCA1" in [e.text for e in document.entities]


def test_a_folder_that_is_not_there_is_told_before_work(run, text, tmp_path, nlp, monkeypatch):
    def pipe(documents, *, given_entities, on_error):
        for _ in documents:
            raise AssertionError("annotated first")
        yield

    monkeypatch.setattr(nlp, "pipe", pipe)
    for name in ("o.html", "o.jsonl", "o.xml"):
        result = run(text, "-o", tmp_path / "none" / name)
        assert (result.status, result.err.count("\n")) == (1, 1)
        assert name in result.err


def test_an_input_without_a_name(run):
    result = run("")
    assert (result.status, result.err.count("\n")) == (1, 1)
    assert "empty name" in result.err
