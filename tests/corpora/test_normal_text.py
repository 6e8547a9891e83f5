"""Copies of a text as different corpora write it come out alike."""

import pytest

from bluered.corpora.normal_text import normal_text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("TNF-α kills.", "tnf-alpha  KILLS"),
        ("β-catenin", "beta - catenin"),
        ("Ωmega ΔF508", "omegamega deltaF508"),
        ("5 µg of µ-opioid", "5 μg of μ-opioid"),
        ("ϑ ά Ω", "theta alpha omega"),
        ("the GHS-R ( receptor )", "the GHS-R (receptor)"),
        ("the -LRB- second -RRB- of", "the (second) of"),
        ("H<sub>2</sub>O and <i>E. coli</i><br/>", "H2O and E. coli"),
        ("p &lt; 0.05 &amp; TNF-&alpha;", "p < 0.05 & TNF-alpha"),
        ("Sjögren's café, Müller", "Sjogren's cafe, Muller"),
        ("10²", "102"),
        ("ﬁbre", "fibre"),
    ],
)
def test_what_corpora_write_differently_is_the_same(one: str, other: str) -> None:
    assert normal_text(one) == normal_text(other) != b""


def test_other_words_and_numbers_stay_different() -> None:
    assert normal_text("p<0.05 and i>3") == b"p005andi3"
    assert normal_text("no 1") != normal_text("no 2")


def test_a_text_of_no_latin_letters_is_empty() -> None:
    assert normal_text("—…中文 ") == b""
