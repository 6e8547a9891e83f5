"""`bluered bench biored` with predictions from a file and with a model."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from bluered.documents.document import Document
from bluered.formats.files import read_file, write_file


@pytest.fixture
def bluered(monkeypatch, data_dir, command_line):
    """Run the command line on the real corpora; returns exit status, stdout and stderr."""
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))

    return command_line


@pytest.fixture
def predictions(data_dir, tmp_path) -> Path:
    """Test gold with every third document's relations left out."""
    gold = read_file(data_dir / "biored" / "Test.PubTator")
    kept = (replace(d, relations=()) if n % 3 == 0 else d for n, d in enumerate(gold))
    write_file(kept, tmp_path / "system.pubtator")
    return tmp_path / "system.pubtator"


def test_predictions_of_any_system_are_scored(bluered, predictions, tmp_path):
    saved = tmp_path / "out.json"
    status, out, err = bluered(
        "bench", "biored", "--predictions", predictions, "--json", "-o", saved
    )
    result = json.loads(out)
    assert (status, err) == (0, "")
    assert json.loads(saved.read_text()) == result
    assert result["ner"]["overall"]["f1"] == 1
    pair = result["relations"]["pair"]
    assert (pair["precision"], pair["fp"]) == (1, 0)
    assert pair["interval"][0] < pair["f1"] < pair["interval"][1] < 1
    assert "split:test|system:system.pubtator|align:ids|docs:100|gold:" in result["signature"]
    assert {row["system"] for row in result["published"]} >= {"BiLSTM-CRF", "PubMedBERT"}


def test_the_papers_tables_are_printed(bluered, predictions):
    _, out, _ = bluered("bench", "biored", "--predictions", predictions)
    for words in ("PubMedBERT-CRF", "89.3", "72.9", "Disease-Gene", "Positive_Correlation"):
        assert words in out
    _, markdown, _ = bluered("bench", "biored", "--predictions", predictions, "--markdown")
    assert "| PubMedBERT-CRF | 89.3 |" in markdown


class Gold:
    """A model that knows the answers, with local ids when it reads text alone."""

    def __init__(self, path: Path) -> None:
        self.answers = {d.id: d for d in read_file(path)}

    def tag(self, documents, *, on_error=None):
        for document in documents:
            assert not document.entities
            assert not document.relations
            yield replace(self.answers[document.id], relations=())

    def relate(self, documents, *, on_error=None):
        for document in documents:
            assert document.entities
            assert not document.relations
            yield replace(document, relations=self.answers[document.id].relations)

    def pipe(self, texts, *, on_error=None):
        for number, document in enumerate(texts):
            assert not document.entities
            if number == 0 and on_error is not None:
                on_error(document, ValueError("too hard"))
                yield document
            else:
                yield self.local(self.answers[document.id])

    def local(self, document: Document) -> Document:
        return replace(
            document,
            entities=tuple(
                replace(e, concepts=tuple(f"local:{c}" for c in e.concepts))
                for e in document.entities
            ),
            relations=tuple(
                replace(r, head=f"local:{r.head}", tail=f"local:{r.tail}")
                for r in document.relations
            ),
        )


@pytest.fixture
def oracle(monkeypatch, data_dir):
    from bluered.cli import bench_biored as bench
    from bluered.pipeline import load

    model = Gold(data_dir / "biored" / "Dev.PubTator")
    monkeypatch.setattr(load, "load", lambda path=None: model)
    monkeypatch.setattr(bench, "_name_and_hash", lambda path: ("oracle-1", "abc", ()))


def test_a_model_is_scored_in_three_parts(bluered, oracle):
    status, out, err = bluered("bench", "biored", "--split", "dev", "--json")
    result = json.loads(out)
    assert status == 0
    assert "failed and counts as empty: too hard" in err
    assert result["ner"]["overall"]["f1"] == 1
    assert result["relations"]["all"]["f1"] == 1
    assert 0.9 < result["end_to_end"]["pair"]["f1"] < 1
    assert "system:oracle-1|model:abc|align:mentions" in result["signature"]


def test_end_to_end_can_be_left_out(bluered, oracle):
    status, out, _ = bluered("bench", "biored", "--split", "dev", "--json", "--no-end-to-end")
    assert status == 0
    assert "end_to_end" not in json.loads(out)


def test_model_and_predictions_exclude_each_other(bluered, predictions):
    status, _, err = bluered(
        "bench", "biored", "--predictions", predictions, "--model", predictions
    )
    assert (status, len(err.splitlines())) == (1, 1)
    assert "exclude each other" in err


def test_a_changed_gold_is_told(bluered, predictions, data_dir, tmp_path, monkeypatch):
    (tmp_path / "biored").mkdir()
    for name in ("Train", "Dev", "Test"):
        content = (data_dir / "biored" / f"{name}.PubTator").read_bytes()
        (tmp_path / "biored" / f"{name}.PubTator").write_bytes(content.replace(b"Novel", b"No", 1))
    monkeypatch.setenv("BLUERED_DATA", str(tmp_path))
    status, _, err = bluered("bench", "biored", "--predictions", predictions)
    assert status == 0
    assert f"warning: {tmp_path / 'biored' / 'Test.PubTator'} is not the published test" in err


def test_an_output_that_cannot_be_written_is_told_before_work(bluered, tmp_path):
    status, out, err = bluered(
        "bench", "biored", "--model", tmp_path / "none", "-o", tmp_path / "no" / "x.json"
    )
    assert (status, out, len(err.splitlines())) == (1, "", 1)
    assert "x.json" in err


def test_test_documents_that_were_trained_on_are_named_and_left_out(bluered, predictions):
    status, out, err = bluered(
        "bench", "biored", "--predictions", predictions, "--trained-on", "bc5cdr:train", "--json"
    )
    assert status == 0
    said = "warning: biored:test: 10 of 100 stand in what the model was trained on"
    assert err == f"{said}: bc5cdr:train (10)\n"
    seen = json.loads(out)["seen_in_training"]
    assert seen["documents"] == 10
    whole = json.loads(out)["relations"]["pair"]
    rest = seen["scores_without"]["relations.pair"]
    assert 0 < rest["tp"] + rest["fn"] < whole["tp"] + whole["fn"]
    _, text, _ = bluered(
        "bench", "biored", "--predictions", predictions, "--trained-on", "bc5cdr:train"
    )
    assert "F1 without the 10 documents that the model was trained on" in text
    assert "other 90" in text


def test_the_card_of_the_shipped_model_is_clean(bluered, oracle, monkeypatch):
    from bluered.cli import bench_biored
    from bluered.inference.bundle import load_bundle

    card = load_bundle().settings.trained_on
    assert card == ("biored:train",)
    monkeypatch.setattr(bench_biored, "_name_and_hash", lambda path: ("oracle-1", "abc", card))
    status, out, err = bluered("bench", "biored", "--split", "dev", "--json")
    assert status == 0
    assert "trained on" not in err
    assert json.loads(out)["seen_in_training"]["documents"] == 0


def test_a_model_whose_card_names_the_test_split_is_told(bluered, oracle, monkeypatch):
    from bluered.cli import bench_biored

    card = ("biored:dev", "bc5cdr:train")
    monkeypatch.setattr(bench_biored, "_name_and_hash", lambda path: ("oracle-1", "abc", card))
    status, out, err = bluered("bench", "biored", "--split", "dev", "--json")
    assert status == 0
    assert "warning: biored:dev: 100 of 100 stand in what the model was trained on" in err
    assert "scores_without" not in json.loads(out)["seen_in_training"]
