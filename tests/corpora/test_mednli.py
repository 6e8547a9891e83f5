"""MedNLI: JSON lines, the zip they come in, and the two orders of BLUE's columns."""

import json
import zipfile
from pathlib import Path

import pytest

from bluered.corpora.catalog import corpus
from bluered.corpora.mednli import read
from bluered.corpora.source import Source
from bluered.errors import CorpusError, FormatError

ORIGINALS = json.loads((Path(__file__).parent / "blue_originals.json").read_text("utf-8"))
SPLITS = ("train", "dev", "test")


def pairs(split, path):
    return list(read(Source(corpus("mednli"), split, (path,))))


@pytest.fixture
def folder(invented):
    return invented("mednli")


@pytest.mark.parametrize("split", SPLITS)
def test_pairs_are_those_of_the_original_script(folder, split) -> None:
    found = pairs(split, folder / f"mli_{split}_v1.jsonl")
    rows = [[p.id, p.first, p.second, p.label] for p in found]
    assert rows == ORIGINALS["mednli"][split]


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("name", ["mednli_blue", "mednli_bluebert"])
def test_both_orders_of_columns_give_the_same(folder, invented, split, name) -> None:
    derived = invented(name)
    assert pairs(split, derived / f"{split}.tsv") == pairs(split, folder / f"mli_{split}_v1.jsonl")


def test_the_zip_is_read_as_it_is(folder, tmp_path) -> None:
    archive = tmp_path / "mednli.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        for path in folder.iterdir():
            zipped.write(path, f"mednli-1.0.0/{path.name}")
        zipped.writestr("__MACOSX/mednli-1.0.0/._mli_dev_v1.jsonl", b"\0\1")
    assert pairs("dev", archive) == pairs("dev", folder / "mli_dev_v1.jsonl")


def test_a_zip_without_the_split_is_told(tmp_path) -> None:
    archive = tmp_path / "mednli.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.writestr("LICENSE.txt", "none")
    with pytest.raises(CorpusError, match=r"mednli\.zip has 0 members named mli_dev_v1\.jsonl"):
        pairs("dev", archive)


GOOD = {"pairID": "1", "gold_label": "neutral", "sentence1": "a secret", "sentence2": "b"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gold_label": "a secret"}, "gold_label to be one of"),
        ({"gold_label": None}, "gold_label"),
        ({"pairID": 7}, "pairID"),
        ({"pairID": "0"}, r"the pair's id stands in line 1 too"),
    ],
)
def test_a_fault_is_told_by_line_without_the_text(folder, change, message) -> None:
    path = folder / "mli_dev_v1.jsonl"
    lines = [GOOD | {"pairID": "0"}, GOOD | change]
    path.write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(FormatError, match=message) as caught:
        pairs("dev", path)
    assert f"{path}:2:" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_broken_line_is_told_without_the_text(folder) -> None:
    path = folder / "mli_dev_v1.jsonl"
    path.write_text('{"pairID": "a secret')
    with pytest.raises(FormatError, match=r"mli_dev_v1\.jsonl:1: .* no JSON") as caught:
        pairs("dev", path)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("row", ["1\ta secret\tb\tneutral", "neutral\t1\ta secret\tb"])
def test_a_table_without_header_is_refused(folder, row) -> None:
    path = folder / "train.tsv"
    path.write_text(f"{row}\n")
    with pytest.raises(FormatError, match=r"train\.tsv:1: expected a header") as caught:
        pairs("train", path)
    assert "secret" not in str(caught.value)


def test_a_table_of_something_else_is_refused(folder) -> None:
    path = folder / "train.tsv"
    path.write_text("index\tsentence1\tsentence2\tscore\n1\ta secret\tb\t3.5\n")
    with pytest.raises(FormatError, match=r"train\.tsv:2: expected four columns") as caught:
        pairs("train", path)
    assert "secret" not in str(caught.value)
