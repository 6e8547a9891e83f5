"""Files are recognised, read, and put in place whole or not at all."""

import errno
import gzip
import io
import sys
from collections import Counter
from types import SimpleNamespace

import pytest

from bluered.documents import Document, Entity, Span, simple_document
from bluered.errors import FormatError
from bluered.formats import FORMATS, detect, get_format, read_file, unique_ids, write_file
from bluered.formats.streams import replacing

DOCUMENT = simple_document("7", "Aspirin.", "It helps.")
PUBTATOR = b"7|t|Aspirin.\n7|a|It helps.\n7\t0\t7\tAspirin\tChemical\tD001241\n\n"


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("a.PubTator", b"", "pubtator"),
        ("a.pubtator.txt.gz", b"", "pubtator"),
        ("a.BioC.XML", b"", "bioc-xml"),
        ("a.bioc.json", b'{"documents": []}', "bioc-json"),
        ("a.json", b'{"id": "1", "text": ""}', "jsonl"),
        ("a.jsonl", b'{"id":"1","passages":[{"offset":0,"text":""}]}', "bioc-json"),
        ("a.jsonl", b'{"id":"1","text":"x","passages":[{"type":"t","start":0,"end":1}]}', "jsonl"),
        ("a.txt", b"1|t|Title\n1|a|Text", "pubtator"),
        ("a.txt", b"Aspirin is fine.", "plain"),
        ("a.tsv", b"Aspirin\tB-Chemical\n", "conll"),
        ("a", b"Aspirin\tB-Chemical\nis\tO\n", "conll"),
        ("a", b"-DOCSTART- -X- -X- O\n", "conll"),
        ("a", b"\xef\xbb\xbf<?xml version='1.0'?><collection>", "bioc-xml"),
        ("a", b'{"PubTator3": [{"id": 1}]}', "bioc-json"),
        ("a", b'#document\t"1"\t"text"\n', "brat"),
        ("-", b"Aspirin is fine.", "plain"),
    ],
)
def test_detect(name, head, expected):
    assert detect(name, head) == expected


def test_detect_says_when_it_does_not_know():
    with pytest.raises(FormatError, match="not recognised: name one of pubtator"):
        detect("a.docx", b"PK\3\4")


def test_an_unknown_format_is_answered_with_near_ones():
    with pytest.raises(FormatError, match="no format 'bioc_xml'; did you mean 'bioc-xml'"):
        get_format("bioc_xml")


@pytest.mark.parametrize("name", ["x.jsonl", "x.bioc.xml", "x.json", "x.pubtator", "x.brat"])
@pytest.mark.parametrize("packed", ["", ".gz"])
def test_write_and_read(tmp_path, name, packed):
    path = tmp_path / f"{name}{packed}"
    assert write_file([DOCUMENT], path) == 1
    assert list(read_file(path)) == [DOCUMENT]
    assert path.read_bytes().startswith(b"\x1f\x8b") == bool(packed)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_brat_folder(tmp_path):
    folder = tmp_path / "out"
    entity = Entity(type="Chemical", spans=(Span(0, 7),), text="Aspirin", id="T1", concepts=("D1",))
    document = Document(
        id="a/b", text=DOCUMENT.text, passages=DOCUMENT.passages, entities=(entity,)
    )
    write_file([document], folder, "brat")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out"]
    assert sorted(p.name for p in folder.iterdir()) == ["a%2Fb.ann", "a%2Fb.txt"]
    assert list(read_file(folder)) == [document]
    assert list(read_file(folder / "a%2Fb.ann")) == [document]
    (folder / "a%2Fb.txt").unlink()
    with pytest.raises(FormatError, match=r"expected the text a%2Fb\.txt beside it"):
        list(read_file(folder))


def test_brat_folder_with_repeated_ids_leaves_nothing(tmp_path):
    with pytest.raises(FormatError, match="one id would share a file"):
        write_file([DOCUMENT, DOCUMENT], tmp_path / "out", "brat")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", FORMATS)
def test_an_empty_file_is_one_clear_error(tmp_path, name):
    path = tmp_path / "x"
    path.write_bytes(b"")
    with pytest.raises(FormatError, match="x: the file is empty"):
        list(read_file(path, name))


