"""ChemProt's tables: what is read, what is refused and how it is named."""

from pathlib import Path

import pytest

from bluered.corpora import documents
from bluered.corpora.catalog import corpus
from bluered.corpora.chemprot import read
from bluered.corpora.source import Source
from bluered.documents.document import Document, MentionRelation, Span
from bluered.errors import CorpusError, FormatError

ABSTRACTS = "7\tβ-ol stops GEN1.\tAn ol≥2 kit. \n8\tNothing.\tAt all.\n"
ENTITIES = "7\tT1\tCHEMICAL\t0\t4\tβ-ol\n7\tT2\tGENE-Y\t11\t15\tGEN1\n7\tT3\tGENE-N\t20\t24\tol≥2\n"
GOLD = "7\tCPR:4\tArg1:T1\tArg2:T2\n7\tCPR:3\tArg1:T1\tArg2:T2\n"


def split(folder: Path, *contents: str) -> list[Document]:
    paths = tuple(folder / f"{number}.tsv" for number in range(len(contents)))
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content.encode())
    return list(read(Source(corpus("chemprot"), "train", paths)))


def test_documents_have_their_mentions_and_relations_in_the_order_of_the_files(tmp_path) -> None:
    first, second = split(tmp_path, ABSTRACTS, ENTITIES, GOLD)
    assert first.text == "β-ol stops GEN1. An ol≥2 kit. "
    assert [p.type for p in first.passages] == ["title", "abstract"]
    assert [(e.id, e.type, e.spans, e.text) for e in first.entities] == [
        ("T1", "CHEMICAL", (Span(0, 4),), "β-ol"),
        ("T2", "GENE-Y", (Span(11, 15),), "GEN1"),
        ("T3", "GENE-N", (Span(20, 24),), "ol≥2"),
    ]
    roles = ("Arg1", "Arg2")
    assert first.mention_relations == (
        MentionRelation(type="CPR:4", head="T1", tail="T2", roles=roles),
        MentionRelation(type="CPR:3", head="T1", tail="T2", roles=roles),
    )
    assert (second.id, second.entities, second.mention_relations) == ("8", (), ())


def test_line_ends_and_a_mark_at_the_beginning_make_no_difference(tmp_path) -> None:
    plain = split(tmp_path, ABSTRACTS, ENTITIES, GOLD)
    windows = [t.replace("\n", "\r\n") for t in ("\ufeff" + ABSTRACTS, ENTITIES, GOLD + "\n")]
    assert split(tmp_path, *windows) == plain


def test_without_a_gold_standard_there_are_no_relations(tmp_path) -> None:
    assert split(tmp_path, ABSTRACTS, ENTITIES)[0].mention_relations == ()
    with pytest.raises(
        CorpusError, match=r"abstracts, the entities and, if there is one.*found 1 files"
    ):
        split(tmp_path, ABSTRACTS)


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (0, "8\tNothing.", "7\tNothing.", r"0\.tsv:2, document 7: .*stands twice"),
        (0, "\tAt all.", "", r"0\.tsv:2: expected 3 columns \(id, title, abstract\), found 2"),
        (0, "Nothing.", "No\tthing.", r"0\.tsv:2: .*found 4; is it the file of the gold standard"),
        (1, "7\tT1", "9\tT1", r"1\.tsv:1, document 9: there is no abstract"),
        (1, "T2", "T1", r"1\.tsv:2, document 7: mention T1 stands twice"),
        (1, "11\t15", "11\t-15", r"T2: expected two offsets, found '11' and '-15'"),
        (
            1,
            "11\t15",
            "10\t14",
            r"1\.tsv:2, document 7: T2: the text at 10-14 is ' GEN', not 'GEN1'",
        ),
        (1, "20\t24", "120\t124", r"T3: the text at 120-124 is '', not 'ol≥2'"),
        (1, "20\t24\tol≥2", "20\t20\t", r"T3: the text at 20-20 is ''"),
        (2, "7\tCPR:4", "9\tCPR:4", r"2\.tsv:1, document 9: there is no abstract"),
        (2, "Arg2:T2", "Arg2:T9", r"2\.tsv:1, document 7: the document has no mention T9"),
        (2, "Arg1:T1", "Arg1=T1", r"expected Arg1:mention and Arg2:mention, found 'Arg1=T1'"),
        (
            2,
            "\tArg1",
            "\tY\tArg1",
            r"2\.tsv:1: expected 4 columns .* is it the file of relations\?",
        ),
    ],
)
def test_what_is_wrong_is_named_with_file_and_line(tmp_path, file, old, new, message) -> None:
    contents = [ABSTRACTS, ENTITIES, GOLD]
    assert old in contents[file]
    contents[file] = contents[file].replace(old, new)
    with pytest.raises(FormatError, match=message):
        split(tmp_path, *contents)


def test_a_file_that_is_not_utf_8_is_named(tmp_path) -> None:
    split(tmp_path, ABSTRACTS, ENTITIES, GOLD)
    paths = tuple(tmp_path / f"{number}.tsv" for number in range(3))
    paths[0].write_bytes(ABSTRACTS.encode("iso8859-7", "replace"))
    with pytest.raises(FormatError, match=r"0\.tsv:1: byte 0xe2"):
        list(read(Source(corpus("chemprot"), "train", paths)))


@pytest.mark.parametrize(
    ("name", "count", "some", "sizes"),
    [
        ("train", 1020, ("16357751", "16437532", "17611273"), [(5, 0), (41, 7), (27, 9)]),
        ("dev", 612, ("10064839", "10439935", "9876137"), [(56, 0), (28, 2), (23, 7)]),
        ("test", 800, ("10076535", "10561120", "9990013"), [(63, 17), (8, 1), (56, 2)]),
    ],
)
def test_the_real_parts_are_whole(data_dir, monkeypatch, name, count, some, sizes) -> None:
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    found = list(documents("chemprot", name))
    first_tenth_last = found[0], found[9], found[-1]
    assert len(found) == count
    assert tuple(d.id for d in first_tenth_last) == some
    assert [(len(d.entities), len(d.mention_relations)) for d in first_tenth_last] == sizes
