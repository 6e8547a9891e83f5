"""`bluered doctor` prints what is wrong and repairs it; its status says whether errors stay."""

import json

import pytest
from typer.testing import CliRunner

from bluered.cli.main import app

CLEAN = "1|t|A mouse\n1|a|Ran\n1\t2\t7\tmouse\tSpecies\t10090\n\n"
SHIFTED = CLEAN.replace("\t2\t7\t", "\t3\t8\t")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "x.pubtator"
    path.write_text(SHIFTED)
    return path


def run(*arguments, **options):
    return CliRunner().invoke(app, ["doctor", *map(str, arguments)], **options)


def test_clean(file):
    file.write_text(CLEAN)
    result = run(file)
    assert result.exit_code == 0
    assert result.stdout == f"{file}: no faults\n"


def test_errors_are_named_by_line(file):
    result = run(file)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "error shifted-offsets: offsets that are off by some characters (1)",
        "  line 3, document 1: 'mouse': 3-8 -> 2-7",
        f"{file}: 1 error; 1 repairable (--fix)",
    ]


def test_warnings_alone_are_status_0(file):
    file.write_text(CLEAN.rstrip())
    result = run(file)
    assert result.exit_code == 0
    assert "warning no-final-newline" in result.stdout


def test_fix(file, tmp_path):
    result = run(file, "--fix")
    assert result.exit_code == 0
    assert (tmp_path / "x.fixed.pubtator").read_text() == CLEAN
    assert file.read_text() == SHIFTED
    assert f"repaired copy: {tmp_path / 'x.fixed.pubtator'} (0 errors left)" in result.stdout


def test_fix_to_a_name_and_to_a_pipe(file, tmp_path):
    assert run(file, "-o", tmp_path / "y").exit_code == 0
    assert (tmp_path / "y").read_text() == CLEAN
    result = run("-", "--fix", input=SHIFTED)
    assert result.exit_code == 0
    assert result.stdout == CLEAN
    assert "repaired copy: -" in result.stderr


def test_what_cannot_be_repaired_keeps_status_1(file, tmp_path):
    file.write_text(CLEAN.replace("mouse\tSpecies", "kitten\tSpecies"))
    result = run(file, "--fix")
    assert result.exit_code == 1
    assert "[not repairable]" in result.stdout
    assert "(1 errors left)" in result.stdout


def test_json(file):
    report = json.loads(run(file, "--json").stdout)
    assert report["errors_left"] == 1
    assert report["findings"] == [
        {
            "code": "shifted-offsets",
            "severity": "error",
            "line": 3,
            "document": "1",
            "what": "'mouse': 3-8 -> 2-7",
            "repairable": True,
        }
    ]


def test_many_findings_are_shortened_unless_all_are_wanted(file):
    file.write_text("1|t|A mouse\n1|a|Ran\n" + "1\t2\t7\tmouse\tSpecies\t-\n" * 9 + "\n")
    assert "... and 3 more (--all)" in run(file).stdout
    assert "more (--all)" not in run(file, "--all").stdout


def test_no_repair_for_text(tmp_path):
    path = tmp_path / "x.conll"
    path.write_text("a O\nb\n")
    assert run(path).exit_code == 1
    result = run(path, "--fix")
    assert "no repair for conll" in str(result.exception)


def test_an_empty_file(tmp_path):
    path = tmp_path / "x.pubtator"
    path.touch()
    result = run(path)
    assert result.exit_code == 1
    assert "the file is empty" in str(result.exception)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("ner_pubtator/GNormPlus_Train.PubTator", "utf8-offsets"),
        ("ner_pubtator/tmVar3_Train.PubTator", "shifted-offsets"),
        ("ncbi_disease/NCBItrainset_corpus.txt", "duplicate-document"),
        ("bc5cdr/eval_sample/CDR_sample.test.CID.PubTator", "unknown-concept"),
    ],
)
def test_faults_of_published_files(data_dir, tmp_path, path, code):
    """Faults that are in the corpora as they are handed round."""
    report = json.loads(run(data_dir / path, "--json", "-o", tmp_path / "fixed").stdout)
    found = {finding["code"] for finding in report["findings"]}
    assert code in found
    assert report["errors_left"] <= 1


def test_biored_has_no_faults(data_dir):
    report = json.loads(run(data_dir / "biored/Test.PubTator", "--json").stdout)
    assert {finding["severity"] for finding in report["findings"]} == {"note"}
