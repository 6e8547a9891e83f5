"""When two variants of a document are the same: other writings, genotypes, DNA and protein."""

from bluered.normalize.variants.amino_acids import explains
from bluered.normalize.variants.variant import Variant

FURTHEST_SHIFT = 3
"""A frame shift may show some residues behind the lost base: the first may stay the same."""

Site = tuple[bool, str]


def site(variant: Variant) -> Site:
    """Return where a variant is: whether in a protein, and the place without a leading plus."""
    return variant.is_protein, variant.position.removeprefix("+").removeprefix("CODON")


def letters(variant: Variant) -> frozenset[str]:
    """Return the letters that a variant has at its place."""
    return frozenset(variant.reference + variant.alternative) - {","}


def is_whole(variant: Variant) -> bool:
    """Tell whether a variant is told in full: a place and a change there."""
    if not variant.position or variant.kind == "Allele":
        return False
    return variant.kind != "SUB" or variant.reference != variant.alternative


def equal(one: Variant, other: Variant) -> bool:
    """Tell whether two whole variants are one in two writings: 677C>T, C677T, T/C-677."""
    if site(one) != site(other) or one.kind != other.kind:
        return False
    if one.kind == "SUB":
        return letters(one) == letters(other)
    if one.kind == "FS":
        return one.reference == other.reference
    what = (one.alternative, other.alternative)
    return what[0] == what[1] or not all(what) or what in _lengths(*what)


def _lengths(one: str, other: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs in which one tells the letters of which the other tells the number."""
    return ((one, str(len(one))), (str(len(other)), other))


def is_allele_of(part: Variant, whole: Variant) -> bool:
    """Tell whether an allele or a genotype may be one of a variant: 677T and 677CC of C677T."""
    return whole.kind == "SUB" and site(part) == site(whole) and letters(part) <= letters(whole)


def is_change_of(loose: Variant, whole: Variant) -> bool:
    """Tell whether a change without a place may be a variant: Ser-->Cys and Ser326Cys."""
    if loose.position or loose.kind != whole.kind or loose.is_protein != whole.is_protein:
        return False
    if loose.kind == "SUB":
        return letters(loose) == letters(whole)
    return loose.alternative in (whole.alternative, str(len(whole.alternative)))


def translates(dna: Variant, protein: Variant) -> bool:
    """Tell whether a change of the coding sequence is what a change of the protein comes from.

    For substitutions the codon must be the residue's and the base must make that change by the
    genetic code; of deletions and insertions the frame shift begins at the codon or right behind.
    """
    if dna.is_protein or not protein.is_protein or dna.sequence not in "cg":
        return False
    start = dna.position.partition("_")[0]
    if not start.isdigit() or not protein.position.isdigit():
        return False
    codon, place = divmod(int(start) - 1, 3)
    shift = int(protein.position) - codon - 1
    if dna.kind == protein.kind == "SUB":
        return shift == 0 and _makes(dna, protein, place)
    return protein.kind == "FS" and dna.kind in _SHIFTING and 0 <= shift <= FURTHEST_SHIFT


_SHIFTING = ("DEL", "INS", "DUP", "INDEL")


def may_translate(dna: Variant, protein: Variant, *, before_start: int) -> bool:
    """Tell the same of numbers that count some bases before the start codon too (R124C, C417T)."""
    if dna.is_protein or not protein.is_protein or dna.kind != "SUB" or protein.kind != "SUB":
        return False
    if not dna.position.isdigit() or not protein.position.isdigit():
        return False
    extra = int(dna.position) - 3 * (int(protein.position) - 1)
    return 1 <= extra <= before_start and any(_makes(dna, protein, place) for place in range(3))


def _makes(dna: Variant, protein: Variant, place: int) -> bool:
    if len(dna.reference) != 1 or len(dna.alternative) != 1:
        return False
    return explains(
        dna.reference,
        dna.alternative,
        place=place,
        before=protein.reference,
        after=protein.alternative,
    )
