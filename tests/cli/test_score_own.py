"""`bluered score` of a user's own task: the same file counts alike as a corpus and as `--gold`."""

import json
from pathlib import Path

import pytest

CASES = {
    "ids with underscores": (
        "document-classification",
        ("id", "text", "labels"),
        ["a_1 x p", "a_2 y q", "b_1 z p,q"],
        ["a_1 q", "a_2 p", "b_1 p,q"],
    ),
    "a column of documents": (
        "document-classification",
        ("id", "document", "text", "labels"),
        ["1 D1 x p", "2 D1 y q", "3 D2 z p,q"],
        ["1 q", "2 p", "3 p"],
    ),
    "relations of documents": (
        "relation-extraction",
        ("id", "docid", "text", "label"),
        ["R1 D x p", "R2 D y q", "R3 E z p"],
        ["R1 p", "R2 p", "R3 p"],
    ),
    "relations with dots": (
        "relation-extraction",
        ("id", "text", "label"),
        ["D.1.2 x p", "D.1.3 y q", "E.1.2 z p"],
        ["D.1.2 p", "D.1.3 p", "E.1.2 p"],
    ),
    "a class called none": (
        "document-classification",
        ("id", "text", "labels"),
        ["a x none", "b y NA", "c z yes"],
        ["a none", "b NA", "c NA"],
    ),
}


@pytest.fixture
def bluered(monkeypatch, tmp_path, command_line):
    """Run the command line with an empty list of added corpora; returns status, stdout, stderr."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))

    return command_line


def table(path: Path, header: tuple[str, ...], rows: list[str]) -> Path:
    lines = ["\t".join(header), *("\t".join(row.split()) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("name", CASES)
def test_a_file_is_the_same_gold_as_a_corpus_and_by_itself(bluered, tmp_path, name):
    kind, header, rows, answers = CASES[name]
    gold = table(tmp_path / "gold.tsv", header, rows)
    pred = table(tmp_path / "pred.tsv", ("id", header[-1]), answers)
    entry = tmp_path / "mine.toml"
    entry.write_text(f'[splits]\ntest = "gold.tsv"\n[task]\ntype = "{kind}"\n')
    assert bluered("corpora", "add", entry)[0] == 0

    def result(*arguments: str | Path) -> tuple[float, dict, list[str]]:
        found = json.loads(bluered("score", "mine", *arguments, "--pred", pred, "--json")[1])
        parts = [part for part in found["signature"].split("|") if part != "split:test"]
        return found["score"], found["details"], parts

    assert result() == result("--gold", gold)
    assert 0 < result()[0] < 1


def test_the_hash_of_the_gold_knows_its_documents(bluered, tmp_path):
    kind, header, rows, _ = CASES["a column of documents"]
    gold = table(tmp_path / "gold.tsv", header, rows)
    other = table(tmp_path / "other.tsv", header, [row.replace("D2", "D1") for row in rows])
    (tmp_path / "mine.toml").write_text(f'[splits]\ntest = "gold.tsv"\n[task]\ntype = "{kind}"\n')
    bluered("corpora", "add", tmp_path / "mine.toml")
    found = {bluered("score", "mine", "--gold", f, "--pred", f, "--json")[1] for f in (gold, other)}
    assert len({json.loads(out)["signature"].split("|gold:")[1] for out in found}) == 2
