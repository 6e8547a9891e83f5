"""Which concepts a mention may stand for."""

import pytest

from bluered.documents.biored_types import CELL_LINE, CHEMICAL, DISEASE, GENE
from bluered.normalize.candidates import Evidence, Finder
from bluered.normalize.ngrams import NgramIndex
from bluered.normalize.term import Term

TERMS = (
    Term("672", GENE, "BRCA1", (), ("breast cancer type 1 susceptibility protein",), "9606"),
    Term("12189", GENE, "Brca1", taxon="10090"),
    Term("9370", GENE, "ADIPOQ", ("adiponectin",), taxon="9606"),
    Term("11450", GENE, "Adipoq", taxon="10090"),
    Term("1", GENE, "XYZ1", ("ADIPOQ",), taxon="7227"),
    Term("D003920", DISEASE, "Diabetes Mellitus", ("diabetes",)),
    Term("D003924", DISEASE, "Diabetes Mellitus, Type 2", ("NIDDM",), seen={"diabetes": 3}),
    Term("D008133", DISEASE, "Long QT Syndrome"),
    Term("D001943", DISEASE, "Breast Neoplasms", ("breast cancer",)),
    Term("D011471", DISEASE, "Prostatic Neoplasms"),
    Term("D013921", DISEASE, "Thrombocytopenia"),
    Term("D014456", DISEASE, "hyperosmolar hyperglycemic state"),
    Term("D011433", CHEMICAL, "Propranolol"),
    Term("D013455", CHEMICAL, "Sulfur", ("S",)),
    Term("D009584", CHEMICAL, "Nitrogen", ("N",)),
    Term("CVCL_0030", CELL_LINE, "HeLa"),
    *(Term(f"D{n}", DISEASE, name) for n, name in enumerate(
        "asthma leukemia lymphoma melanoma psoriasis arthritis hepatitis nephritis".split()
    )),
)  # fmt: skip


@pytest.fixture
def find(made):
    terms = made(TERMS)
    finder = Finder(terms, NgramIndex(terms.folder))

    def find(name: str, kind: str, long_form: str = "") -> dict[str, Evidence]:
        found = finder.find(name, type=kind, long_form=long_form)
        numbers = [candidate.concept for candidate in found]
        assert len(numbers) == len(set(numbers))
        assert all(candidate.evidence for candidate in found)
        return {terms.concept(c.concept).id: c.best for c in found}

    return find


def test_by_its_own_name(find):
    best = find("breast cancers", DISEASE)["D001943"]
    assert (best.route, best.kind, best.key, best.covered) == (
        "exact",
        "synonym",
        "breastcancer",
        1,
    )


def test_by_a_seen_name_with_the_number_of_documents(find):
    found = find("diabetes", DISEASE)
    assert {i: (e.route, e.kind, e.documents) for i, e in found.items()} == {
        "D003920": ("exact", "synonym", 0),
        "D003924": ("exact", "corpus", 3),
    }


def test_by_the_long_form(find):
    best = find("LQTS", DISEASE, "long QT syndrome")["D008133"]
    assert (best.route, best.kind) == ("long form", "name")
    assert "D008133" not in find("LQTS", DISEASE)


def test_by_its_words_in_another_order(find):
    assert find("type II diabetes mellitus", DISEASE)["D003924"].route == "word order"


def test_by_a_shorter_name_that_covers_a_part(find):
    best = find("congenital long QT syndrome", DISEASE)["D008133"]
    assert best.route == "shorter"
    assert best.covered == pytest.approx(len("longqtsyndrome") / len("congenitallongqtsyndrome"))
    assert find("propranolol hydrochloride", CHEMICAL)["D011433"].route == "shorter"
    assert find("HeLa cells", CELL_LINE)["CVCL_0030"].route == "shorter"


def test_shorter_names_are_not_tried_where_the_name_is_known(find):
    assert set(find("Diabetes Mellitus, Type 2", DISEASE)) == {"D003924"}


def test_by_a_name_that_goes_on(find):
    best = find("prostatic", DISEASE)["D011471"]
    assert best.route == "longer"
    assert best.covered == pytest.approx(len("prostatic") / len("prostaticneoplasm"))


def test_by_its_looks(find):
    best = find("trombocytopenia", DISEASE)["D013921"]
    assert best.route == "alike"
    assert 0.5 <= best.covered < 1


def test_a_gene_s_orthologs_share_its_symbol(find):
    found = find("adiponectin", GENE)
    assert not found["9370"].ortholog
    assert found["11450"].ortholog
    assert found["11450"].documents == 0
    assert "1" not in found  # a mere alias of another gene


def test_both_species_by_one_symbol(find):
    assert set(find("BRCA-1", GENE)) == {"672", "12189"}


@pytest.mark.parametrize("name", ["S-", "N-"])
def test_the_start_of_a_chemical_s_name_is_no_element(find, name):
    assert all(best.route != "exact" for best in find(name, CHEMICAL).values())


def test_an_element_s_symbol_is(find):
    assert find("S", CHEMICAL)["D013455"].route == "exact"


@pytest.mark.parametrize("kind", [GENE, DISEASE, CHEMICAL, CELL_LINE])
@pytest.mark.parametrize(
    "name", ["", "   ", "***", "qqqq", "\N{DNA DOUBLE HELIX}", "\ud800", "x" * 9_999]
)
def test_nothing_is_found_for_what_is_no_name(find, name, kind):
    assert find(name, kind) == {}


def test_a_type_does_not_take_another_s_names(find):
    assert find("BRCA1", DISEASE) == {}
    assert find("Propranolol", GENE) == {}


def test_without_an_index_nothing_is_found_by_its_looks(made):
    assert Finder(made(TERMS), None).find("trombocytopenia", type=DISEASE) == []
