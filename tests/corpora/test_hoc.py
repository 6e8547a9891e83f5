"""HoC: its three forms say the same, the 37 classes reduce to ten, faults by file and line."""

import pytest

from bluered.corpora import load
from bluered.corpora.catalog import corpus, task
from bluered.corpora.fetch import fetch
from bluered.corpora.hoc import HALLMARKS, hallmark, read
from bluered.corpora.published_splits import published_ids
from bluered.corpora.source import Source
from bluered.errors import CorpusError, FormatError

TABLE = """index\tsentence\tlabels
7_s0\t"Stroma is odd , they say .\t
7_s1\tCells neither die nor stop .\tevading growth suppressors,resisting cell death
8_s0\tVessels grow .\tinducing angiogenesis
"""
FOLDER = {
    "7": '"Stroma is odd , they say .\t[]\n'
    "Cells neither die nor stop .\t['resisting cell death', 'evading growth suppressors']\n",
    "8": "Vessels grow .\t['inducing angiogenesis']\n",
}
AUTHORS = {
    "7": (
        '"Stroma is odd , they say .\nCells neither die nor stop .\n',
        "< NULL<Resisting cell death--Apoptosis ANDResisting cell death--Necrosis AND Evading "
        "growth suppressors--By deregulating cell cycle checkpoints--Cell cycle",
    ),
    "8": ("Vessels grow .", "<Inducing angiogenesis--\n"),
}


@pytest.fixture
def forms(tmp_path):
    """The same two abstracts in the three forms."""
    (tmp_path / "train.tsv").write_text(TABLE)
    for name in ("HoCCorpus", "text", "labels"):
        (tmp_path / name).mkdir()
    for pmid, content in FOLDER.items():
        (tmp_path / "HoCCorpus" / f"{pmid}.txt").write_text(content)
        (tmp_path / "text" / f"{pmid}.txt").write_text(AUTHORS[pmid][0])
        (tmp_path / "labels" / f"{pmid}.txt").write_text(AUTHORS[pmid][1])
    (tmp_path / "train_docid.txt").write_text("7\r\n8\r\n")
    return tmp_path


def sentences(path):
    return list(read(Source(corpus("hoc"), "train", (path,))))


@pytest.mark.parametrize("form", ["train.tsv", "HoCCorpus", "text"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_the_forms_say_the_same(forms, form, ending) -> None:
    for path in forms.rglob("*.t*"):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"\n", ending.encode()))
    assert [(s.id, s.document, s.text, s.labels) for s in sentences(forms / form)] == [
        ("7_s0", "7", '"Stroma is odd , they say .', ()),
        (
            "7_s1",
            "7",
            "Cells neither die nor stop .",
            ("evading growth suppressors", "resisting cell death"),
        ),
        ("8_s0", "8", "Vessels grow .", ("inducing angiogenesis",)),
    ]


def test_a_class_belongs_to_the_hallmark_at_its_root() -> None:
    assert hallmark("Genomic instability and mutation--DNA damage--Strand breaks") == HALLMARKS[5]
    assert hallmark("Cellular energetics--Glycolysis/Warburg effect") == "cellular energetics"
    assert hallmark("Inducing angiogenesis--") == "inducing angiogenesis"
    assert hallmark("Apoptosis") == ""


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("train.tsv", "index", "id", r"train.tsv:1: expected the columns index, sentence, labels"),
        ("train.tsv", "7_s1", "7_s0", r"train.tsv:3: 7_s0 stands twice"),
        ("train.tsv", "8_s0", "8", r"train.tsv:4: expected <pmid>_s<i>"),
        ("train.tsv", "\tinducing", " inducing", r"train.tsv:4: expected <pmid>_s<i>"),
        ("train.tsv", "resisting cell", "resiting cell", r"did you mean 'resisting cell death'"),
        ("HoCCorpus/8.txt", "['", "[", r"8.txt:1: expected a sentence, a tab and \['label'"),
        ("HoCCorpus/8.txt", "inducing", "reducing", r"8.txt:1: no hallmark 'reducing angio"),
        ("labels/7.txt", "< NULL", " NULL", r"labels/7.txt: expected '<' before"),
        ("labels/8.txt", "Inducing", "Reducing", r"8.txt:1: no hallmark 'Reducing angio"),
        ("text/8.txt", "grow .", "grow .\nAgain .", r"labels/8.txt: expected '<' .* of 2 sent"),
    ],
)
def test_a_fault_is_named_with_its_file(forms, file, old, new, message) -> None:
    path = forms / file
    path.write_text(path.read_text().replace(old, new, 1))
    form = "text" if file[:4] in ("labe", "text") else file.partition("/")[0]
    with pytest.raises(FormatError, match=message):
        sentences(forms / form)


def test_text_that_is_not_utf8_and_missing_files_are_told(forms) -> None:
    (forms / "text" / "8.txt").write_bytes(b"na\xefve")
    with pytest.raises(FormatError, match=r"8.txt: not UTF-8"):
        sentences(forms / "text")
    (forms / "HoCCorpus" / "8.txt").unlink()
    with pytest.raises(CorpusError, match=r"8.txt is missing: the copy of HoC is not complete"):
        sentences(forms / "HoCCorpus")


def test_without_a_list_the_published_split_counts(forms) -> None:
    (forms / "train_docid.txt").unlink()
    first = published_ids("hoc", "train")[0]
    with pytest.raises(CorpusError, match=f"{first}.txt is missing"):
        sentences(forms / "HoCCorpus")


def test_the_published_split_is_disjoint_and_complete() -> None:
    ids = {split: published_ids("hoc", split) for split in ("train", "dev", "test")}
    assert {split: len(names) for split, names in ids.items()} == task("hoc").entry.counts
    assert len(set().union(*ids.values())) == 1580


def test_the_labels_of_the_task_are_those_of_the_reader() -> None:
    assert task("hoc").entry.labels == HALLMARKS


@pytest.mark.parametrize(
    ("split", "count", "first", "tenth", "last"),
    [
        ("train", 10527, "11724768_s0", "11773160_s3", "24477458_s9"),
        ("dev", 1496, "11857413_s0", "11857413_s9", "24174263_s1"),
        ("test", 2896, "11872299_s0", "11872299_s9", "24280190_s12"),
    ],
)
def test_the_real_sentences_come_in_order_in_both_forms(
    data_dir, monkeypatch, split, count, first, tenth, last
) -> None:
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    rows = list(load("hoc", split))
    assert len(rows) == count
    assert [row.id for row in (rows[0], rows[9], rows[-1])] == [first, tenth, last]
    folder = data_dir / "hoc" / "blue_layout" / "HoCCorpus"
    assert list(read(Source(corpus("hoc"), split, (folder,)))) == rows


def test_the_authors_form_is_found_in_the_place_of_blues(forms, place) -> None:
    (place / "hoc").mkdir(parents=True)
    for name in ("text", "labels"):
        (forms / name).rename(place / "hoc" / name)
    (forms / "train_docid.txt").rename(place / "hoc" / "train_docid.txt")
    assert [sentence.id for sentence in load("hoc", "train")] == ["7_s0", "7_s1", "8_s0"]
    fetched = fetch(corpus("hoc"))
    assert fetched.new == ()
    assert set(fetched.files.values()) == {place / "hoc" / "text"}