def test_a_folder_is_one_clear_error(tmp_path):
    with pytest.raises(FormatError, match="expected a file, found a directory"):
        list(read_file(tmp_path))
    with pytest.raises(FormatError, match="expected a file to write, found a directory"):
        write_file([DOCUMENT], tmp_path, "jsonl")


@pytest.mark.parametrize("name", FORMATS)
def test_bytes_that_are_not_utf8_are_named(tmp_path, name):
    path = tmp_path / "x"
    path.write_bytes("Sjögren".encode("latin-1") * 3)
    with pytest.raises(FormatError, match=r"UTF-8|not BioC XML|BlueRED document"):
        list(read_file(path, name))


@pytest.mark.parametrize("name", ["bioc-xml", "bioc-json"])
def test_truncated_files_are_named_wherever_they_end(tmp_path, name):
    path = tmp_path / "x"
    write_file([DOCUMENT, simple_document("8", "Two", "B")], path, name)
    data = path.read_bytes()
    for end in [*range(1, len(data.rstrip()), 9), len(data.rstrip()) - 1]:
        path.write_bytes(data[:end])
        with pytest.raises(FormatError, match=r"truncated|not JSON|well-formed|not recog"):
            list(read_file(path, name))


def test_broken_gzip(tmp_path):
    path = tmp_path / "x.pubtator.gz"
    path.write_bytes(gzip.compress(PUBTATOR * 50)[:-20])
    with pytest.raises(FormatError, match="broken gzip data"):
        list(read_file(path))


def test_standard_streams(monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(PUBTATOR)))
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=written))
    assert write_file(read_file("-"), "-", "pubtator") == 1
    assert written.getvalue() == PUBTATOR


def failing(documents):
    yield from documents
    raise FormatError("bad", document="9")


@pytest.mark.parametrize(
    ("name", "format_name"), [("x.jsonl", None), ("x", "brat"), ("x.gz", "jsonl")]
)
def test_nothing_is_left_after_an_error(tmp_path, name, format_name):
    with pytest.raises(FormatError, match="bad"):
        write_file(failing([DOCUMENT]), tmp_path / name, format_name)
    assert list(tmp_path.iterdir()) == []


def test_an_error_keeps_the_file_that_was_there(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text("before")
    with pytest.raises(FormatError):
        write_file(failing([DOCUMENT]), path)
    assert path.read_text() == "before"


def test_disk_full_leaves_nothing_and_names_the_file(tmp_path):
    path = tmp_path / "x.jsonl"
    with pytest.raises(OSError, match="No space left") as caught, replacing(path):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert caught.value.filename == str(path)
    assert list(tmp_path.iterdir()) == []


def test_half_a_surrogate_pair_cannot_be_written(tmp_path):
    with pytest.raises(FormatError, match="half a surrogate pair"):
        write_file([simple_document("1", "\ud83e", "")], tmp_path / "x.pubtator")
    assert list(tmp_path.iterdir()) == []


def test_unknown_ending(tmp_path):
    with pytest.raises(FormatError, match=r"no format is known by the ending of .*x\.foo"):
        write_file([DOCUMENT], tmp_path / "x.foo")


def test_unique_ids():
    with pytest.raises(FormatError, match="f, document 7: a document with this id came before"):
        list(unique_ids([DOCUMENT, DOCUMENT], source="f"))
    errors = []
    assert list(unique_ids([DOCUMENT, DOCUMENT], on_error=errors.append)) == [DOCUMENT]
    assert len(errors) == 1


def test_losses_are_counted(tmp_path):
    entity = Entity(
        type="Chemical", spans=(Span(0, 7),), text="Aspirin", concepts=("D1",), confidence=0.5
    )
    document = Document(
        id="7",
        text=DOCUMENT.text,
        passages=DOCUMENT.passages,
        entities=(entity,),
        infons={"a": "b"},
    )
    losses = Counter()
    write_file([document], tmp_path / "x.pubtator", losses=losses)
    assert +losses == {"confidences of mentions": 1, "infons (further fields)": 1}


def test_a_link_stays_and_its_target_is_written(tmp_path):
    target, link = tmp_path / "target.jsonl", tmp_path / "link.jsonl"
    target.write_text("old")
    link.symlink_to(target)
    write_file([DOCUMENT], link)
    assert link.is_symlink()
    assert list(read_file(target)) == [DOCUMENT]
