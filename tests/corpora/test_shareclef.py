"""ShARe/CLEF: pipe and Knowtator files, marks, discontinuous mentions, archives."""

import json
import shutil
import tarfile
from pathlib import Path

import pytest

from bluered.corpora.catalog import corpus
from bluered.corpora.shareclef import read, tagged_mentions, without_marks
from bluered.corpora.source import Source
from bluered.documents.document import Span
from bluered.errors import CorpusError, FormatError

BLUE = json.loads((Path(__file__).parent / "blue_originals.json").read_text("utf-8"))["shareclef"]
NOTES, GOLD = "Task1TrainSetCorpus199", "Task1TrainSetGOLD199knowtatorehost"
TEST_NOTES, TEST_GOLD = "Task1TestSetCorpus100", "Task1Gold_SN2012"


@pytest.fixture
def folder(invented):
    return invented("shareclef")


def documents(folder, split="train", names=(NOTES, GOLD)):
    paths = tuple(folder / name for name in names)
    return list(read(Source(corpus("shareclef"), split, paths)))


def held_out(folder):
    return documents(folder, "test", (TEST_NOTES, TEST_GOLD))


def test_test_mentions_are_those_of_the_original_script(folder) -> None:
    found = [
        {
            "docid": document.id,
            "locations": [
                {"start": s.start, "end": s.end, "text": document.text[s.start : s.end]}
                for s in entity.spans
            ],
            "type": entity.type,
        }
        for document in held_out(folder)
        for entity in document.entities
    ]
    assert found == [{k: v for k, v in o.items() if k != "id"} for o in BLUE["test"]]


def test_training_mentions_are_those_of_the_original_script(folder) -> None:
    found = sorted(
        "||".join(
            [
                f"{document.id}.txt",
                entity.infons.get("class", entity.type),
                entity.concepts[0] if entity.concepts else "CUI-less",
                *(str(end) for span in entity.spans for end in (span.start, span.end)),
            ]
        )
        for document in documents(folder)
        for entity in document.entities
    )
    original = [line for line in BLUE["train_pipe"] if line.count("||") > 2]
    in_text_order = "||19||24||28||32"  # BLUE keeps the pieces of a mention as its file has them
    assert found == sorted(line.replace("||28||32||19||24", in_text_order) for line in original)


def test_texts_are_those_of_the_original_script(folder) -> None:
    assert {d.id: d.text for d in documents(folder)} == BLUE["train_texts"]


def test_mentions_are_counted_as_the_original_script_counts_them(folder) -> None:
    counted = {
        "train": tagged_mentions(documents(folder)),
        "test": tagged_mentions(held_out(folder)),
    }
    assert counted == BLUE["mentions"]
    assert sum(len(d.entities) for d in documents(folder)) == 11
    assert counted["train"] == 10  # the first token of one lies within a later one


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Seen [**2001-1-1**] .", "Seen        PATTERN ."),
        ("a||||b___c~~d", "a    b   c  d"),
        ("a|||b__c~d", "a|||b__c~d"),
        ("[**a**][**b**]", "PATTERNPATTERN"),
        ("[**two\nlines**]", "[**two\nlines**]"),
        ("[****] x", "PATTER x"),
    ],
)
def test_marks_are_blanked_and_offsets_hold(text, shown) -> None:
    assert without_marks(text) == shown
    assert len(shown) == len(text)


def test_discontinuous_and_unsorted_spans(folder) -> None:
    third = documents(folder)[2]
    assert third.id == "toy03"
    assert third.entities[0].spans == (Span(19, 24), Span(28, 32))
    assert third.entities[0].text == "clock slow"
    assert third.entities[1].infons == {"class": "Toy_Fault"}


def test_a_note_without_mentions_file_is_left_out_and_one_without_mentions_is_not(folder) -> None:
    assert [(d.id, len(d.entities)) for d in held_out(folder)] == [("toy11", 3), ("toy12", 0)]


