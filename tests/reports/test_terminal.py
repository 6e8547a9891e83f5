"""The terminal view, with and without colour, narrow and wide."""

import io

import pytest
from rich.console import Console

from bluered.documents.document import Document, Entity, Span, simple_document
from bluered.pipeline.pipeline import failed
from bluered.reports.terminal import print_documents

TEXT = (
    "BRCA1 in breast cancer\n\n"
    "Olaparib slows breast cancer. MCF-7 cells lack BRCA1, as Olaparib does."
)


def printed(document: Document, *, width: int = 80, colour: bool = False) -> str:
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=colour, color_system="truecolor" if colour else None,
        highlight=False,
    )  # fmt: skip
    assert print_documents([document], console) == 1
    return out.getvalue()


def test_without_colour_mentions_bear_letters(nlp):
    text = printed(nlp(TEXT))
    assert "[BRCA1]G in [breast cancer]D" in text
    assert "G = Gene (1)  D = Disease (1)  C = Chemical (1)  L = Cell line (1)" in text
    assert "\x1b" not in text


@pytest.mark.parametrize("width", [60, 80, 117, 118, 160])
def test_relations_show_type_novelty_confidence_and_sentence(nlp, width):
    lines = printed(nlp(TEXT), width=width).splitlines()
    text = " ".join(" ".join(lines).split())
    for word in ("Head", "Relation", "Tail", "Novelty", "Association", "novel", "0.50"):
        assert word in text
    assert "slows" in text.split("Conf.")[1]
    assert all(len(line) <= width for line in lines)


def test_a_very_narrow_terminal_is_not_overrun(nlp):
    assert all(len(line) <= 40 for line in printed(nlp(TEXT), width=40).splitlines())


def test_with_colour_the_kinds_differ(nlp):
    text = printed(nlp(TEXT), colour=True)
    assert "\x1b[1;38;2;0;0;0;48;2;86;180;233mBRCA1" in text  # in the bold title
    assert "48;2;230;159;0" in text
    assert "]G" not in text


def test_local_ids_are_said_to_be_local(nlp):
    assert "local ids: they hold within this document only" in " ".join(printed(nlp(TEXT)).split())


def test_nothing_found(nlp):
    text = printed(nlp("Nothing here."))
    assert "No entities." in text
    assert "No relations." in text


def test_a_failed_document_says_why(nlp):
    assert "not annotated: ValueError: too odd" in printed(failed(nlp(TEXT), ValueError("too odd")))


def test_control_characters_do_not_reach_the_terminal():
    entity = Entity(type="Gene", spans=(Span(6, 12),), text="\x1b[31mX")
    document = simple_document("1\x1b[2J", "evil: \x1b[31mX\x07 \x9b2J", "")
    for colour in (False, True):
        text = printed(
            Document(
                id=document.id, text=document.text, passages=document.passages, entities=(entity,)
            ),
            colour=colour,
        )
        assert "\x1b[31m" not in text
        assert "\x1b[2J" not in text
        assert "\x07" not in text
        assert "\x9b" not in text


def test_markup_of_the_library_is_plain_text():
    assert "[bold]not bold[/bold] :smile:" in printed(
        simple_document("1", "[bold]not bold[/bold] :smile:")
    )


LINKED = Entity(
    type="DiseaseOrPhenotypicFeature",
    spans=(Span(0, 8),),
    text="bleeding",
    concepts=("D006470",),
    infons={"concept_name": "Hemorrhage", "match": "exact synonym", "score": "0.999"},
)
UNKNOWN = Entity("ChemicalEntity", (Span(13, 15),), "S-", concepts=("local:s",))
BLEEDING = Document(id="1", text="bleeding and S-", entities=(LINKED, UNKNOWN))


@pytest.mark.parametrize("width", [60, 80, 130])
def test_concepts_are_shown_with_id_name_and_score(width):
    text = printed(BLEEDING, width=width)
    assert all(len(line) <= width for line in text.splitlines())
    for word in ("[bleeding]D", "D006470", "Hemorrhage", "1.00"):
        assert word in text
    words = " ".join(text.split())
    assert "Local ids, which hold within this document only: [S-]C" in words


def test_an_id_links_to_its_home_where_there_is_colour():
    home = "https://meshb.nlm.nih.gov/record/ui?ui=D006470"
    assert home in printed(BLEEDING, colour=True)
    assert home not in printed(BLEEDING)
