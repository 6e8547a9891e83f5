"""Variants in words: "histidine 626-to-arginine", "deletion of 6 bp at position 1494".

A phrase is read by what stands in it: amino acids or nucleotides, a place, a size, and the words
that say what is done. Amino acids in full are put in three-letter code first.
"""

import re

from msgspec import Struct

from bluered.normalize.variants.amino_acids import (
    NAMES,
    NUCLEOTIDES,
    ONE_LETTER,
    residue,
    translate,
)
from bluered.normalize.variants.notation import Reading, allele, substitution
from bluered.normalize.variants.places import is_stretch, stretch_between
from bluered.normalize.variants.sizes import size_of
from bluered.normalize.variants.variant import PROTEIN, Kind, Variant

_FULL = re.compile(
    rf"\b(?:{'|'.join(sorted(NAMES, key=len, reverse=True))})(?=s?\b|\d)", re.IGNORECASE
)
_BASE_NAME = re.compile(rf"\b(?:{'|'.join(NUCLEOTIDES)})\b", re.IGNORECASE)
_CODE = "|".join(ONE_LETTER)
_RESIDUE = re.compile(
    rf"(?<![A-Za-z])(?P<code>{_CODE})(?![a-z])|(?<![A-Za-z0-9])(?P<letter>[A-Z*])(?![A-Za-z0-9])"
)
_BASES = re.compile(r"(?<![A-Za-z])[ACGTU]+(?![A-Za-z\d])|(?<=\')[ACGTU]+(?=\')")
_CODON = re.compile(r"(?<![A-Za-z])[ACGTU]{3}(?![A-Za-z])")
_UNIT_PLACE = (
    r"(?P<unit>nucleotides?|nts?\b|positions?|codons?|residues?|amino[- ]acids?|bases?|site"
    r"|at(?: the)?|CD\b|allele(?: of| for)?(?: the)?|aa\b)"
)
_PLACE = re.compile(
    rf"{_UNIT_PLACE}"
    r"(?:[ -](?:acids?|positions?|number|residues?|nucleotides?|nt|of|no\.|the|cDNA|base))*"
    r"[ (:]*(?:[cgmp]\.)?(?P<place>[+-]?\d+(?:[+-]\d+)?)(?!\d*[- ]?(?:bp|kb|base|nucleotide|nt)\b)"
    r"(?:(?:-|/| to | and | through | or )(?:nt )?(?P<end>[+-]?\d+))?",
    re.IGNORECASE,
)
_PLACE_BEFORE = re.compile(
    r"(?<![\d.])(?P<place>[+-]?\d+)(?: (?:position|residue|site)\b|(?= from\b))"
)
_UPSTREAM = re.compile(r"(?P<place>\d+)[ -]?(?:bp|bases?|nucleotides?) upstream")
_SIGNED = re.compile(r"(?<![\w.])(?P<place>[+-]\d+)(?![\d.])")
_BESIDE = re.compile(
    rf"(?:{_CODE})[ -]?(?P<after>\d+)(?!\d)|(?<![\d+-])(?P<before>\d+)[ -]?(?:{_CODE})(?![a-z])"
)
_BASE_BESIDE = re.compile(
    r"(?<![\w+-])(?P<before>-?\d+)\s?[ACGT](?!\w)|(?<!\w)[ACGT]\s?(?P<after>\d+)(?!\w)"
)
_IN_BRACKETS = re.compile(r"\((?P<place>\d+-\d+)\)")
_INTRON = re.compile(r"\bintron (?P<number>\d+)|\bIVS-?(?P<ivs>\d+)", re.IGNORECASE)
_WORDS = re.compile(r"\w+")

