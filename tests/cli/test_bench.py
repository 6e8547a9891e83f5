"""`bluered bench biored` with predictions from a file and with a model."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from bluered.documents.document import Document
from bluered.formats.files import read_file, write_file
from bluered.tasks.biored.evaluate import without_ids


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
    """A model that knows the answers, with local ids for mentions that have none."""

    def __init__(self, path: Path) -> None:
        self.answers = {d.id: d for d in read_file(path)}

    def tag(self, documents, *, on_error=None):
        for number, document in enumerate(documents):
            assert not document.entities
            assert not document.relations
            if number == 0 and on_error is not None:
                on_error(document, ValueError("too hard"))
                yield document
            else:
                yield without_ids(self.answers[document.id])

    def link(self, documents, *, on_error=None):
        for document in documents:
            assert not any(e.concepts for e in document.entities)
            known = self.named(self.answers[document.id])
            yield replace(known, entities=known.entities[: len(document.entities)], relations=())

    def relate(self, documents, *, on_error=None):
        for document in documents:
            assert not document.relations
            local = any(c.startswith("local:") for e in document.entities for c in e.concepts)
            answer = self.answers[document.id]
            found = (self.local(answer) if local else answer).relations
            yield replace(document, relations=found if document.entities else ())

    def named(self, document: Document) -> Document:
        return self.local(document)

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


class GoldLinked(Gold):
    """The same with the gold's ids."""

    def named(self, document: Document) -> Document:
        return document


@pytest.fixture
def oracle(request, monkeypatch, data_dir):
    from bluered.cli import bench_biored as bench
    from bluered.pipeline import load

    model = getattr(request, "param", Gold)(data_dir / "biored" / "Dev.PubTator")
    monkeypatch.setattr(load, "load", lambda path=None: model)
    monkeypatch.setattr(bench, "_name_and_hash", lambda path: ("oracle-1", "abc", ()))


def test_a_model_is_scored_in_parts(bluered, oracle):
    status, out, err = bluered("bench", "biored", "--split", "dev", "--json")
    result = json.loads(out)
    assert status == 0
    assert "failed and counts as empty: too hard" in err
    assert 0.9 < result["ner"]["overall"]["f1"] < 1
    assert result["relations"]["all"]["f1"] == 1
    assert result["end_to_end"]["pair"]["f1"] == 0
    assert 0.9 < result["end_to_end_mentions"]["pair"]["f1"] < 1
    assert "waterfall" not in result
    assert "system:oracle-1|model:abc|align:ids" in result["signature"]


@pytest.mark.parametrize("oracle", [GoldLinked], indirect=True)
def test_end_to_end_tells_which_step_lost_what(bluered, oracle, tmp_path):
    picture = tmp_path / "w.svg"
    asked = ("bench", "biored", "--split", "dev", "--end-to-end")
    status, out, _ = bluered(*asked, "--json", "--waterfall", picture)
    result = json.loads(out)
    assert status == 0
    assert result["linking"]["overall"]["f1"] == 1
    pair = result["end_to_end"]["pair"]
    assert 0.9 < pair["f1"] < 1
    losses = {stage: loss["lost"] for stage, loss in result["losses"].items()}
    assert losses["mentions"] == pytest.approx(1 - pair["f1"])
    assert [losses[s] for s in ("ids", "pair", "type", "novelty")] == pytest.approx([0] * 4)
    assert "oracle-1: where relations from text are lost" in picture.read_text("utf-8")
    _, text, _ = bluered(*asked)
    for title in (
        "Concepts of documents: type and id",
        "Ids of gold mentions",
        "Where relations from text are lost",
        "Each stage alone, on gold input",
        "Relations by what they were found from: F1",
        "concepts aligned by mentions instead: F1 pair",
    ):
        assert title in text


def test_predictions_from_text_are_charged_to_their_steps(bluered, predictions, tmp_path):
    picture = tmp_path / "w.svg"
    status, out, _ = bluered(
        "bench", "biored", "--predictions", predictions, "--waterfall", picture, "--json"
    )
    result = json.loads(out)
    assert status == 0
    assert "relations" not in result
    assert [stage for stage, loss in result["losses"].items() if loss["lost"]] == ["pair"]
    assert "<svg" in picture.read_text("utf-8")


def test_a_waterfall_without_relations_from_text_is_refused(bluered, predictions, tmp_path):
    picture = tmp_path / "w.svg"
    for task in (("biored", "--no-end-to-end"), ("hoc",)):
        status, _, err = bluered("bench", *task, "--waterfall", picture)
        assert (status, len(err.splitlines())) == (1, 1)
        assert "--waterfall is for `bluered bench biored --end-to-end`" in err
    assert not picture.exists()


def test_end_to_end_can_be_left_out(bluered, oracle):
    status, out, _ = bluered("bench", "biored", "--split", "dev", "--json", "--no-end-to-end")
    assert status == 0
    assert "end_to_end" not in json.loads(out)
    assert "losses" not in json.loads(out)


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
    assert "biored:train" in card
    others = [name for name in card if name != "biored:train"]
    assert all(name.endswith(" without biored:dev and biored:test") for name in others)
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