def test_line_ends_of_windows_are_read_as_python_reads_them(folder) -> None:
    plain = documents(folder)
    for path in folder.rglob("*.*"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert documents(folder) == plain


def test_archives_are_read_without_unpacking(folder, tmp_path) -> None:
    unpacked = documents(folder), held_out(folder)
    for name in (NOTES, GOLD, TEST_NOTES):
        shutil.make_archive(str(folder / name), "zip", folder / name)
    with tarfile.open(folder / f"{TEST_GOLD}.tar.bz2", "w:bz2") as tar:
        tar.add(folder / TEST_GOLD / "Gold_SN2012", "Gold_SN2012")
    zips = documents(folder, "train", (f"{NOTES}.zip", f"{GOLD}.zip"))
    test = documents(folder, "test", (f"{TEST_NOTES}.zip", f"{TEST_GOLD}.tar.bz2"))
    assert (zips, test) == unpacked


def test_pipe_files_of_the_training_part_give_the_same_spans(folder) -> None:
    pipes = folder / "Task1TrainSetGOLD199pipe" / "GOLD"
    pipes.mkdir(parents=True)
    for document in documents(folder):
        lines = [line for line in BLUE["train_pipe"] if line.startswith(f"{document.id}.")]
        lines = [line for line in lines if line.count("||") > 2]
        (pipes / f"{document.id}.pipe.txt").write_text("\n".join(lines))
    found = documents(folder, "train", (NOTES, "Task1TrainSetGOLD199pipe"))
    assert [(d.id, sorted(e.spans for e in d.entities)) for d in found] == [
        (d.id, sorted(e.spans for e in d.entities)) for d in documents(folder)
    ]


def test_copies_that_blues_scripts_make_beside_the_originals_do_not_matter(folder) -> None:
    plain = documents(folder)
    for name in ("TRAIN_REPORTS", "DEV_REPORTS"):
        shutil.copytree(folder / NOTES / "ALLREPORTS", folder / NOTES / name)
    (folder / GOLD / "Task1Gold").mkdir()
    (folder / GOLD / "Task1Gold" / "toy01.txt").write_text("toy01.txt||x||C1||0||3\n")
    (folder / NOTES / "ALLREPORTS" / "._toy01.txt").write_bytes(b"\0\xff")
    assert documents(folder) == plain


@pytest.mark.parametrize("form", ["devel_docids.txt", "DEV_REPORTS", "Development.tsv"])
def test_blues_development_notes_make_train_and_dev(folder, form) -> None:
    listed = folder / form
    if form == "DEV_REPORTS":
        listed.mkdir()
        for name in ("toy02", "toy06"):
            shutil.copy(folder / NOTES / "ALLREPORTS" / f"{name}.txt", listed)
    elif form == "Development.tsv":
        listed.write_text('A\ttoy02\t0\tO\nb\t-\t2\tB\n\n""""\ttoy06\t0\tO\n\n')
    else:
        listed.write_text("toy02\r\ntoy06\r\n")
    dev = documents(folder, "dev", (NOTES, GOLD, form))
    train = documents(folder, "train", (NOTES, GOLD, form))
    assert [d.id for d in dev] == ["toy02", "toy06"]
    assert [d.id for d in train] == ["toy01", "toy03", "toy04", "toy05"]


@pytest.mark.parametrize("content", ["", "elsewhere\n"])
@pytest.mark.parametrize("split", ["train", "dev"])
def test_a_list_of_no_note_is_refused(folder, split, content) -> None:
    (folder / "devel_docids.txt").write_text(content)
    with pytest.raises(CorpusError, match=r"devel_docids\.txt names none of the documents"):
        documents(folder, split, (NOTES, GOLD, "devel_docids.txt"))


def test_own_splits_take_every_fifth_note(folder) -> None:
    assert [d.id for d in documents(folder, "own-dev")] == ["toy05"]
    assert len(documents(folder, "own-train")) == 5


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("||26||31", "||26", "expected file"),
        ("toy11.txt||", "crack.txt||", "the mention is of another file than toy11.txt"),
        ("||26||31", "||26||31||40", "expected file"),
        ("||26||31", "||x||31", "expected file"),
        ("||26||31", "||31||26", "the span 31-26"),
        ("||26||31", "||26||300", "the span 26-300 does not lie in the note's 61 characters"),
    ],
)
def test_a_fault_in_a_pipe_file_is_told_by_line(folder, old, new, message) -> None:
    path = folder / TEST_GOLD / "Gold_SN2012" / "toy11.txt"
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(FormatError, match=message) as caught:
        held_out(folder)
    assert f"{path}:1:" in str(caught.value)
    assert not any(word in str(caught.value) for word in ("crack", "axle", "train has"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</annotations>", "", "no well-formed XML"),
        ('start="48"', 'start="here"', "numbers start and end"),
        ('<classMention id="EHOST_Instance_0">', "<classMention>", "an annotation without a class"),
        ('end="58"', 'end="580"', "does not lie in the note's"),
    ],
)
def test_a_fault_in_a_knowtator_file_is_told_by_line(folder, old, new, message) -> None:
    path = folder / GOLD / "ALLSAVED" / "toy01.txt.knowtator.xml"
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(FormatError, match=message) as caught:
        documents(folder)
    assert str(caught.value).startswith(f"{path}:")
    assert not any(word in str(caught.value) for word in ("wheel", "spring", "Toy "))


def test_mentions_of_a_note_that_is_missing_are_told(folder) -> None:
    (folder / TEST_NOTES / "ALLREPORTS" / "toy11.txt").unlink()
    with pytest.raises(
        CorpusError, match=r"Corpus100 lacks the notes of toy11, which .* annotates"
    ):
        held_out(folder)


def test_two_files_for_one_note_are_told(folder) -> None:
    gold = folder / TEST_GOLD
    shutil.copytree(gold / "Gold_SN2012", gold / "copy")
    with pytest.raises(
        CorpusError, match=r"Gold_SN2012/toy11\.txt and copy/toy11\.txt for one note"
    ):
        held_out(folder)


def test_an_archive_that_is_cut_is_told(folder) -> None:
    name = shutil.make_archive(str(folder / NOTES), "zip", folder / NOTES)
    Path(name).write_bytes(Path(name).read_bytes()[:300])
    with pytest.raises(CorpusError, match=r"Corpus199\.zip is not an intact archive"):
        documents(folder, "train", (f"{NOTES}.zip", GOLD))
