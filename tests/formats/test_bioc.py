"""BioC's dialects and oddities, in XML and JSON."""

import io
import json

import pytest

from bluered.documents import MentionRelation, Relation, Span
from bluered.errors import FormatError
from bluered.formats import bioc_json, bioc_xml


def xml(body: str, **options):
    data = f"<?xml version='1.0' encoding='UTF-8'?>\n<collection>\n{body}\n</collection>".encode()
    return list(bioc_xml.read(io.BytesIO(data), source="x.xml", **options))


def document(passages: str, relations: str = "") -> str:
    return f"<document><id>1</id>{passages}{relations}</document>"


TEXT = (
    "<passage><infon key='type'>title</infon><offset>0</offset>"
    "<text>Aspirin and ulcer</text>{}</passage>"
)
ASPIRIN = (
    "<annotation id='0'><infon key='type'>Chemical</infon><infon key='MESH'>D001241</infon>"
    "<location offset='0' length='7'/><text>Aspirin</text></annotation>"
)
ULCER = (
    "<annotation id='1'><infon key='type'>Disease</infon><infon key='MESH'>D014456</infon>"
    "<location offset='12' length='5'/><text>ulcer</text></annotation>"
)


def again(documents):
    stream = io.BytesIO()
    bioc_xml.write(documents, stream)
    return stream.getvalue().decode(), list(bioc_xml.read(io.BytesIO(stream.getvalue())))


def test_bc5cdr_dialect():
    (found,) = xml(
        document(
            TEXT.format(ASPIRIN + ULCER),
            "<relation id='R0'><infon key='relation'>CID</infon>"
            "<infon key='Chemical'>D001241</infon><infon key='Disease'>D014456</infon></relation>",
        )
    )
    assert [e.concepts for e in found.entities] == [("D001241",), ("D014456",)]
    assert found.relations == (
        Relation(
            type="CID", head="D001241", tail="D014456", id="R0", roles=("Chemical", "Disease")
        ),
    )
    text, read_back = again([found])
    assert read_back == [found]
    assert '<infon key="MESH">D001241</infon>' in text
    assert '<infon key="Chemical">D001241</infon>' in text


def test_pubtator3_dialect():
    data = {
        "PubTator3": [
            {
                "_id": "1|None",
                "id": "1",
                "pmid": 1,
                "authors": ["A"],
                "passages": [
                    {
                        "infons": {"type": "title", "section_type": "TITLE"},
                        "offset": 0,
                        "text": "Aspirin and ulcer",
                        "annotations": [
                            {
                                "id": "5",
                                "infons": {
                                    "identifier": "MESH:D001241",
                                    "type": "Chemical",
                                    "valid": True,
                                    "normalized": ["D001241"],
                                },
                                "text": "Aspirin",
                                "locations": [{"offset": 0, "length": 7}],
                            },
                            {
                                "infons": {"identifier": None, "type": "Disease"},
                                "text": "ulcer",
                                "locations": [{"offset": 12, "length": 5}],
                            },
                        ],
                    }
                ],
                "relations": [
                    {
                        "id": "R1",
                        "infons": {
                            "score": "0.99",
                            "role1": "Chemical|MESH:D001241",
                            "role2": "Chemical|MESH:D001241",
                            "type": "Association",
                        },
                        "nodes": [{"refid": "0", "role": "0,1"}],
                    },
                    {"id": "R2", "infons": {"type": "odd"}, "nodes": [{"refid": "5"}]},
                ],
            }
        ]
    }
    (found,) = bioc_json.read(io.BytesIO(json.dumps(data).encode()))
    assert found.entities[0].concepts == ("MESH:D001241",)
    assert found.entities[1].concepts == ()
    assert found.entities[1].id == "1"
    relation = found.relations[0]
    assert (relation.head, relation.roles, relation.confidence) == (
        "MESH:D001241",
        ("Chemical", "Chemical"),
        0.99,
    )
    stream = io.BytesIO()
    bioc_json.write([found], stream)
    written = json.loads(stream.getvalue())["documents"][0]
    assert written["authors"] == ["A"]
    assert written["passages"][0]["annotations"][0]["infons"]["normalized"] == ["D001241"]
    assert written["relations"][0]["infons"] == data["PubTator3"][0]["relations"][0]["infons"]
    assert written["relations"][1]["nodes"] == [{"refid": "5", "role": ""}]
    assert list(bioc_json.read(io.BytesIO(stream.getvalue()))) == [found]
    assert again([found])[1] == [found]


