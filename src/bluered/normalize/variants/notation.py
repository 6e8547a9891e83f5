"""Substitutions, frame shifts and alleles in notation: c.1072T>C, Val600Glu, Y329fs, -395A.

The notations are HGVS's (den Dunnen et al. 2016, doi:10.1002/humu.22981) and those before it, read
from a text without spaces and brackets. Each reader gives the variants a text may stand for, the
likelier first.
"""

import re
from collections.abc import Callable, Iterator

from bluered.normalize.variants.amino_acids import ONE_LETTER, residue, translate
from bluered.normalize.variants.places import DNA_PLACE, PLACE, dna_place
from bluered.normalize.variants.variant import PROTEIN, Variant

Reading = tuple[Variant, ...]

SEQUENCE = r"(?:(?P<sequence>[cgmnrp]\.|[cp](?=[\dA-Z*(+-]))\.?)?"
AMINO = rf"(?:{'|'.join(ONE_LETTER)}|stop|ter|[ACDEFGHIKLMNPQRSTVWYUX*])"
_TO = r"(?:>|/|-?(?:to|by|with)-?|\\)"
_JOIN = rf"(?:{_TO}|-)?"
_AGAIN = r"(?:(?i:Allele|genotype|carriers?|polymorphism|mutation|variant|mutant|substitution)s?)?"


def _compiled(pattern: str) -> Callable[[str], re.Match[str] | None]:
    return re.compile(pattern + _AGAIN).fullmatch


_PLACE_FIRST = _compiled(
    rf"{SEQUENCE}(?P<place>{DNA_PLACE})(?:,|:|promoter)?(?P<ref>[ACGTU]+|[acgtu])(?:{_TO}|-)(?P<alt>[ACGTU]+|[acgtu])"
)
_LETTERS_FIRST = _compiled(
    rf"{SEQUENCE}(?P<ref>[ACGTU]+|[acgtu]){_TO}(?P<alt>[ACGTU]+|[acgtu])(?:at)?(?P<place>{PLACE})?"
)
_AROUND = _compiled(
    rf"{SEQUENCE}(?P<ref>[ACGTU])(?P<place>[+-]?\d+){_JOIN}(?P<alt>[ACGTU](?:[/,][ACGTU])*)"
)
_PROTEIN = _compiled(
    rf"{SEQUENCE}(?P<ref>{AMINO})(?P<dash>-?)(?P<place>\d+){_JOIN}"
    rf"(?P<alt>{AMINO}(?:[/,]{AMINO})*)(?P<again>\d*)"
)
_PROTEIN_PLACE_FIRST = _compiled(
    rf"{SEQUENCE}(?P<place>[+-]?\d+)[,:]?(?P<ref>{AMINO})"
    rf"(?:(?:{_TO}|-)|(?<=[a-z])(?=[A-Z][a-z]))(?P<alt>{AMINO})"
)
_TO_CODON = _compiled(rf"(?P<ref>{AMINO})(?P<place>\d+){_JOIN}(?P<alt>[ACGTU]{{3}})")
_GENOTYPE_AMINO = _compiled(r"(?P<place>\d+)(?P<ref>[DEFHIKLMNPQRSVWY])(?P=ref)")
_PROTEIN_LETTERS_FIRST = _compiled(
    rf"{SEQUENCE}(?P<ref>{AMINO}){_TO}(?P<alt>{AMINO})(?:at)?(?P<place>\d+)?"
)
_CODONS = _compiled(rf"(?P<ref>[ACGTU]{{3}})(?:(?P<place>\d+)|{_TO})(?P<alt>[ACGTU]{{3}})")
_FRAME_SHIFT = _compiled(
    rf"{SEQUENCE}(?P<ref>{AMINO})(?P<place>\d+)(?P<alt>{AMINO})??(?:fs|FS|frameshift)"
    r"(?:\*|X|Ter|[Ss]top)?(?P<count>\d+)?(?:stop|\*|X)?"
)
_BASES_AT = _compiled(
    rf"{SEQUENCE}(?P<place>{DNA_PLACE})(?P<ref>[ACGTU]{{1,2}})(?:[+/,][ACGTU]{{2}})*"
)
_GENOTYPE_AT = _compiled(rf"{SEQUENCE}(?P<place>{DNA_PLACE})(?P<ref>[ACGTU])[/+](?P=ref)")
_BASE_THEN_PLACE = _compiled(rf"{SEQUENCE}(?P<ref>[ACGTU])(?P<place>[+-]?\d+)")
_AMINO_AT = _compiled(rf"{SEQUENCE}(?P<place>\d+)(?P<ref>{AMINO})(?:/?(?P=ref))?")
_AMINO_THEN_PLACE = _compiled(rf"{SEQUENCE}(?P<ref>{AMINO})-?(?P<place>\d+)")