_INDEL = re.compile(
    r"ins(?:ertion)?(?:/| or |-| and )del|del(?:etion)?(?:/| or |-| and )ins|\bindel", re.I
)
_DELETED = re.compile(r"delet|\bdel\b|\black(?:s|ing)?\b|\bloss of\b|\(-", re.IGNORECASE)
_INSERTED = re.compile(r"insert|\bins\b", re.IGNORECASE)
_DUPLICATED = re.compile(r"duplicat|\bdup\b", re.IGNORECASE)
_REPEATED = re.compile(r"repeat|microsatellite", re.IGNORECASE)
_PROTEIN_WORD = re.compile(r"amino[- ]acid|residue|codon|\baa\b", re.IGNORECASE)
_FROM_LATTER = re.compile(
    r"\b(?:instead of|rather than|in place of|replac(?:es|ed|ing)(?! (?:by|with))|for)\b",
    re.IGNORECASE,
)
_REPLACEMENT_OF = re.compile(r"\b(?:replacement|substitution) of\b", re.IGNORECASE)


class _Place(Struct, frozen=True):
    """A place in a phrase; `of_codon` says that it counts amino acids."""

    text: str = ""
    of_codon: bool = False


def read_phrase(text: str) -> Reading:
    """Return what a phrase may stand for, the likelier first; nothing if it cannot be read."""
    named = _BASE_NAME.sub(lambda m: NUCLEOTIDES[m[0].lower()], text)
    named = _FULL.sub(lambda m: NAMES[m[0].lower()], named)
    kind = _kind(named)
    if kind:
        found = _edit(named, kind)
        return (found,) if found else ()
    return _codons(named) or _residues(named) or _bases(named) or _alleles(named)


def _kind(text: str) -> Kind | None:
    if _INDEL.search(text):
        return "INDEL"
    if _DUPLICATED.search(text) or _REPEATED.search(text):
        return "DUP"
    if _DELETED.search(text):
        return "DEL"
    return "INS" if _INSERTED.search(text) else None


def _edit(text: str, kind: Kind) -> Variant | None:
    """Return a deletion, insertion or duplication; None if neither what nor where is said."""
    place = _place(text)
    beside = [m["after"] or m["before"] for m in _BESIDE.finditer(text)]
    codes = _codes(text)
    letters = "".join(codes if len(codes) == len(beside) else _distinct(codes))
    if letters:
        where = stretch_between(beside[0], beside[-1]) if beside else place.text
        return Variant(kind=kind, sequence=PROTEIN, position=where, alternative=letters)
    is_protein = bool(re.search(r"amino[- ]acid|\bresidues\b", text, re.IGNORECASE))
    size = size_of(text)
    bases = [found for found in _BASES.findall(text) if not (found == "A" and size)]
    what = max(bases, key=len) if bases else size
    if not what and not place.text:
        return None
    where = f"CODON{place.text}" if place.of_codon and bases else place.text
    sequence = PROTEIN if is_protein or (place.of_codon and not bases and not size) else "c"
    if "genomic" in text:
        sequence = "g"
    if kind == "DUP" and where.startswith("-"):
        what = "" if what == where[1:] else what
    return Variant(kind=kind, sequence=sequence, position=where, alternative=what)


def _codes(text: str) -> list[str]:
    return [residue(match["code"]) for match in _RESIDUE.finditer(text) if match["code"]]


def _distinct(letters: list[str]) -> list[str]:
    """Return letters without those that only repeat the one before: valine (Val)."""
    return [a for a, before in zip(letters, ["", *letters], strict=False) if a != before]


def _codons(text: str) -> Reading:
    """Return what a change of a codon does to the protein, where a place is given."""
    found = _CODON.findall(text)
    place = _place(text)
    if len(found) != 2 or _codes(text):
        return ()
    before, after = map(translate, found)
    if place.of_codon and place.text:
        return (substitution(PROTEIN, before, place.text, after),)
    return (substitution("c", found[0], place.text, found[1]),)


