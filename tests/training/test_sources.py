"""The corpora learned from: their types, what is dropped, and that BioRED dev and test stay out."""

import random
from pathlib import Path

import pytest

from bluered import corpora
from bluered.corpora.overlap import by_text, overlaps
from bluered.corpora.texts import part
from bluered.documents.biored_types import ENTITY_TYPES, GENE, SPECIES
from bluered.errors import CorpusError

pytestmark = pytest.mark.train
pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")

WORDS = "loss gain shift rise fall of in after before swamp river marsh fen bog lake pond".split()


def text(number: int) -> str:
    """Return an invented abstract that shares no phrase with another number's."""
    words = " ".join(random.Random(number).choices(WORDS, k=90))
    return f"Title number {number} of QZ{number}. {words}."


def pubtator(number: int, body: str, *mentions: tuple[str, str]) -> str:
    title, _, abstract = body.partition(". ")
    lines = [f"{number}|t|{title}.", f"{number}|a|{abstract}"]
    for name, kind in mentions:
        start = body.index(name)
        lines.append(f"{number}\t{start}\t{start + len(name)}\t{name}\t{kind}\t1")
    return "\n".join(lines) + "\n"


@pytest.fixture
def data(tmp_path, monkeypatch) -> Path:
    """BioRED of invented documents 10000001 (train), ...2 (dev), ...3 (test), and room for more."""
    monkeypatch.setenv("BLUERED_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "biored").mkdir()
    (tmp_path / "ner_pubtator").mkdir()
    for number, split in enumerate(("Train", "Dev", "Test"), start=1):
        body = pubtator(10_000_000 + number, text(number), (f"QZ{number}", GENE))
        (tmp_path / "biored" / f"{split}.PubTator").write_text(body + "\n")
    return tmp_path


def learned(name: str) -> list[str]:
    from bluered.training.sources import examples

    return [example.document.id for example in examples(name)]


def test_documents_of_dev_and_test_and_copies_of_train_are_dropped(data):
    shouted = text(2).replace("swamp", "SWAMP").replace(" in ", " In  ")
    held = [
        pubtator(20_000_001, text(1), ("QZ1", "Gene")),  # a copy of train under another id
        pubtator(20_000_002, shouted, ("QZ2", "Gene")),  # dev, in other letters
        pubtator(10_000_003, text(9), ("QZ9", "Gene")),  # test, by its id
        pubtator(20_000_003, text(7)[:90] + " " + text(3)[20:], ("QZ7", "Gene")),  # holds test
        pubtator(20_000_004, text(4), ("QZ4", "Gene")),
        pubtator(20_000_005, text(4), ("QZ4", "Gene")),  # the same text again
    ]
    (data / "ner_pubtator" / "NLMgene_Train.PubTator").write_text("\n".join(held))
    assert learned("nlm-gene:train") == ["20000004"]
    assert learned("biored:train") == ["10000001"]


def test_another_folder_of_data_is_read_anew(data, tmp_path, monkeypatch):
    path = Path("ner_pubtator", "NLMgene_Train.PubTator")
    (data / path).write_text(pubtator(20_000_002, text(2), ("QZ2", "Gene")) + "\n")
    assert learned("nlm-gene:train") == []
    other = tmp_path / "other"
    for name in ("biored", "ner_pubtator"):
        (other / name).mkdir(parents=True)
        for file in (data / name).iterdir():
            (other / name / file.name).write_text(file.read_text())
    (other / "biored" / "Dev.PubTator").write_text(pubtator(5, text(5), ("QZ5", GENE)) + "\n")
    monkeypatch.setenv("BLUERED_DATA", str(other))
    assert learned("nlm-gene:train") == ["20000002"]


def test_only_the_types_a_source_speaks_of_are_kept_in_bioreds_words(data):
    from bluered.training.sources import examples

    body = pubtator(
        20_000_004, text(4), ("QZ4", "Gene"), ("Title", "Chromosome"), ("of", "Species")
    )
    (data / "ner_pubtator" / "tmVar3_Train.PubTator").write_text(body + "\n")
    (example,) = examples("tmvar3:train")
    assert [(e.text, e.type) for e in example.document.entities] == [("QZ4", GENE), ("of", SPECIES)]


def test_where_only_mentions_count_documents_without_are_left_out(data):
    bodies = [
        pubtator(20_000_004, text(4), ("QZ4", "Gene")),
        pubtator(20_000_006, text(6), ("QZ6", "CellLine")),
    ]
    path = data / "ner_pubtator" / "BioID_Train_revision.PubTator"
    path.write_text("\n".join(bodies))
    assert learned("bioid:train") == ["20000006"]


def test_an_unknown_or_absent_source_is_one_line(data):
    from bluered.training.sources import paths_of, source

    with pytest.raises(CorpusError, match="did you mean 'tmvar3:train'"):
        source("tmvar:train")
    with pytest.raises(
        CorpusError, match=r"gnormplus:train: no ner_pubtator/.* below .*BLUERED_DATA"
    ):
        paths_of(source("gnormplus:train"))
    assert paths_of(source("biored:train")) == (data / "biored" / "Train.PubTator",)


def test_every_source_speaks_bioreds_types_and_none_is_a_test_part():
    from bluered.training.sources import SOURCES

    for name, source in SOURCES.items():
        assert set(source.types.values()) <= set(ENTITY_TYPES)
        assert source.why
        assert name.partition(":")[2] in ("train", "dev")
        assert name not in ("biored:dev", "biored:test")


def test_no_document_learned_from_stands_in_biored_dev_or_test(data_dir, monkeypatch):
    """Of every source; the whole texts compared, and ids where both sides have PubMed's."""
    from bluered.training.sources import SOURCES, examples

    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    documents = {name: [e.document for e in examples(name)] for name in SOURCES}
    parts = [part(name, found) for name, found in documents.items()]
    tested = [part(split, corpora.documents("biored", split)) for split in ("dev", "test")]
    sizes = dict.fromkeys(documents, 0)
    for overlap in overlaps(tested, parts):
        sizes[overlap.second] = overlap.sizes[1]
        same = [m for m in overlap.matches if by_text(m) or m.same_id]
        assert same == [], f"{overlap.first} and {overlap.second}"
    assert min(sizes.values()) > 50
    assert sum(sizes.values()) > 5000
