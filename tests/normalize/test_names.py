"""Which names count as the same name."""

import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluered.documents.biored_types import CHEMICAL, DISEASE, ENTITY_TYPES, GENE, VARIANT
from bluered.normalize.names import name_key, name_words, slug, word_key

ANY_TEXT = st.text(st.characters(max_codepoint=sys.maxunicode), max_size=40)  # surrogates too


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("TNF-α", "tnf alpha", GENE),
        ("TNFα", "TNF-alpha", GENE),
        ("IFN-γ", "IFN gamma", GENE),
        ("NF-κB", "NF kappa B", GENE),
        ("µ-opioid receptor", "mu opioid receptor", GENE),  # the micro sign
        ("μ-opioid receptor", "mu opioid receptor", GENE),  # the Greek letter
        ("ςα", "sigma alpha", GENE),
        ("collagen type II", "collagen type 2", GENE),
        ("collagen type I", "collagen type 1", GENE),
        ("factor X deficiency", "factor 10 deficiency", DISEASE),
        ("angiotensin II", "angiotensin 2", CHEMICAL),
        ("breast cancers", "Breast Cancer", DISEASE),
        ("neuropathies", "neuropathy", DISEASE),
        ("abscesses", "abscess", DISEASE),
        ("Alzheimer's disease", "Alzheimer disease", DISEASE),
        ("Alzheimers disease", "Alzheimer disease", DISEASE),
        ("Alzheimer\N{RIGHT SINGLE QUOTATION MARK}s disease", "Alzheimer's disease", DISEASE),
        ("mice", "mouse", "OrganismTaxon"),
        ("women", "woman", "OrganismTaxon"),
        ("PARPs", "PARP", GENE),
        ("caspases", "caspase", GENE),
        ("anaemia", "anemia", DISEASE),
        ("oesophageal tumours", "esophageal tumor", DISEASE),
        ("sulphate", "sulfate", CHEMICAL),
        ("HIV-1", "HIV 1", "OrganismTaxon"),
        ("beta-2-microglobulin", "beta 2 microglobulin", GENE),
        ("ﬁbrosis", "fibrosis", DISEASE),  # a ligature
        ("ＢＲＣＡ１", "BRCA1", GENE),  # full width
        ("V 600 E", "V600E", VARIANT),
        ("p.V600E", "V600E", VARIANT),
        ("c.76A>T", "76A>T", VARIANT),
        ("p.(Val600Glu)", "Val600Glu", VARIANT),
    ],
)
def test_same_names(one, other, kind):
    assert name_key(one, kind=kind) == name_key(other, kind=kind)


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("IL-1", "IL-11", GENE),
        ("1-2", "12", CHEMICAL),
        ("1,25-dihydroxyvitamin D3", "12,5-dihydroxyvitamin D3", CHEMICAL),
        ("Kras", "Kra", GENE),  # a symbol keeps its s
        ("BRCA1", "BRCA2", GENE),
        ("type 1 diabetes", "type 2 diabetes", DISEASE),
        ("factor V", "factor 10", GENE),
        ("protein V", "protein 5", GENE),  # a letter: nothing before it says that it is a number
        ("protein I", "protein 1", GENE),
        ("PAEP", "PEP", GENE),  # British spelling is no matter of symbols
        ("ibuprofen (S)", "ibuprofen", CHEMICAL),
        ("virus", "viru", "OrganismTaxon"),
        ("fibrosis", "fibrosi", DISEASE),
        ("76A>T", "76AT", VARIANT),
        ("V600E", "V600K", VARIANT),
        ("TNF-α", "TNF-β", GENE),
    ],
)
def test_other_names(one, other, kind):
    assert name_key(one, kind=kind) != name_key(other, kind=kind)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Diabetes Mellitus, Type 2", "type II diabetes mellitus"),
        ("Cancer of the Breast", "breast cancer"),
        ("Neoplasms, Breast", "breast neoplasm"),
        ("Anemia, Sickle Cell", "sickle-cell anaemia"),
    ],
)
def test_same_words_in_any_order(one, other):
    assert word_key(one, kind=DISEASE) == word_key(other, kind=DISEASE) != ""


@pytest.mark.parametrize("name", ["", "diabetes", "the diabetes", "type of", "...", "flu flu"])
def test_one_word_has_no_order(name):
    assert word_key(name, kind=DISEASE) == ""


@given(st.permutations(["sickle", "cell", "anemia", "2", "of"]))
def test_order_does_not_count(words):
    assert word_key(" ".join(words)) == "2 anemia cell sickle"


@given(name=ANY_TEXT, kind=st.sampled_from(["", *ENTITY_TYPES]))
def test_any_text_has_a_key(name, kind):
    assert bool(name_key(name, kind=kind)) == bool(name)
    assert name_key(name, kind=kind).encode() or not name
    assert isinstance(word_key(name, kind=kind), str)
    assert all(name_words(name, kind=kind))


@given(
    words=st.lists(st.sampled_from("BRCA1 alpha tumors 5 anaemia Mice 12 II".split()), min_size=1),
    mark=st.sampled_from([" ", "-", "  ", ", ", "/", "_", "\N{NO-BREAK SPACE}"]),
    kind=st.sampled_from([GENE, DISEASE, CHEMICAL]),
)
def test_what_stands_between_words_does_not_count(words, mark, kind):
    assert name_key(mark.join(words), kind=kind) == name_key(" ".join(words), kind=kind)


@given(st.lists(st.from_regex(r"[a-z]{2,8}[0-9]{0,3}", fullmatch=True), min_size=1, max_size=4))
def test_a_symbol_s_key_is_its_own_key(words):
    """Of symbols; "protein S" gives "proteins", whose own key has no s."""
    key = name_key("-".join(words), kind=GENE)
    if not re.search(r"s(?![a-z])", " ".join(words)) and not key.endswith("s"):
        assert name_key(key, kind=GENE) == key


@given(st.from_regex(r"[A-Za-z0-9 α-ω-]{1,20}", fullmatch=True), st.sampled_from([GENE, CHEMICAL]))
def test_normal_forms_of_unicode_have_one_key(name, kind):
    assert name_key(unicodedata.normalize("NFD", name), kind=kind) == name_key(name, kind=kind)


@given(name=ANY_TEXT, longest=st.integers(1, 60))
def test_slugs_are_plain(name, longest):
    found = slug(name, longest=longest)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", found)
    assert found == "concept" or len(found) <= longest


def test_slugs_spell_greek_and_drop_accents():
    assert slug("Sjögren's β-cell") == "sjogren-s-beta-cell"
    assert slug("***") == "concept"
