"""`bluered bench biored --calibration` and `--errors`: with a model, and with any system's file."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from bluered.documents.document import Document
from bluered.formats.files import read_file, write_file


@pytest.fixture
def bluered(monkeypatch, data_dir, command_line):
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    return command_line


def doubtful(document: Document) -> Document:
    """Return gold with confidences, the last of each kind wrong."""
    entities = [replace(e, confidence=0.9) for e in document.entities]
    entities[-1] = replace(entities[-1], type="CellLine")
    relations = [replace(r, confidence=0.8, novelty_confidence=0.7) for r in document.relations]
    if relations:
        relations[-1] = replace(
            relations[-1], type="Conversion", novel=not relations[-1].novel, confidence=0.3
        )
    return replace(document, entities=tuple(entities), relations=tuple(relations))


@pytest.fixture
def gold(data_dir) -> list[Document]:
    return list(read_file(data_dir / "biored" / "Dev.PubTator"))[:12]


@pytest.fixture
def predictions(gold, tmp_path) -> Path:
    write_file(map(doubtful, gold), tmp_path / "system.jsonl")
    return tmp_path / "system.jsonl"


def test_a_file_is_analysed(bluered, predictions, gold, tmp_path):
    picture = tmp_path / "c.svg"
    asked = ("bench", "biored", "--split", "dev", "--predictions", predictions)
    status, out, err = bluered(*asked, "--calibration", picture, "--errors", "--json")
    assert status == 0, err
    result = json.loads(out)
    found = result["calibration"]
    assert found["mentions"]["mean_confidence"] == pytest.approx(0.9)
    wrong = found["mentions"]["predictions"] * (1 - found["mentions"]["accuracy"])
    assert wrong == pytest.approx(sum(d.entities[-1].type != "CellLine" for d in gold))
    ends = sum(bool(d.relations) for d in gold)
    low = found["relations"]["bins"][2]
    assert (low["predictions"], low["accuracy"]) == (ends, 0)
    assert found["novelty"]["error"] == pytest.approx(abs(0.7 - found["novelty"]["accuracy"]))
    assert "system.jsonl: can its confidences be believed?" in picture.read_text("utf-8")
    pairs = [one for one in result["errors"]["confusion"] if one["predicted"] == "Conversion"]
    assert sum(one["pairs"] for one in pairs) == ends
    types = result["errors"]["mentions"]
    assert (
        sum(c["tp"] for seen in types.values() for c in seen.values())
        == (result["ner"]["overall"]["tp"])
    )
    _, text, _ = bluered(*asked, "--calibration", picture, "--errors")
    for title in (
        "Confidences: can they be believed?",
        "Mentions by type, and by whether BioRED train has the name",
        "Relations by where both concepts are mentioned",
        "Types of relations: gold in rows, predicted in columns",
    ):
        assert title in text


class Asked:
    """A model that answers with doubtful gold, apart for text and for given entities."""

    def __init__(self, gold: list[Document]) -> None:
        self.answers = {one.id: doubtful(one) for one in gold}

    def tag(self, documents, *, on_error=None):
        for one in documents:
            yield replace(self.answers[one.id], relations=())

    def link(self, documents, *, on_error=None):
        yield from documents

    def relate(self, documents, *, on_error=None):
        for one in documents:
            yield replace(one, relations=self.answers[one.id].relations if one.entities else ())


def test_a_model_is_analysed_with_mentions_from_text_and_relations_of_gold(
    bluered, monkeypatch, data_dir, tmp_path
):
    from bluered.cli import bench_biored
    from bluered.pipeline import load

    gold = list(read_file(data_dir / "biored" / "Dev.PubTator"))
    model = Asked(gold)
    monkeypatch.setattr(load, "load", lambda path=None: model)
    monkeypatch.setattr(bench_biored, "_name_and_hash", lambda path: ("asked-1", "abc", ()))
    status, out, err = bluered(
        "bench", "biored", "--split", "dev", "--no-end-to-end", "--json", "--errors",
        "--calibration", tmp_path / "c.svg",
    )  # fmt: skip
    result = json.loads(out)
    assert (status, err) == (0, "")
    assert result["calibration"]["mentions"]["mean_confidence"] == pytest.approx(0.9)
    assert result["calibration"]["relations"]["without_confidence"] == 0
    assert "one sentence" in result["errors"]["relations"]["sentence"]


def test_a_file_without_confidences_is_told(bluered, data_dir, tmp_path):
    picture = tmp_path / "c.svg"
    status, out, err = bluered(
        "bench", "biored", "--split", "dev", "--calibration", picture,
        "--predictions", data_dir / "biored" / "Dev.PubTator",
    )  # fmt: skip
    assert status == 0
    assert err == "warning: the predictions have no confidences: there is nothing to calibrate\n"
    assert "there is nothing to calibrate" in out
    assert "none given" in picture.read_text("utf-8")


def test_a_score_that_is_no_probability_is_told_in_one_line(bluered, gold, tmp_path):
    odd = [replace(gold[0], entities=(replace(gold[0].entities[0], confidence=12.5),))]
    write_file([replace(odd[0], relations=())], tmp_path / "odd.jsonl")
    picture = tmp_path / "c.svg"
    status, out, err = bluered(
        "bench", "biored", "--split", "dev", "--predictions", tmp_path / "odd.jsonl",
        "--calibration", picture,
    )  # fmt: skip
    assert (status, out) == (1, "")
    assert "the confidence of a mention is 12.5" in err.splitlines()[-1]
    assert not picture.exists()


@pytest.mark.parametrize("option", [("--errors",), ("--calibration", "c.svg")])
def test_other_tasks_have_no_such_analysis(bluered, monkeypatch, tmp_path, option):
    monkeypatch.chdir(tmp_path)
    status, _, err = bluered("bench", "hoc", *option)
    assert (status, len(err.splitlines())) == (1, 1)
    assert "are for `bluered bench biored`" in err
    assert not list(tmp_path.iterdir())