def test_relations_by_nodes_are_relations_between_mentions():
    (found,) = xml(
        document(
            TEXT.format(ASPIRIN + ULCER),
            "<relation id='R0'><infon key='type'>causes</infon><node refid='0' role='Cause'/>"
            "<node refid='1' role='Theme'/></relation>",
        )
    )
    assert found.mention_relations == (
        MentionRelation(type="causes", head="0", tail="1", id="R0", roles=("Cause", "Theme")),
    )
    assert again([found])[1] == [found]


def test_sentences_are_joined_to_their_passage():
    sentence = "<sentence><offset>{}</offset><text>{}</text>{}</sentence>"
    (found,) = xml(
        document(
            "<passage><infon key='type'>abstract</infon><offset>3</offset>"
            + sentence.format(3, "Aspirin.", ASPIRIN.replace("offset='0'", "offset='3'"))
            + sentence.format(13, "Helps.", "")
            + "</passage>"
        )
    )
    assert found.text == "   Aspirin.  Helps."
    assert found.entities[0].spans == (Span(3, 10),)


def test_text_around_comments_and_literal_sections_is_whole():
    """bioc 2.1 cuts the text off at a comment."""
    (found,) = xml(
        document(
            "<passage><offset>0</offset><text>BRCA1 &amp; <!-- </document> -->two "
            "<![CDATA[<b> </document>]]> &#x3b1;<i>!</i></text></passage>"
        )
    )
    assert found.text == "BRCA1 & two <b> </document> \u03b1!"


def test_an_annotation_without_id_or_text_is_completed():
    bare = "<annotation><infon key='type'>X</infon><location offset='0' length='7'/></annotation>"
    (found,) = xml(document(TEXT.format(bare)))
    assert (found.entities[0].id, found.entities[0].text) == ("0", "Aspirin")


def test_errors_name_line_and_document_and_can_be_skipped():
    bad = document(TEXT.format(ASPIRIN.replace("offset='0'", "offset='1'")))
    with pytest.raises(FormatError, match=r"x\.xml:3, document 1: offsets 1-8 cover 'spirin '"):
        xml(bad)
    errors = []
    assert len(xml(bad + document(TEXT.format(ASPIRIN)), on_error=errors.append)) == 1
    assert len(errors) == 1
    broken = "<document><id>2</id><passage></document>"
    assert len(xml(broken + document(TEXT.format("")), on_error=errors.append)) == 1
    assert "not well-formed XML" in str(errors[1])


@pytest.mark.parametrize(
    ("passages", "message"),
    [
        ("<passage><offset>x</offset><text>a</text></passage>", "whole number of characters"),
        ("<passage><offset>\u0661</offset><text>a</text></passage>", "whole number"),
        ("<passage><offset>99999999999999999999999</offset></passage>", "whole number"),
        ("<passage><offset>900000000</offset><text>a</text></passage>", "does not follow"),
        (
            "<passage><offset>0</offset><text>abc</text></passage>"
            "<passage><offset>2</offset><text>d</text></passage>",
            "passage offset 2 does not follow the text before it, which ends at 3",
        ),
        ("<passage><offset>0</offset><text>&unknown;</text></passage>", "not well-formed"),
        ("<passage><offset>0</offset><text>a</text><annotation id='1'/></passage>", "no location"),
    ],
)
def test_what_is_wrong_is_said(passages, message):
    with pytest.raises(FormatError, match=message):
        xml(document(passages))


