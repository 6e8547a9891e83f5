import pytest

from bluered.normalize.variants.amino_acids import CODONS, explains, residue, translate
from bluered.normalize.variants.parse import parse_variant
from bluered.normalize.variants.sameness import equal, is_allele_of, translates


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("677C>T", "C677T", True),
        ("T/C-344", "C-344T", True),
        ("+1858C>T", "1858C/T", True),
        ("V600E", "Val600Glu", True),
        ("V600E", "V600K", False),
        ("1494del6", "1494delTTAAAG", True),
        ("30delG", "30delC", False),
        ("30delG", "30insG", False),
        ("Y329fs", "p.Tyr329fsX12", True),
    ],
)
def test_writings_of_one_variant_are_equal(one, other, same):
    assert equal(parse_variant(one), parse_variant(other)) is same
    assert equal(parse_variant(other), parse_variant(one)) is same


@pytest.mark.parametrize(
    ("dna", "protein", "same"),
    [
        ("c.1138G>A", "p.G380R", True),
        ("G472A", "Val158Met", True),
        ("c.471C>T", "p.Ser157Ser", True),
        ("c.94C>T", "p.R32W", True),
        ("c.94C>T", "p.R33W", False),
        ("c.94C>T", "p.R32L", False),
        ("c.549delC", "p.Pro184ArgfsX19", True),
        ("c.549delC", "p.Pro190fs", False),
        ("-395G>A", "p.G380R", False),
    ],
)
def test_a_base_makes_a_residue_by_the_genetic_code(dna, protein, same):
    assert translates(parse_variant(dna), parse_variant(protein)) is same


def test_alleles_and_genotypes_are_of_the_variant_with_their_letters():
    whole = parse_variant("C677T")
    assert all(is_allele_of(parse_variant(part), whole) for part in ("677T", "677CC", "C677C"))
    assert not is_allele_of(parse_variant("677G"), whole)
    assert not is_allele_of(parse_variant("678T"), whole)


def test_the_genetic_code():
    assert len(CODONS) == 64
    assert sorted(codon for codon, amino in CODONS.items() if amino == "X") == ["TAA", "TAG", "TGA"]
    assert (translate("ATG"), translate("uga"), translate("NNN")) == ("M", "X", "")
    assert explains("A", "T", place=1, before="E", after="V")
    assert not explains("A", "T", place=0, before="E", after="V")
    assert (residue("glutamate"), residue("stop codon"), residue("Xyz")) == ("E", "X", "")
