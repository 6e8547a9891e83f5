"""The XML of the DDI corpus: its parts, its offsets, and what of it is refused."""

import zipfile
from pathlib import Path

import pytest

from bluered.corpora import documents
from bluered.corpora.catalog import corpus
from bluered.corpora.ddi import TEST, TRAIN, read
from bluered.corpora.published_splits import published_ids
from bluered.corpora.source import Source
from bluered.documents.checks import faults
from bluered.documents.document import Document, MentionRelation, Span
from bluered.errors import CorpusError, FormatError

DEV_SENTENCE = "DDI-DrugBank.d0.s1"  # stands in split_ids/ddi.toml, DDI-DrugBank.d0.s0 does not

XML = """<?xml version="1.0" encoding="UTF-8"?>
<document id="DDI-DrugBank.d0">
    <sentence id="DDI-DrugBank.d0.s0" text="A&lt;B β-ol and γ-ol acids.&#xd;&#xa;">
        <entity id="e0" charOffset="4-7;18-22" type="drug" text="β-ol acids"/>
        <entity id="e1" charOffset="13-22" type="group" text="γ-ol acids"/>
        <pair id="p0" e1="e0" e2="e1" ddi="true" type="effect"/>
    </sentence>
    <sentence id="DDI-DrugBank.d0.s1" text="Xol or yol.">
        <entity id="e2" charOffset="0-2" type="brand" text="Xol"/>
        <entity id="e3" charOffset="7-9" type="drug_n" text="yol"/>
        <pair id="p1" e1="e2" e2="e3" ddi="false"/>
        <pair id="p2" e1="e3" e2="e2" ddi="true"/>
    </sentence>
    <sentence id="DDI-DrugBank.d0.s2" text=" "/>
</document>
"""
OTHER = '<document id="d1"><sentence id="d1.s0" text="Nothing."/></document>'


def archive(folder: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(folder / "corpus.zip", "w") as zipped:
        for name, content in files.items():
            zipped.writestr(name, content)
    return folder / "corpus.zip"


def unpacked(folder: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, "utf-8")
    return folder


def split(path: Path, name: str = "train") -> list[Document]:
    return list(read(Source(corpus("ddi"), name, (path,))))


def test_sentences_are_passages_and_offsets_are_of_the_document(tmp_path) -> None:
    (document,) = split(unpacked(tmp_path, {"a.xml": XML}))
    assert document.text == "A<B β-ol and γ-ol acids.\r\n\nXol or yol."
    assert not list(faults(document))
    assert [(p.infons["id"][-2:], p.start, p.end) for p in document.passages] == [
        ("s0", 0, 26),
        ("s1", 27, 38),
    ]
    assert [(e.id, e.type, e.text) for e in document.entities] == [
        ("e0", "drug", "β-ol acids"),
        ("e1", "group", "γ-ol acids"),
        ("e2", "brand", "Xol"),
        ("e3", "drug_n", "yol"),
    ]
    assert document.entities[0].spans == (Span(4, 8), Span(18, 23))
    assert document.entities[2].spans == (Span(27, 30),)


def test_every_pair_is_kept_also_one_that_does_not_interact_or_has_no_type(tmp_path) -> None:
    (document,) = split(unpacked(tmp_path, {"a.xml": XML}))
    assert document.mention_relations == (
        MentionRelation(type="effect", head="e0", tail="e1", id="p0"),
        MentionRelation(type="false", head="e2", tail="e3", id="p1"),
        MentionRelation(type="untyped", head="e3", tail="e2", id="p2"),
    )


OFFICIAL = {
    f"DDICorpus/{TRAIN}DrugBank/A_ddi.xml": XML,
    f"DDICorpus/{TRAIN}MedLine/1.xml": OTHER,
    f"DDICorpus/{TEST}MedLine/2.xml": OTHER.replace("d1", "d2"),
    "DDICorpus/Test/Test for DrugNER task/MedLine/3.xml": OTHER.replace("d1", "d3"),
    "DDICorpus/Train/.DS_Store": "none of it",
    "__MACOSX/DDICorpus/Train/._A_ddi.xml": "none of it",
}


@pytest.mark.parametrize("form", [archive, unpacked])
def test_train_and_dev_share_a_document_by_its_sentences(tmp_path, form) -> None:
    files = OFFICIAL if form is archive else {n: c for n, c in OFFICIAL.items() if n[0] != "_"}
    path = form(tmp_path, files)
    train, dev, test = (split(path, name) for name in ("train", "dev", "test"))
    assert [d.id for d in train] == ["DDI-DrugBank.d0", "d1"]
    assert [d.id for d in dev] == ["DDI-DrugBank.d0"]
    assert [d.id for d in test] == ["d2"]
    assert train[0].text == "A<B β-ol and γ-ol acids.\r\n"
    assert [p.infons["id"] for p in dev[0].passages] == [DEV_SENTENCE]
    assert (dev[0].text, dev[0].entities[0].spans) == ("Xol or yol.", (Span(0, 3),))
    with pytest.raises(CorpusError, match="no part 'dve': only train, dev, test"):
        split(path, "dve")


def test_another_folder_is_read_whole_for_any_split(tmp_path) -> None:
    path = unpacked(tmp_path, {"x/a.xml": XML, "b.xml": OTHER})
    assert [d.id for d in split(path, "anything")] == ["DDI-DrugBank.d0", "d1"]


def test_what_is_no_corpus_is_told(tmp_path) -> None:
    with pytest.raises(CorpusError, match="no XML files for the split 'train'"):
        split(tmp_path)
    (tmp_path / "corpus.zip").write_bytes(b"<html>not found</html>")
    with pytest.raises(CorpusError, match="expected a folder or a zip"):
        split(tmp_path / "corpus.zip")
    path = archive(tmp_path, OFFICIAL)
    content = path.read_bytes()
    path.write_bytes(content.replace(b"<document", b"<dokument", 1))
    with pytest.raises(CorpusError, match="the archive is damaged"):
        split(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</document>", "</dokument>", r"a\.xml:\d+: not well-formed XML"),
        ("document", "collection", r"a\.xml: expected <document>, found <collection>"),
        ('<document id="DDI-DrugBank.d0"', "<document", "<document> has no attribute 'id'"),
        (' text="Xol or yol."', "", r"a\.xml:\d+: <sentence> has no attribute 'text'"),
        ("Xol or yol.", " ", r"e2: charOffset 0-2 lies outside its sentence"),
        (' charOffset="0-2"', "", r"a\.xml:\d+: <entity> has no attribute 'charOffset'"),
        ("0-2", "0;2", r"d0: e2: expected charOffset like 0-7 or 0-3;9-12, not '0;2'"),
        ("7-9", "7-11", r"a\.xml:\d+, document DDI-DrugBank.d0: e3: .* outside its sentence"),
        ("7-9", "9-7", "e3: charOffset 9-7 lies outside its sentence"),
        ("7-9", "5-7", "e3: the text at 5-7 is 'r y', not 'yol'"),
        ('id="e3"', 'id="e0"', "entity e0 stands twice"),
        ('e2="e3"', 'e2="e9"', "p1: the sentence has no entity e9"),
        ('e2="e3"', 'e2="e0"', "p1: the sentence has no entity e0"),
        ('ddi="false"', 'ddi="no"', "p1: expected ddi='true' or ddi='false', found 'no'"),
    ],
)
def test_what_is_wrong_is_named_with_file_line_and_document(tmp_path, old, new, message) -> None:
    assert old in XML
    with pytest.raises(FormatError, match=message):
        split(unpacked(tmp_path, {"a.xml": XML.replace(old, new)}))


