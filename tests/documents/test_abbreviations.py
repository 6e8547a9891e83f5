"""Abbreviation definitions, after Schwartz and Hearst."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluered.documents.abbreviations import definitions

CASES = [
    ("Long QT syndrome (LQTS) is rare.", [("LQTS", "Long QT syndrome")]),
    ("of congenital long QT syndrome (LQTS; type 1)", [("LQTS", "long QT syndrome")]),
    ("the angiotensin-converting enzyme (ACE)", [("ACE", "angiotensin-converting enzyme")]),
    ("Tumour necrosis factor-alpha (TNF-a) rose", [("TNF-a", "Tumour necrosis factor-alpha")]),
    ("given LQTS (long QT syndrome) early", [("LQTS", "long QT syndrome")]),
    ("in mice (n = 12) and rats (P < 0.05)", []),
    ("we saw it (see Fig. 2) twice", []),
    ("heat shock transcription factor 1 (HSF1)", [("HSF1", "heat shock transcription factor 1")]),
    ("In TTF-1 expressing cells (TTF-1)", []),
    ("Cells died. Quickly, EGF receptor (EGFR) rose", [("EGFR", "EGF receptor")]),
    ("no long form here (ABC)", []),
    ("(ABC) at the start, () and (A)", []),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_definitions(text, expected):
    found = [
        (text[d.short.start : d.short.end], text[d.long.start : d.long.end])
        for d in definitions(text)
    ]
    assert found == expected


@given(st.text(alphabet="aAbB1 ()-.,\u0130\u2028\U0001f9ec", max_size=60))
def test_no_text_breaks_it(text):
    for definition in definitions(text):
        assert 0 <= definition.long.start < definition.long.end <= len(text)
        assert 0 <= definition.short.start < definition.short.end <= len(text)


def test_definitions_of_real_abstracts(data_dir):
    from bluered.formats import pubtator

    with (data_dir / "biored" / "Dev.PubTator").open("rb") as stream:
        found = {
            (d.text[x.short.start : x.short.end], d.text[x.long.start : x.long.end])
            for d in pubtator.read(stream)
            for x in definitions(d.text)
        }
    assert len(found) > 200
    assert ("PD", "Parkinson's disease") in found
