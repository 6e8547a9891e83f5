"""Terms from invented wheels of the packages' layouts."""

import pytest

from bluered.documents.biored_types import CELL_LINE, CHEMICAL, DISEASE, GENE, SPECIES
from bluered.errors import BlueredError
from bluered.normalize.shipped import build as building
from bluered.normalize.shipped.cell_lines import cell_line_terms
from bluered.normalize.shipped.genes import gene_terms, symbols
from bluered.normalize.shipped.mesh import mesh_terms
from bluered.normalize.shipped.orthologs import groups, ortholog_record, ortholog_terms
from bluered.normalize.shipped.taxa import common_species, taxon_terms
from bluered.normalize.store import sha256
from bluered.normalize.term import Term
from bluered.normalize.terminology import Terminology

TAXA = (9606, 10090, 12345, 12346, 12347)
"""Those of the invented package; the usual ones with everyday names may come besides."""


def test_genes(wheels):
    human, mouse, unnamed = gene_terms(wheels)
    assert human == Term(
        "101", GENE, "ABC1", ("ABCL", "ABX", "OLD1"), ("alphabet protein 1",), "9606"
    )
    # "protein ABC" says no more than the symbol
    assert mouse == Term(
        "201", GENE, "Abc1", ("abx", "m(Abc)"), ("alphabet protein 1", "alphabetin"), "10090"
    )
    assert unnamed == Term("204", GENE, "Def", (), (), "10090")


def test_symbols_lead_to_gene_ids(wheels):
    assert symbols(wheels)["ABC1"] == "101"
    assert "ABC2" not in symbols(wheels)


def test_orthologs_lend_the_human_symbol(wheel_folder):
    assert list(ortholog_terms(wheel_folder)) == [
        Term("101", GENE, "ABC1", ("ABC1",), (), "9606"),
        Term("201", GENE, "Abc1", ("ABC1",), (), "10090"),
        Term("301", GENE, "alpha", (), (), "7227"),  # flies have symbols of their own
        Term("501", GENE, "Rat1", (), (), "10116"),
    ]
    record = ortholog_record(wheel_folder)
    assert record.sha256 == sha256(wheel_folder / "homologene.data")


def test_a_missing_or_foreign_file_of_orthologs(tmp_path):
    with pytest.raises(BlueredError, match=r"homologene.data is missing: download it from https"):
        groups(tmp_path / "homologene.data")
    path = tmp_path / "homologene.data"
    path.write_text("3\t9606\t101\tABC1\n<html>\n")
    with pytest.raises(BlueredError, match=r"homologene.data:2: expected group, species, gene id"):
        groups(path)


@pytest.fixture
def mesh(wheels, by_id) -> dict[tuple[str, str], list[Term]]:
    return by_id(mesh_terms(wheels))


def names(terms: list[Term]) -> set[str]:
    return {n for term in terms for n in (term.name, *term.synonyms, *term.descriptions)}


def test_mesh_types_are_by_tree(mesh):
    assert set(mesh) == {
        (DISEASE, "D000001"), (CHEMICAL, "D000002"), (DISEASE, "D000004"), (CHEMICAL, "D000004"),
        (CHEMICAL, "D000005"), (CHEMICAL, "D000006"), (CHEMICAL, "C000101"), (DISEASE, "C000102"),
        (DISEASE, "OMIM:100100"),
    }  # fmt: skip


def test_mesh_names(mesh):
    first = mesh[DISEASE, "D000001"][0]
    assert (first.name, first.synonyms) == ("Alphosis", ("White Sickness", "Sickness, White"))
    assert mesh[CHEMICAL, "D000002"][0].descriptions == ("BM",)
    assert mesh[CHEMICAL, "C000101"][0].synonyms == ("nd-7",)  # systematic names are left out


def test_names_of_other_ontologies(mesh):
    found = names(mesh[DISEASE, "D000001"])
    assert {"white disease", "leuke", "in both"} <= found
    assert "same number" in found  # by an OMIM number that is held equal to one of MeSH
    assert "alphosis of omim" in found  # by a name
    assert "of two" not in found
    assert names(mesh[DISEASE, "OMIM:100100"]) == {"of omim alone", "OOA"}
    assert all("of a chemical" not in names(terms) for terms in mesh.values())


def test_names_of_chemicals(mesh):
    found = names(mesh[CHEMICAL, "D000002"])
    assert {"betamin", "b-amine", "beta, amine"} <= found
    assert "y" * 61 not in found
    assert "of no one" not in {n for terms in mesh.values() for n in names(terms)}
    assert "Na" in names(mesh[CHEMICAL, "D000006"])


def test_cell_lines(wheels, by_id):
    found = by_id(cell_line_terms(wheels))
    assert set(found) == {(CELL_LINE, f"CVCL_000{n}") for n in (1, 2, 5)}
    assert "HepG2" in found[CELL_LINE, "CVCL_0001"][0].synonyms
    assert "H1299" in found[CELL_LINE, "CVCL_0002"][0].synonyms
    assert found[CELL_LINE, "CVCL_0005"][0].synonyms == ()


def test_taxa(wheels, by_id):
    found = by_id(taxon_terms(wheels))
    invented = {int(taxon) for _, taxon in found} & set(TAXA)
    assert invented == {9606, 10090, 12345}
    assert {"human", "patient", "women"} <= set(found[SPECIES, "9606"][0].synonyms)
    assert {"house mouse", "mice", "murine"} <= set(found[SPECIES, "10090"][0].synonyms)
    assert found[SPECIES, "12345"][0] == Term("12345", SPECIES, "Exempla vulgaris")


def test_everyday_names_of_species_are_well_formed():
    for taxon, some in common_species().items():
        assert taxon.isdigit()
        assert some
        assert all(name.strip() == name != "" for name in some)


def test_the_whole_of_it(wheel_folder, tmp_path, monkeypatch):
    seen = Term("D000001", DISEASE, "whitening", seen={"whitening": 3})
    monkeypatch.setattr(building, "corpus_terms", lambda data: iter([seen]))
    folder = tmp_path / "terms"
    manifest = building.build(wheel_folder, tmp_path, folder)
    assert manifest.name == "shipped"
    assert {record.licence for record in manifest.sources} >= {"public domain", "CC0"}
    terms = Terminology(folder)
    assert terms.damaged() == []
    (bearer,) = terms.named("whitening", type=DISEASE)
    assert (terms.concept(bearer.concept).name, bearer.kind, bearer.documents) == (
        "Alphosis", "corpus", 3,
    )  # fmt: skip
    # what two sources say of a gene is one concept
    mouse = terms.number("201", type=GENE)
    assert dict(terms.keys_of(mouse))["abc1"] == "name"
    # a terminology may be replaced, any other folder not
    building.build(wheel_folder, tmp_path, folder)
    other = tmp_path / "mine"
    other.mkdir()
    (other / "thesis.txt").write_text("x")
    with pytest.raises(BlueredError, match="no terminology there"):
        building.build(wheel_folder, tmp_path, other)
    assert (other / "thesis.txt").exists()
