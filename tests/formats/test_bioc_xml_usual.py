"""Reading BioC XML by pattern gives what the XML parser gives, or declines."""

import io
import random
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bluered.documents import Entity, Relation, Span, simple_document
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

BIORED = (
    '<document><id>1</id><passage><infon key="type">title</infon><offset>0</offset>'
    "<text>TNF &amp; \U0001f9ec it</text>"
    '<annotation id="0"><infon key="identifier">7124</infon><infon key="type">Gene</infon>'
    '<location offset="0" length="3"/><text>TNF</text></annotation>'
    '<annotation id="1"><infon key="identifier">1,2</infon><infon key="type">Mix</infon>'
    '<location offset="4" length="3"/><text>&amp; \U0001f9ec</text></annotation></passage>'
    '<relation id="R0"><infon key="entity1">7124</infon><infon key="entity2">1</infon>'
    '<infon key="type">a &lt; b</infon><infon key="novel">No</infon></relation></document>'
)
CDR = (
    '<document>\n<id>1</id>\n<passage>\n<infon key="type">title</infon>\n<offset>0</offset>\n'
    "<text>Pain of it</text>\n<annotation id='0'>\n<infon key=\"type\">Disease</infon>\n"
    "<infon key=\"MESH\">D010146</infon>\n<location offset='0' length='4' />\n<text>Pain</text>\n"
    "</annotation>\n</passage>\n<relation id='R0'>\n<infon key=\"relation\">CID</infon>\n"
    '<infon key="Chemical">D1</infon>\n<infon key="Disease">D010146</infon>\n</relation>\n'
    "</document>"
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


@pytest.mark.parametrize("text", [BIORED, CDR])
def test_the_corpora_are_read_by_the_patterns_made_for_them(text, monkeypatch):
    for name in ("_less_common_entities", "_less_common_relations"):
        monkeypatch.delattr(bioc_xml_usual, name)
    document = bioc_xml_usual.document(text.encode())
    assert document is not None
    assert document == by_parser(text.encode())
    assert document.entities
    assert document.relations


@pytest.mark.parametrize("text", [BIORED, CDR])
def test_one_odd_annotation_is_read_by_the_wider_patterns(text):
    odd = text.replace("</annotation>", "</annotation><!-- x -->", 1)
    assert bioc_xml_usual.document(odd.encode()) is None
    third = text.replace("<location", '<infon key="x">y</infon><location', 1)
    document = bioc_xml_usual.document(third.encode())
    assert document == by_parser(third.encode())
    assert document.entities[0].infons["x"] == "y"
    fifth = text.replace(
        "</relation>", '<infon key="x">1</infon><infon key="y">2</infon></relation>'
    )
    document = bioc_xml_usual.document(fifth.encode())
    assert document == by_parser(fifth.encode())


@pytest.mark.parametrize("text", [BIORED, CDR])
@pytest.mark.parametrize("number", ["0", "00", "000000000"])
def test_numbers_may_begin_with_zeros(text, number):
    zeros = text.replace('offset="0"', f'offset="{number}"').replace(
        "offset='0'", f"offset='{number}'"
    )
    assert bioc_xml_usual.document(zeros.encode()) == by_parser(text.encode())


def test_the_infons_of_one_document_are_not_those_of_the_next():
    first, second = (bioc_xml_usual.document(CDR.encode()) for _ in range(2))
    first.entities[0].infons["mine"] = "x"
    assert "mine" not in second.entities[0].infons


PRINTED = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn")), max_size=8)


@given(st.lists(st.tuples(PRINTED, PRINTED, PRINTED), max_size=4), PRINTED)
def test_made_documents_are_read_alike(rows, name):
    text = " ".join(f"{mention}." for mention, _, _ in rows)
    starts = accumulate((len(f"{mention}. ") for mention, _, _ in rows), initial=0)
    entities = [
        Entity(kind, (Span(start, start + len(mention) + 1),), f"{mention}.", "", (concept,))
        for start, (mention, kind, concept) in zip(starts, rows, strict=False)
    ]
    relations = tuple(Relation(kind, a, b, "", True) for a, kind, b in rows)
    made = replace(simple_document(name, text), entities=tuple(entities), relations=relations)
    stream = io.BytesIO()
    bioc_xml.write([made], stream)
    stream.seek(0)
    ((_, piece),) = pieces(stream, source="x")
    found = by_pattern(piece)
    assert found is not None
    assert found == by_parser(piece)


@pytest.mark.parametrize("text", [USUAL, BIORED, CDR])
def test_wounded_documents_are_read_alike_or_declined(text):
    """Of thousands of small changes, none makes the two ways differ."""
    usual = text
    chance = random.Random("usual or not")
    signs = ["&amp;", "]]>", "\u2028", "\u0660", *"<>&\"'/ \nx=\t0"]
    kept = 0
    for _ in range(1500):
        start = chance.randrange(10, len(usual) - 11)
        end = start + chance.choice([0, 0, 1, 1, 5, 40])
        text = usual[:start] + chance.choice(signs) * chance.randrange(2) + usual[end:]
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