def _residues(text: str) -> Reading:
    """Return a substitution of the two amino acids of a phrase, or an allele where there is one.

    In "alanine for valine" either may be the original; BioRED's ids mostly have them in the order
    of the text, so that this reading comes first and the document's other mentions decide.
    """
    codes = list(_RESIDUE.finditer(text))
    named = [match for match in codes if match["code"]]
    if not named:
        named = [match for match in codes if residue(match[0])]
        if all(match[0] in "ACGTU" for match in named):
            return ()
    letters = _distinct([residue(match[0]) for match in named])
    place = _beside(text) or _place(text).text
    if len(set(letters)) == 1:
        if (place and len(letters) == len(named) == 2) or _same(text, letters):
            return (substitution(PROTEIN, letters[0], place, letters[0]),)
        return (allele(PROTEIN, letters[0], place),) if place else ()
    if len(letters) < 2:
        return ()
    first, second = letters[0], next(other for other in letters[1:] if other != letters[0])
    forward = substitution(PROTEIN, first, place, second)
    backward = substitution(PROTEIN, second, place, first)
    between = text[named[0].end() : named[-1].start()]
    if second == "X":
        return (forward, backward)
    if _REPLACEMENT_OF.search(between):
        return (backward, forward)
    if first == "X" and _FROM_LATTER.search(between):
        return (backward, forward)
    return (forward, backward) if _FROM_LATTER.search(between) else (forward,)


def _same(text: str, letters: list[str]) -> bool:
    """Tell whether a genotype of two equal amino acids is meant: Met/Met."""
    return len(letters) == 1 and bool(re.search(r"([A-Z][a-z]{2})/\1", text))


def _beside(text: str) -> str:
    """Return the number beside an amino acid: "arginine 714", "269 to phenylalanine"."""
    match = _BESIDE.search(text)
    return (match["after"] or match["before"]) if match else ""


def _bases(text: str) -> Reading:
    """Return a substitution of two nucleotides; with a codon's number where no other is given."""
    found = _distinct(_BASES.findall(_without_article(text)))
    found = [bases for bases in found if len(bases) == 1 or ">" in text]
    if len(set(found)) < 2:
        return ()
    place = _place(text)
    first, second = found[0], next(other for other in found[1:] if other != found[0])
    where = f"CODON{place.text}" if place.of_codon and place.text else place.text.lstrip("+")
    if (match := _INTRON.search(text)) and place.text[:1] in "+-":
        where = f"IVS{match['number'] or match['ivs']}{place.text}"
    rest = [other for other in found[1:] if other not in (first, second)]
    alternative = ",".join([second, *rest]) if re.search(r"\bor\b", text) else second
    forward = substitution("c", first, where, alternative)
    if _FROM_LATTER.search(text):
        return (forward, substitution("c", second, where, first))
    return (forward,)


def _without_article(text: str) -> str:
    """Leave out the article of "A was replaced by a G" (small) and of "A deletion" (first)."""
    return re.sub(r"\b(?:a|an)\b(?= [A-Z])", "", text)


def _alleles(text: str) -> Reading:
    """Return the one letter that a phrase names with a place: "T allele at -31"."""
    place = _place(text)
    match = _RESIDUE.search(text)
    if not match or not place.text:
        return ()
    letters = match[0]
    if place.of_codon or letters not in "ACGT":
        if not place.of_codon and letters not in "ACDEFGHIKLMNPQRSTVWY":
            return ()
        return (allele(PROTEIN if place.of_codon else "c", letters, place.text),)
    return (allele("c", letters, place.text),)


def _stretched(place: str) -> str:
    """Return `a-b` as a stretch where b is behind a: in words the offset of an intron is rare."""
    first, minus, second = place.partition("-")
    if minus and first.isdigit() and second.isdigit() and is_stretch(first, second):
        return stretch_between(first, second)
    return place


def _place(text: str) -> _Place:
    """Return the place that a phrase gives."""
    if match := _PLACE.search(text):
        unit = match["unit"].lower()
        of_codon = unit.startswith(("codon", "residue", "amino", "aa", "cd"))
        of_codon = of_codon or bool(re.search(r"amino[- ]acid|codon|residue", match[0], re.I))
        if match["end"]:
            return _Place(stretch_between(match["place"], match["end"]), of_codon)
        return _Place(_stretched(match["place"]), of_codon)
    if match := _IN_BRACKETS.search(text):
        return _Place(_stretched(match["place"]), "amino" in text)
    if match := _UPSTREAM.search(text):
        return _Place(f"-{match['place']}")
    if match := _PLACE_BEFORE.search(text) or _SIGNED.search(text):
        return _Place(match["place"])
    if match := _BASE_BESIDE.search(text):
        return _Place(match["before"] or match["after"])
    return _Place()
