"""PubTator's dialects and what its reader says of wrong files."""

import io
from collections import Counter

import pytest

from bluered.documents import Document, Entity, Passage, Span, simple_document
from bluered.errors import FormatError
from bluered.formats import pubtator

BLOCK = b"1|t|BRAF  \n1|a|A gene.\n1\t0\t4\tBRAF\tGene\t673\n"


def read(data: bytes, **options):
    return list(pubtator.read(io.BytesIO(data), source="x", **options))


def write(documents, losses=None):
    stream = io.BytesIO()
    pubtator.write(documents, stream, losses=losses)
    return stream.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        BLOCK + b"\n",
        BLOCK + b"\n\n" + BLOCK.replace(b"1|", b"2|").replace(b"1\t", b"2\t") + b"\n",
        b"\n\n" + BLOCK + b"\n",
        BLOCK,
        b"1|t|Tab\tin a line\n1|a|and\ttwo\t\n1\t4\t6\tin\tX\t5\n\n",
        b"1|t|Title\n1|a|\n\n",
        b"1|t|BRAF\n1|a|x\n1\t0\t4\tBRAF\tGene\n\n",
        b"1|t|BRAF\n1|a|x\n1\t0\t4\tBRAF\tGene\t\n\n",
        b"1|t|BRAF\n1|a|x\n1\t0\t4\tBRAF\tGene\t673\t0.90\textra\n1\tCID\t673\t673\t0.5\n\n",
        b"1|t|BRAF\n1|a|x\n1\t0\t4\tBRAF\tGene\t673|674\ta|b\n1\tBind\t673\t673|674\tNo\n\n",
    ],
)
def test_bytes_come_back(data):
    assert write(read(data)) == data


def test_line_ends_and_byte_order_mark_are_normalised():
    data = BLOCK + b"\n" + BLOCK.replace(b"1|", b"2|").replace(b"1\t", b"2\t") + b"\n"
    assert write(read(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))) == data


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_blocks_do_not_depend_on_where_chunks_end(size, monkeypatch):
    from bluered.formats import pubtator_blocks

    def parts(data):
        found, line = [], 1
        for piece in pubtator_blocks.pieces(io.BytesIO(data)):
            found += pubtator_blocks.blocks(line, piece)
            line += piece.count(b"\n")
        return [part for block in found for part in pubtator_blocks.cut_at_titles(block)]

    data = (b"\n" + BLOCK + b"\n\n" + BLOCK + BLOCK + b"\n").replace(b"\n", b"\r\n")
    whole = parts(data)
    assert [b.line for b in whole] == [2, 7, 10]
    assert [(b.blanks_before, b.blanks_after) for b in whole] == [(1, 2), (0, 0), (0, 1)]
    monkeypatch.setattr(pubtator_blocks, "_CHUNK", size)
    assert parts(data) == whole


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"1\t1\t5\tBRAF\tGene\t673", "x:3, document 1: offsets 1-5 cover 'RAF '"),
        (b"1\t0\t99\tBRAF\tGene\t673", "outside the text"),
        (b"1\t4\t0\tBRAF\tGene\t673", "empty, out of order"),
        (b"1\t0\t99999999999999999999999\tBRAF\tGene\t673", "offsets in whole numbers"),
        ("1\t\uff10\t\uff14\tBRAF\tGene\t673".encode(), "offsets in whole numbers"),
        (b"1\t+0\t4\tBRAF\tGene\t673", "offsets in whole numbers"),
        (b"1\tCID\t673\tD1", "relation CID names the unknown concept '673'"),
        (b"1\tCID", "expected a mention line .* found 2 columns"),
        (b"2\t0\t4\tBRAF\tGene\t673", "expected a line of document '1', found one of '2'"),
        (b"1\t0\t4\tBR\xe9F\tGene\t673", "x:3: byte 0xe9 at byte 9 of the line is not UTF-8"),
        (b"1\t0\t4\tBR\0F\tGene\t673", "x:3: NUL byte at byte 9 of the line"),
    ],
)
def test_what_is_wrong_is_said(line, message):
    with pytest.raises(FormatError, match=message):
        read(b"1|t|BRAF\n1|a|A gene.\n" + line + b"\n\n")


def test_a_bad_document_is_handed_over_and_skipped():
    errors = []
    data = BLOCK.replace(b"\t0\t4", b"\t1\t5") + b"\n" + BLOCK.replace(b"1", b"2")
    assert [d.id for d in read(data, on_error=errors.append)] == ["2"]
    assert [(e.line, e.document) for e in errors] == [(3, "1")]


def test_discontinuous_mentions_become_one_span_that_is_read_again():
    text = "ocular and auditory toxicity"
    entity = Entity("Disease", (Span(0, 6), Span(20, 28)), "ocular toxicity", concepts=("D1",))
    document = Document(id="1", text=text, entities=(entity,))
    losses = Counter()
    (found,) = read(write([document], losses))
    assert found.entities[0].text == text
    assert losses["gaps of discontinuous mentions (written as one span)"] == 1


def test_passages_without_a_space_between_lose_no_character():
    passages = (Passage(type="title", start=0, end=2), Passage(type="abstract", start=2, end=4))
    (found,) = read(write([Document(id="1", text="abcd", passages=passages)]))
    assert found.text.rstrip() == "abcd"


def test_ids_with_bars_and_line_breaks_are_written_readably():
    losses = Counter()
    (found,) = read(write([simple_document("a|b\nc", "T", "A")], losses))
    assert found.id == "a b c"
    assert losses["ids of documents (written without | and tabs)"] == 1
