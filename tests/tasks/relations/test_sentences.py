"""The sentences of BLUE's ChemProt rows: one test for each rule, and the table of exceptions."""

import pytest

from bluered.tasks.relations.sentences import published_boundaries, sentence_spans


def split(text: str, document: str = "") -> list[str]:
    return [text[s.start : s.end] for s in sentence_spans(text, document)]


@pytest.mark.parametrize(
    "text",
    [
        "One ends. | Two ends? | Three ends! | And four",
        "It blocks (n = 3). | miR-200 does not. | 5-HT does. | (-)-Pindolol does. | [3H] binds.",
        "In animals. | 1. | The first. | 2. | The second.",
        "It works.| In conclusion, it works.| Clinical use.",
        "TNF-α and TGFβ. | αKG too. | PKCθ. |\xa0Beta. | beta 2-agonists too.",
        "At 4 degrees C. At 5 nM. Of PDE3A. Of rhoA. In E. coli, by Li, X. and so on.",
        "Of HM74A. | Furthermore, it is. | Of CYP3A. | Moreover, it is not.",
        "For TNF. | The mRNA of DNA. | It is.",
        "After 24 h. We saw it. | Of vitamin a. It is.",
        "Given e.g. CD16, i.e. IgG, i.v. NaCl (c.f. Fig. | 2) vs. Placebo.",
        "In vivo. induces more. | Daily i.p. injection of spp. and others.",
        "The genes p.Ser107 and v3.2 and G-A*. Whereas DLD-1.POX is.",
        'It is (yes.) It is "so." It ends.  ',
    ],
)
def test_a_stop_before_white_space_ends_a_sentence_but_not_as_part_of_a_word(text) -> None:
    pieces = [piece.strip() for piece in text.split("|")]
    whole = text.replace(" | ", " ").replace("|", "")
    assert split(whole) == pieces


def test_no_text_has_no_sentences() -> None:
    assert split("") == split("  \n") == []


def test_blues_own_boundaries_come_before_the_rules() -> None:
    found = published_boundaries()
    assert len(found) == 53
    assert sum(len(split) for split, _ in found.values()) == 10
    assert sum(len(joined) for _, joined in found.values()) == 48
    document = next(d for d, (_, joined) in found.items() if joined)
    start = min(found[document][1])
    text = "x" * (start - 2) + ". Two."
    assert split(text) == ["x" * (start - 2) + ".", "Two."]
    assert split(text, document) == [text]
