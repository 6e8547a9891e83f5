"""Names of a dictionary in texts: what is found, what is no name, what a document says itself."""

import pytest

from bluered.normalize.dictionary import Dictionary, join, words
from bluered.normalize.names import name_key
from bluered.normalize.plausible import plausible
from bluered.normalize.store import write_terminology
from bluered.normalize.term import Term
from bluered.normalize.terminology import Terminology

GENE, DISEASE, CHEMICAL, SPECIES, LINE = (
    "GeneOrGeneProduct", "DiseaseOrPhenotypicFeature", "ChemicalEntity", "OrganismTaxon",
    "CellLine",
)  # fmt: skip
ALPHA = "\N{GREEK SMALL LETTER ALPHA}"
TERMS = (
    Term("1", GENE, "ZNF9", ("CAN", "WAS", "TNF-alpha"), ("zelm receptor", "crembolin"), "9606"),
    Term("2", GENE, "zelm receptor 2", (), (), "9606"),
    Term("3", GENE, "QRX7", (), (), "9606"),
    Term("D000001", DISEASE, "frail ague", ("ague",), ("WAS",), seen={"WAS": 3, "dull ague": 1}),
    Term("D000002", DISEASE, "type 2 frailty"),
    Term("D000003", CHEMICAL, "zelm", ("Ca(2+)",)),
    Term("10090", SPECIES, "Mus musculus", ("mice", "rat")),
    Term("7", SPECIES, "Cancer"),
    Term("CVCL_0001", LINE, "HeZo"),
    Term("CVCL_0002", LINE, "QRX7"),
    Term("CVCL_0003", LINE, "of"),
)


@pytest.fixture(scope="module")
def dictionary(tmp_path_factory) -> Dictionary:
    folder = tmp_path_factory.mktemp("dictionary")
    write_terminology(TERMS, folder, name="tiny", built="2026-01-01", sources=())
    return Dictionary(Terminology(folder))


def found(dictionary: Dictionary, text: str, **options) -> list[tuple[str, str]]:
    matches = dictionary.matches(text, **options)
    return [(text[match.start : match.end], match.type) for match in matches]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The zelm receptor-2 binds.", [("zelm", CHEMICAL), ("zelm receptor-2", GENE)]),
        (f"TNF-{ALPHA} and ZNF 9", [(f"TNF-{ALPHA}", GENE), ("ZNF 9", GENE)]),
        ("Type II frailty in mice", [("Type II frailty", DISEASE), ("mice", SPECIES)]),
        ("Frail agues", [("Frail agues", DISEASE)]),
        ("a frail \N{OLD ITALIC LETTER A} ague", [("ague", DISEASE)]),
        ("high Ca(2+) levels", [("Ca(2+)", CHEMICAL)]),
        ("\N{OLD ITALIC LETTER A} HeZo cells", [("HeZo", LINE)]),
        ("", []),
    ],
)  # fmt: skip
def test_the_longest_names_of_each_type_are_found(dictionary, text, names):
    assert found(dictionary, text) == names


def test_a_name_does_not_go_over_the_end_of_a_sentence(dictionary):
    assert found(dictionary, "They were frail. Ague came.") == [("Ague", DISEASE)]


def test_names_carry_kind_key_and_how_often_they_were_seen(dictionary):
    (match,) = dictionary.matches("It is WAS indeed.")
    assert (match.type, match.kind, match.key, match.documents) == (
        DISEASE, "description", "was", 3,
    )  # fmt: skip
    assert dictionary.terms.bearers(match.key, type=match.type)


@pytest.mark.parametrize(
    "text",
    ["This was so.", "We can do it.", "Can it be?", "Cancer of mouths", "of 30", "a b 9"],
)
def test_common_words_are_no_names(dictionary, text):
    assert found(dictionary, text) == []


def test_a_protein_in_small_letters_is_known_by_its_ending(dictionary):
    assert found(dictionary, "crembolin was seen") == [("crembolin", GENE)]


def test_a_cell_line_called_like_a_gene_is_left_to_the_gene(dictionary):
    assert found(dictionary, "QRX7 cells") == [("QRX7", GENE)]


def test_only_the_types_asked_for_are_found(dictionary):
    assert found(dictionary, "zelm in mice", types=[SPECIES]) == [("mice", SPECIES)]
    assert found(dictionary, "zelm receptors", types=[GENE]) == [("zelm receptors", GENE)]


def test_what_a_document_says_itself_can_be_left_out(dictionary):
    text = "A dull ague with WAS"
    assert found(dictionary, text) == [("dull ague", DISEASE), ("WAS", DISEASE)]
    own = {(DISEASE, "dullague"): 1, (DISEASE, "was"): 1}
    matches = dictionary.matches(text, own=own)
    assert [(text[m.start : m.end], m.documents) for m in matches] == [("ague", 0), ("WAS", 2)]


@pytest.mark.parametrize(
    "text",
    ["Type II diabetes", "5 10-methylene", "IL-2 IV", "Parkinson's diseases", "haemolytic anaemia"],
)
@pytest.mark.parametrize("kind", [GENE, DISEASE])
def test_words_give_the_keys_that_names_have(text, kind):
    key = ""
    for word in words(text, kind=kind):
        key = join(key, word)
    assert key == name_key(text, kind=kind)


@pytest.mark.parametrize(
    ("name", "type", "is_name"),
    [
        ("p < 0.05", GENE, False),
        ("in mice", SPECIES, False),
        ("A [p", GENE, False),
        ("10", LINE, False),
        ("HEK293", LINE, True),
        ("Kras", GENE, True),
        ("leader", GENE, False),
        ("rat", SPECIES, True),
        ("ra", SPECIES, False),
        ("aspirin", CHEMICAL, True),
    ],
)
def test_how_a_name_is_written_tells_whether_it_is_one(name, type, is_name):
    assert plausible(name, "synonym", 0, type=type, opens=False) is is_name


def test_every_match_is_a_name_of_its_type(data_dir, terms_in_use):
    from bluered.corpora import documents

    dictionary = Dictionary(Terminology(terms_in_use))
    document = next(documents("biored", "train"))
    matches = dictionary.matches(document.text)
    assert len(matches) > 10
    for match in matches:
        assert dictionary.terms.bearers(match.key, type=match.type)
