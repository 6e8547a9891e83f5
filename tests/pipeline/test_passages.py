"""Where the title of a plain text ends."""

import pytest

from bluered.documents.document import Document, Passage
from bluered.pipeline.passages import document_from_text, with_passages

CASES = {
    "title, empty line, abstract": ("A title\n\nAn abstract.", ["A title", "An abstract."]),
    "title, line end, abstract": ("A title\nAn abstract.", ["A title", "An abstract."]),
    "one line": ("All in one line.", ["All in one line."]),
    "wrapped lines": ("This text goes\non and on.", ["This text goes\non and on."]),
    "wrapped title": ("A title\nof two lines\n\nText.", ["A title\nof two lines", "Text."]),
    "windows line ends": ("A title\r\n\r\nText.\r\n", ["A title", "Text."]),
    "three paragraphs": ("T\n\nOne.\n\nTwo.", ["T", "One.\n\nTwo."]),
    "white space around": ("\n  T \n\n\n One. \n", ["T", "One."]),
    "U+2028 is no line end": ("A title\u2028goes on", ["A title\u2028goes on"]),
    "astral characters": (
        "\U0001f9ec title\n\n\U0001f9ec text",
        ["\U0001f9ec title", "\U0001f9ec text"],
    ),
    "nothing": (" \n ", []),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
def test_passages(text, expected):
    document = document_from_text(text)
    assert document.text == text
    assert [text[p.start : p.end] for p in document.passages] == expected


def test_given_passages_stay():
    passages = (Passage(type="title", start=0, end=3),)
    document = Document(id="1", text="A\nB", passages=passages)
    assert with_passages(document) is document


def test_plain_text_of_a_reader_is_parted():
    document = Document(id="1", text="A\nB", passages=(Passage(type="text", start=0, end=3),))
    assert [p.type for p in with_passages(document).passages] == ["title", "abstract"]
