"""Sentence boundaries in the prose of abstracts."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluered.documents.document import Document, Passage, Span, simple_document
from bluered.documents.sentences import sentences

SPLITS = {
    "stop and capital": "We saw it. | It was new.",
    "unit with capital": "The dose was 5 uM. | Mutations were rare.",
    "latin abbreviations": "Some genes, e.g. BRCA1, i.e. Those of repair, differ vs. Controls.",
    "figure": "See Fig. 2 and Figs. 3A. | Then stop.",
    "et al. goes on": "As Smith et al. (1999) and Jones et al. Science wrote.",
    "et al. ends": "This was seen by Smith et al. | We repeat it.",
    "species": "Growth of E. coli and S. Typhimurium fell. | The end.",
    "initial that ends": "They lack vitamin C. | The rats died.",
    "decimal": "It rose by 3.5 mg (p < 0.05). | No change was seen.",
    "patients": "All 12 pts. Had it been, approx. 5 would do.",
    "route": "Drug was given i.v. | Rats slept.",
    "route, lower case": "Drug was given i.p. daily to rats.",
    "country": "The U.S. Food and Drug Administration acts.",
    "bracket": "It fell (data not shown. See methods) in all. | Next.",
    "open bracket never closed": "It fell (oddly. | Next came more.",
    "gene at the start": "Cells died. | p53 was absent. | c-Myc and mRNA rose.",
    "Greek at the start": "Cells died. | \N{GREEK SMALL LETTER ALPHA}-synuclein was absent.",
    "lower case goes on": "The no. of cells was app. equal.",
    "question and exclamation": "Does it work? | yes! | It does.",
    "quote": 'He said "it works." | We doubt it.',
    "list number": "1. The first aim. | 2. The second.",
    "labels": "BACKGROUND: We ask. | RESULTS: It is | CONCLUSIONS AND OUTLOOK: good.",
    "label of two words": "We ask. | Materials and METHODS: We do.",
    "glued": "Cells died.| The rest lived.",
    "glued name stays": "Use Node.Js or cells.Nature here.",
    "empty line": "One paragraph\n\n| another one.",
    "line wrap": "One sentence\nover two lines. | Two.",
    "ellipsis": "It rose... | Then it fell.",
    "title without a stop": "A title",
}


@pytest.mark.parametrize("marked", SPLITS.values(), ids=SPLITS.keys())
def test_boundaries(marked: str):
    parts = [part.strip() for part in marked.split("|")]
    text = marked.replace(".| ", ".").replace("| ", "")
    document = Document(id="1", text=text)
    assert [text[s.start : s.end] for s in sentences(document)] == parts


def test_sentences_do_not_cross_passages():
    document = simple_document("1", "A title without a stop", "The abstract. Goes on.")
    found = [document.text[s.start : s.end] for s in sentences(document)]
    assert found == ["A title without a stop", "The abstract.", "Goes on."]


def test_empty_passages_have_no_sentence():
    assert sentences(simple_document("1", "", "")) == []
    assert sentences(Document(id="1", text="")) == []


def test_text_between_passages_is_left_out():
    document = Document(
        id="1",
        text="One. XX Two.",
        passages=(Passage(type="a", start=0, end=4), Passage(type="b", start=8, end=12)),
    )
    assert sentences(document) == [Span(0, 4), Span(8, 12)]


@given(st.text(alphabet="aB1 .?!()\n\u2028\U0001f9ec\u0301:", max_size=80))
def test_sentences_cover_all_but_white_space(text: str):
    found = sentences(Document(id="1", text=text))
    assert all(a.end <= b.start for a, b in pairwise(found))
    inside = "".join(text[s.start : s.end] for s in found)
    assert "".join(inside.split()) == "".join(text.split())
    for span in found:
        covered = text[span.start : span.end]
        assert covered == covered.strip() != ""


def test_sentences_of_real_abstracts(data_dir):
    from bluered.formats import pubtator

    count = 0
    with (data_dir / "biored" / "Dev.PubTator").open("rb") as stream:
        for document in pubtator.read(stream):
            found = sentences(document)
            count += len(found)
            for entity in document.entities:  # hardly any mention is cut
                assert any(s.start <= entity.start < s.end for s in found)
    assert 1000 < count < 1400  # about eleven sentences a document