def test_pieces_may_be_joined_by_nothing_or_stand_one_character_early(tmp_path) -> None:
    solid = XML.replace('text="β-ol acids"', 'text="β-olacids"')
    (document,) = split(unpacked(tmp_path, {"a.xml": solid}))
    assert document.entities[0].text == "β-ol acids"
    early = XML.replace("4-7;18-22", "3-6;17-21")
    (document,) = split(unpacked(tmp_path, {"a.xml": early}))
    assert document.entities[0].spans == (Span(4, 8), Span(18, 23))


def test_entities_of_the_outside_are_not_resolved(tmp_path) -> None:
    (tmp_path / "secret").write_text("secret")
    hostile = (
        f'<!DOCTYPE document [<!ENTITY x SYSTEM "file://{tmp_path}/secret">]>'
        '<document id="d"><sentence id="s" text="A.">&x;</sentence></document>'
    )
    (document,) = split(unpacked(tmp_path, {"a.xml": hostile}))
    assert document.text == "A."


def test_the_published_sentences_of_dev_are_942_of_403_documents() -> None:
    sentences = published_ids("ddi", "dev")
    assert len(sentences) == len(set(sentences)) == 942
    assert len({sentence.rpartition(".s")[0] for sentence in sentences}) == 403
    assert sentences[0] == DEV_SENTENCE


@pytest.mark.parametrize(
    ("name", "count", "some", "sizes"),
    [
        ("train", 698, ("d0", "d106", "d99"), [(18, 28, 6), (14, 11, 7), (17, 11, 13)]),
        ("dev", 403, ("d0", "d110", "d99"), [(3, 3, 1), (2, 1, 1), (4, 6, 1)]),
        ("test", 191, ("d572", "d584", "d231"), [(60, 52, 38), (25, 27, 14), (22, 35, 11)]),
    ],
)
def test_the_real_parts_are_whole(data_dir, monkeypatch, name, count, some, sizes) -> None:
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    found = list(documents("ddi", name))
    first_tenth_last = found[0], found[9], found[-1]
    assert len(found) == count
    assert tuple(d.id.rpartition(".")[2] for d in first_tenth_last) == some
    assert [
        (len(d.entities), len(d.mention_relations), len(d.passages)) for d in first_tenth_last
    ] == sizes
    assert not any(fault for document in found for fault in faults(document))


def test_the_archive_and_the_folder_give_the_same_documents(data_dir) -> None:
    for name in ("dev", "test"):
        folder = split(data_dir / "ddi" / "extracted" / "DDICorpus", name)
        assert folder == split(data_dir / "ddi" / "DDICorpus-2013.zip", name)