def test_entities_of_a_document_type_are_not_expanded():
    bomb = (
        '<?xml version="1.0"?><!DOCTYPE collection [<!ENTITY a "aaaaaaaaaa">'
        '<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
        "<collection>{}</collection>"
    )
    for name in "bf":
        text = document(f"<passage><offset>0</offset><text>&{name};</text></passage>")
        with pytest.raises(FormatError, match="not well-formed XML"):
            list(bioc_xml.read(io.BytesIO(bomb.format(text).encode())))


def test_other_encodings_are_refused_by_name():
    data = "<?xml version='1.0' encoding='ISO-8859-1'?><collection/>".encode("latin-1")
    with pytest.raises(FormatError, match="expected UTF-8, found the encoding 'ISO-8859-1'"):
        list(bioc_xml.read(io.BytesIO(data)))
    with pytest.raises(FormatError, match="UTF-16"):
        list(bioc_xml.read(io.BytesIO("<collection/>".encode("utf-16"))))


def test_another_root_is_refused():
    with pytest.raises(
        FormatError, match="expected BioC XML with the root <collection>, found <a>"
    ):
        list(bioc_xml.read(io.BytesIO(b"<a><collection/></a>")))


@pytest.mark.parametrize(
    "data",
    [
        '{"id": 1, "passages": []}',
        '[{"id": "1", "passages": []}]',
        '{"documents": [{"id": "1", "passages": []}], "source": "x"}',
        '[{"documents": [{"id": "1", "passages": []}]}]',
        '\n{"PubTator3": [{"id": "1", "passages": []}]}\n',
    ],
)
def test_shapes_of_json(data):
    assert [d.id for d in bioc_json.read(io.BytesIO(data.encode()))] == ["1"]
    lines = f"{data}\n{data}\n".encode()
    assert len(list(bioc_json.read(io.BytesIO(lines)))) == 2


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ('{"documents": [{"id": "1"}]}', "missing required field `passages`"),
        ('{"documents": [7]}', "not a BioC document"),
        ('{"documents": [{"id": "1", "passages": [{"offset": 1.5}]}]}', "passages"),
        ('{"id": "\\ud800", "passages": []}', "half a surrogate pair"),
        ('{"id": NaN, "passages": []}', "NaN is not JSON"),
        ('{"id": "1", "passages": [', "is the file truncated"),
        ('{"id": "1" "passages": []}', ":1: not JSON: expected , or }, found '\"'"),
        ('{"id": ' + "9" * 5000 + "}", "not JSON"),
        ("[" * 100000, "nested too deeply"),
    ],
)
def test_what_is_wrong_with_json_is_said(data, message):
    with pytest.raises(FormatError, match=message.replace("}", r"\}")):
        list(bioc_json.read(io.BytesIO(data.encode()), source="x"))


def test_a_long_collection_is_read_piece_by_piece():
    """The first document comes before the stream is read to its end."""

    class Counting(io.BytesIO):
        taken = 0

        def read(self, size=-1):
            data = super().read(size)
            self.taken += len(data)
            return data

    one = json.dumps({"id": "1", "passages": [{"offset": 0, "text": "x" * 1000}]})
    whole = ('{"documents": [' + ",".join([one] * 3000) + "]}").encode()
    stream = Counting(whole)
    documents = bioc_json.read(stream)
    next(documents)
    assert stream.taken < len(whole) / 5
    assert sum(1 for _ in documents) == 2999


def test_characters_xml_cannot_hold_are_counted():
    from collections import Counter

    from bluered.documents import simple_document

    losses = Counter()
    stream = io.BytesIO()
    bioc_xml.write([simple_document("1", "a\vb\0c", "\r\n")], stream, losses=losses)
    assert losses["characters XML cannot hold (written as spaces)"] == 2
    (found,) = bioc_xml.read(io.BytesIO(stream.getvalue()))
    assert found.text == "a b c \r\n"