def read_notation(text: str) -> Reading:
    """Return what a notation may stand for; nothing if it is none of these."""
    for reader in _READERS:
        if found := tuple(reader(text)):
            return found
    return ()


def _sequence(match: re.Match[str], otherwise: str) -> str:
    given = match["sequence"]
    return given[0] if given else otherwise


def _dna_substitution(text: str) -> Iterator[Variant]:
    match = _PLACE_FIRST(text) or _LETTERS_FIRST(text)
    if match and _sequence(match, "c") != PROTEIN:
        stretch = len(match["ref"]) > 1
        where = dna_place(match["place"] or "", stretch=stretch)
        yield substitution(_sequence(match, "c"), match["ref"], where, match["alt"])
        if not match["sequence"] and len(match["ref"] + match["alt"]) == 2:
            place = match["place"] or ""
            if place.isdigit():
                yield substitution(PROTEIN, match["ref"], place, match["alt"])


def _around_the_place(text: str) -> Iterator[Variant]:
    """Yield C677T, which may be of DNA or, having letters of both alphabets, of a protein."""
    if match := _AROUND(text):
        place, given = match["place"], match["sequence"]
        if not given or given[0] != PROTEIN:
            yield substitution(
                _sequence(match, "c"), match["ref"], place, match["alt"].replace("/", ",")
            )
        if not given or given[0] == PROTEIN:
            yield substitution(PROTEIN, match["ref"], place, match["alt"])


def _codon_change(text: str) -> Iterator[Variant]:
    """Yield what a change of a whole codon does to the protein: CAC(3543)TAC, E873-TAG."""
    if (match := _TO_CODON(text)) and (after := translate(match["alt"])):
        yield substitution(PROTEIN, residue(match["ref"]), match["place"], after)
    if (match := _CODONS(text)) and match["place"]:
        before, after = translate(match["ref"]), translate(match["alt"])
        if before and after:
            yield substitution(PROTEIN, before, match["place"], after)


def _protein_substitution(text: str) -> Iterator[Variant]:
    if match := _GENOTYPE_AMINO(text):
        yield allele(PROTEIN, match["ref"], match["place"])
        return
    match = _PROTEIN(text) or _PROTEIN_PLACE_FIRST(text) or _PROTEIN_LETTERS_FIRST(text)
    if not match or _sequence(match, PROTEIN) != PROTEIN:
        return
    groups = match.groupdict()
    place = groups["place"] or ""
    if groups.get("again") and groups["again"] != place:
        return
    if groups.get("dash") and len(groups["ref"]) == 1:
        place = f"-{place}"  # R-4Q is before the mature protein's start, Arg-114 is not
    reference = residue(match["ref"])
    others = [residue(name) for name in re.split("[/,]", match["alt"])]
    alternatives = [other for other in others if other != reference] or others[:1]
    yield substitution(PROTEIN, reference, place, ",".join(alternatives))


def _frame_shift(text: str) -> Iterator[Variant]:
    if match := _FRAME_SHIFT(text):
        yield Variant(
            kind="FS",
            sequence=PROTEIN,
            reference=residue(match["ref"]),
            position=match["place"],
            alternative=residue(match["alt"] or ""),
            count=match["count"] or "",
        )


def _allele(text: str) -> Iterator[Variant]:
    """Yield one letter at a place; the genotype of two equal alleles has one of them."""
    match = _BASES_AT(text) or _GENOTYPE_AT(text) or _BASE_THEN_PLACE(text)
    if match and _sequence(match, "c") != PROTEIN:
        letters = match["ref"]
        letters = letters[:1] if len(set(letters)) == 1 else letters
        yield allele(_sequence(match, "c"), letters, dna_place(match["place"]))
    match = _AMINO_AT(text) or _AMINO_THEN_PLACE(text)
    if match and _sequence(match, PROTEIN) == PROTEIN:
        yield allele(PROTEIN, residue(match["ref"]), match["place"])


def substitution(sequence: str, reference: str, position: str, alternative: str) -> Variant:
    """Return a substitution; of equal letters ("CC to TT", a genotype) one counts."""
    if sequence != PROTEIN:
        reference, alternative = reference.upper(), alternative.upper()
        if len(reference) == len(alternative) == 2 and not any(
            len(set(letters)) > 1 for letters in (reference, alternative)
        ):
            reference, alternative = reference[0], alternative[0]
    return Variant(
        kind="SUB",
        sequence=sequence,
        reference=reference,
        position=position,
        alternative=alternative,
    )


def allele(sequence: str, letters: str, position: str) -> Variant:
    """Return an allele."""
    return Variant(kind="Allele", sequence=sequence, reference=letters, position=position)


_READERS = (
    _frame_shift,
    _dna_substitution,
    _around_the_place,
    _codon_change,
    _protein_substitution,
    _allele,
)
