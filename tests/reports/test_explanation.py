"""Explanations in a terminal."""

import io

import pytest
from rich.console import Console

from bluered.documents.document import Span
from bluered.pipeline.explanation import (
    Considered,
    Explanation,
    Name,
    Part,
    Reading,
    Reason,
    Species,
)
from bluered.reports.explanation import print_explanations

GENE = "GeneOrGeneProduct"
RAT = Considered(
    "24835", "Tnf", "Rattus norvegicus", "exact synonym", "'TNF' is an alias of it", 0.87
)
HUMAN = Considered("7124", "TNF", "Homo sapiens", "exact name", "'TNF' is its symbol", 0.07)
MOUSE = Considered("21926", "Tnf", "Mus musculus", "exact name", "'TNF' is its symbol", 0.05)
PART = Part(
    name="TNF",
    id="24835",
    candidates=(RAT, HUMAN, MOUSE),
    more=3,
    because=(
        Reason("species", "its species is right", 2.8),
        Reason("name", "the name fits", 0.4),
        Reason("papers", "papers speak of the second", -0.6),
    ),
    species=Species("10116", "Rattus norvegicus", "beside", "'rat' stands before it"),
)
NAME = Name("TNF", GENE, (Span(0, 3), Span(9, 12)), ("24835",), local=False, parts=(PART,))


def printed(*names: Name, width: int = 100, colour: bool = False) -> list[str]:
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=colour, color_system="truecolor" if colour else None,
        highlight=False,
    )  # fmt: skip
    assert print_explanations([Explanation("1", names)], console) == len(names)
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_a_linked_name():
    assert printed(NAME) == [
        "1",
        "",
        "[TNF]G  gene, 2 mentions",
        "  id       24835  Tnf (Rattus norvegicus), probability 0.87",
        "  how      'TNF' is an alias of it",
        "  species  Rattus norvegicus: 'rat' stands before it",
        "  because  its species is right (+2.8); the name fits (+0.4)",
        "  though   papers speak of the second (-0.6)",
        "  second   7124  TNF (Homo sapiens), probability 0.07, 0.80 behind: 'TNF' is its symbol",
        "  then     21926  Tnf (Mus musculus) 0.05; 3 more",
    ]


def test_a_name_that_was_not_linked_shows_the_likeliest():
    part = Part("TNF", "", (HUMAN,), 0, (), why_not="too unlikely")
    name = Name(
        "TNF", GENE, (Span(0, 3),), ("local:tnf",), local=True, given=("7124",), parts=(part,)
    )
    assert printed(name)[3:] == [
        "  id       local:tnf (holds within this document only)",
        "  why not  too unlikely",
        "  likely   7124  TNF (Homo sapiens), probability 0.07",
        "  how      'TNF' is its symbol",
        "  second   none: no other concept was found by this name",
        "  file     the file says 7124",
    ]


def test_a_name_of_several_concepts_has_a_block_for_each():
    name = Name("TNF/2", GENE, (Span(0, 5),), ("24835", "7124"), local=False, parts=(PART, PART))
    lines = printed(name)
    assert lines[3] == "  ids      24835, 7124"
    assert lines.count("  [TNF]G") == 2


def test_a_variant_and_a_lent_id():
    reading = Reading(
        "rs1", "p|SUB|A|1|C", "known variant", "a table says so", 0.94, "7124", "TNF", ""
    )
    variant = Name("A1C", "SequenceVariant", (Span(0, 3),), ("rs1",), local=False, variant=reading)
    lent = Name("FS", "Disease", (Span(5, 7),), ("D9",), local=False, lent_by="frobnitz syndrome")
    lines = printed(variant, lent)
    assert "  id       rs1  p|SUB|A|1|C, right in 94% of such cases" in lines
    assert "  gene     7124 TNF" in lines
    assert "  how      the text uses it for the same as 'frobnitz syndrome'" in lines


@pytest.mark.parametrize("width", [40, 60, 80])
def test_blocks_fit_the_width(width):
    assert all(len(line) <= width for line in printed(NAME, width=width))


def test_colours_links_and_control_characters():
    name = Name("T\x1b[31m", GENE, (Span(0, 3),), ("24835",), local=False, parts=(PART,))
    text = "\n".join(printed(name, colour=True))
    assert "https://www.ncbi.nlm.nih.gov/gene/24835" in text
    assert "48;2;86;180;233m" in text
    assert "\x1b[31m" not in text
