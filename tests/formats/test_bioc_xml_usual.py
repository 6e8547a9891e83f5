"""Reading BioC XML by pattern gives what the XML parser gives, or declines."""

import io
import random

import pytest

from bluered.errors import FormatError
from bluered.formats import bioc_xml, bioc_xml_usual
from bluered.formats.bioc_pieces import pieces

USUAL = (
    '<document><id>1</id><infon key="a">b &lt; c</infon><passage><infon key="type">title</infon>'
    "<offset>0</offset><text>TNF-\u03b1 &amp; \U0001f9ec &gt; it</text>"
    '<annotation id="0"><infon key="identifier">7124,7125</infon><infon key="type">Gene</infon>'
    '<location offset="0" length="5"/><text>TNF-\u03b1</text></annotation>\n'
    "<annotation id='1'><infon key='type'>Mix</infon><infon key='MESH'>D1|D2</infon>"
    '<infon key="CompositeRole">CompositeMention</infon><location offset="8" length="1"/>'
    "<location offset='12' length='2' /><text>\U0001f9ec it</text></annotation></passage>"
    '<passage><infon key="type"/><offset>15</offset><text></text></passage>'
    '<relation id="R0"><infon key="entity1">7124</infon><infon key="entity2">7125</infon>'
    '<infon key="type">Bind</infon><infon key="novel">No</infon></relation></document>'
)


def by_parser(piece: bytes):
    try:
        (document,) = [
            bioc_xml.to_document(element)
            for _, element in bioc_xml.elements(io.BytesIO(piece), source="x")
        ]
    except FormatError:
        return "error"
    return document


def by_pattern(piece: bytes):
    try:
        return bioc_xml_usual.document(piece)
    except FormatError:
        return "error"


def test_the_usual_layout_is_read_by_pattern():
    document = bioc_xml_usual.document(USUAL.encode())
    assert document is not None
    assert document == by_parser(USUAL.encode())
    assert document.entities[1].spans[1].start == 12


@pytest.mark.parametrize("end", ["\r", "\r\n", "\n", "\r\r\n"])
def test_line_ends_are_read_as_xml_reads_them(end):
    piece = USUAL.replace("</passage>", f"</passage>{end}").replace(" &gt; it", f"{end}&gt; it")
    document = by_pattern(piece.encode())
    assert document is not None
    assert document == by_parser(piece.encode())


@pytest.mark.parametrize(
    "change",
    [
        ("<text>", "<text><!-- x -->"),
        ("<text>", "<text><![CDATA[x]]>"),
        ("<text>", "<text>&#945;"),
        ("<text>", "<text>&nbsp;"),
        ("<text>", "<text>]]>"),
        ("<text>", "<text>\x0b"),
        ("<text>", "<text>\ufffe"),
        ("<text>", "<text><i>x</i>"),
        ("<annotation id", "<annotation x='y' id"),
        ("<annotation id", "stray <annotation id"),
        ("</relation>", "<node refid='0'/></relation>"),
        ("</passage>", "</passage>x"),
        ("<document>", "<document x='y'>"),
        ("</document>", "</document> "),
        ('offset="0"', 'offset="zero"'),
        ("<offset>0", "<offset>00000000000"),
        ("</annotation>", ""),
    ],
)
def test_any_other_layout_is_left_to_the_parser(change):
    piece = USUAL.replace(*change, 1).encode()
    assert piece != USUAL.encode()
    assert by_pattern(piece) is None


def test_wounded_documents_are_read_alike_or_declined():
    """Of thousands of small changes, none makes the two ways differ."""
    chance = random.Random("usual or not")
    signs = ["&amp;", "]]>", "\u2028", "\u0660", *"<>&\"'/ \nx=\t0"]
    kept = 0
    for _ in range(1500):
        start = chance.randrange(10, len(USUAL) - 11)
        end = start + chance.choice([0, 0, 1, 1, 5, 40])
        text = USUAL[:start] + chance.choice(signs) * chance.randrange(2) + USUAL[end:]
        found = by_pattern(text.encode())
        if found is not None:
            kept += 1
            assert found == by_parser(text.encode()), text
    assert kept > 300


@pytest.mark.parametrize(
    "path", ["biored/Dev.BioC.XML", "biored/Test.BioC.XML", "bc5cdr/CDR_TestSet.BioC.xml"]
)
def test_real_files(data_dir, path):
    with (data_dir / path).open("rb") as stream:
        found = [(by_pattern(piece), by_parser(piece)) for _, piece in pieces(stream, source=path)]
    assert all(ours in (None, theirs) for ours, theirs in found)
    assert sum(ours is None for ours, _ in found) <= len(found) / 50
