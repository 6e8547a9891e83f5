"""brat and CoNLL as others write them."""

import errno
import io
from collections import Counter
from pathlib import Path

import pytest

from bluered.documents import Document, Entity, Span, simple_document
from bluered.errors import FormatError
from bluered.formats import brat, conll, read_file, write_file

ANN = (
    "T1\tChemical 0 7\tAspirin\n"
    "T2\tDisease 14 19\tulcer\n"
    "R1\tCauses Arg1:T1 Arg2:T2\t\n"
    "N1\tReference T1 MESH:D001241\tAspirin\n"
    "E1\tEvent:T1 Theme:T2\n"
    "A1\tNegation E1\n"
    "*\tEquiv T1 T2\n"
    "#1\tAnnotatorNotes T1\tis it?\n"
)


@pytest.fixture
def pair(tmp_path):
    (tmp_path / "1.txt").write_text("Aspirin helps ulcer.\n")
    (tmp_path / "1.ann").write_text(ANN)
    return tmp_path


def test_brat_of_others_is_read_and_nothing_is_lost(pair):
    (document,) = read_file(pair)
    assert document.entities[0].concepts == ("MESH:D001241",)
    assert document.mention_relations[0].head == "T1"
    stream = io.BytesIO()
    brat.write([document], stream)
    for line in ANN.splitlines()[4:]:
        assert line in stream.getvalue().decode()
    assert list(brat.read(io.BytesIO(stream.getvalue()))) == [document]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("T9\tDisease 0 7\tulcer", r"1\.ann, document 1: offsets 0-7 cover 'Aspirin'"),
        ("T9\tDisease 0 x\tulcer", r"1\.ann:9, document 1: expected a line of brat standoff"),
        ("R9\tCauses Arg1:T1 Arg2:T7", "names the unknown mention 'T7'"),
        ("#9\tBlueRED T1\t{", "broken note"),
    ],
)
def test_brat_errors(pair, line, message):
    with (pair / "1.ann").open("a") as file:
        file.write(line + "\n")
    with pytest.raises(FormatError, match=message):
        list(read_file(pair))


def tags(*columns: str) -> list[tuple[str, str]]:
    data = "".join(f"{w}\t{t}\n" for w, t in zip("abcdefg", columns, strict=False)) + "\n"
    (document,) = conll.read(io.BytesIO(data.encode()), source="x")
    return [(e.type, e.text) for e in document.entities]


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (["B-X", "I-X", "O", "B-X", "B-X"], [("X", "a b"), ("X", "d"), ("X", "e")]),
        (["I-X", "I-X", "B-X", "O"], [("X", "a b"), ("X", "c")]),  # IOB1
        (["I-X", "I-Y", "I-Y"], [("X", "a"), ("Y", "b c")]),
        (["B-X", "I-X", "E-X", "S-X", "I-X"], [("X", "a b c"), ("X", "d"), ("X", "e")]),  # IOBES
        (["B-X", "L-X", "U-Y", "O"], [("X", "a b"), ("Y", "c")]),  # BILOU
        (["B", "I", "O"], [("Entity", "a b")]),
    ],
)
def test_tag_schemes(columns, expected):
    assert tags(*columns) == expected


def test_documents_begin_at_docstart():
    data = b"-DOCSTART- -X- -X- O\n\na NN O\nb NN B-X\n\nc NN O\n\n-DOCSTART- 17\tO\n\nd\tO\n"
    first, second = conll.read(io.BytesIO(data), source="dir/x.conll")
    assert (first.id, first.text, second.id) == ("x.1", "a b c", "17")
    assert [(p.start, p.end) for p in first.passages] == [(0, 3), (4, 5)]


def test_a_line_without_a_tag_is_an_error_and_costs_its_sentence():
    data = b"a\tO\nb\n\nc\tB-X\n"
    with pytest.raises(FormatError, match="x:2: expected a token and a tag"):
        list(conll.read(io.BytesIO(data), source="x"))
    errors = []
    found = list(conll.read(io.BytesIO(data), source="x", on_error=errors.append))
    assert [d.text for d in found] == ["c"]


def test_what_conll_cannot_hold_is_counted():
    document = simple_document("1", "ocular and auditory toxicity", "It hurts.")
    entities = (
        Entity("Disease", (Span(0, 6), Span(20, 28)), "ocular toxicity", concepts=("D1",)),
        Entity("Disease", (Span(11, 28),), "auditory toxicity"),
        Entity("Disease", (Span(20, 28),), "toxicity"),
    )
    document = Document(id="1", text=document.text, passages=document.passages, entities=entities)
    losses = Counter()
    stream = io.BytesIO()
    conll.write([document], stream, losses=losses)
    assert stream.getvalue().decode().splitlines()[2:6] == [
        "ocular\tO",
        "and\tO",
        "auditory\tB-Disease",
        "toxicity\tI-Disease",
    ]
    assert losses["discontinuous mentions"] == 1
    assert losses["overlapping mentions"] == 1
    assert losses["concept ids of mentions"] == 1


def test_a_full_disk_names_the_folder(tmp_path, monkeypatch):
    def full(path: Path, _: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left") as caught:
        write_file([simple_document("1", "BRCA1")], tmp_path / "out", "brat")
    assert caught.value.filename == str(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
