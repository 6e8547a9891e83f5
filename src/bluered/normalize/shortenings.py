"""Other names that a mention may be looked up by when its own is not known.

A mention is often longer than the name ("human BRCA1 gene", "severe diabetes", "HeLa cells") or
carries a prefix for its species ("hTERT"). Each rule gives shorter names; how much of the mention
a name covers says how far to trust it.
"""

import re
from collections.abc import Iterator

from bluered.documents.biored_types import CELL_LINE, CHEMICAL, DISEASE, GENE, SPECIES

_BEHIND = {
    GENE: "gene|genes|protein|proteins|mrna|mrnas|cdna|receptor|receptors|antibody|antibodies|"
    "promoter|oncogene|transcript|transcripts|enzyme|polypeptide|peptide|antigen|kinase|allele|"
    "locus|mutant|isoform|subunit|family|factor|channel|homolog|homologue|ligand|agonist|complex",
    CELL_LINE: "cell|cells|cell line|cell lines|line|lines|clone",
    CHEMICAL: "hydrochloride|hcl|sodium|potassium|sulfate|sulphate|acetate|hydrobromide|maleate|"
    "mesylate|citrate|phosphate|tartrate|fumarate|chloride|ion|ions|acid|therapy|derivative|"
    "derivatives|analog|analogue|metabolite|compound|compounds|solution|agent|agents|drug|drugs|"
    "bromide|iodide|nitrate|succinate|gluconate|mesilate|tosylate|besylate|calcium",
    DISEASE: "disease|diseases|disorder|disorders|syndrome|syndromes|symptoms|patients|attack|"
    "attacks|episodes|lesions|complications|phenotype|status|deficiency|abnormalities|injury",
    SPECIES: "patients|subjects|individuals|cells|strain|isolates|virus",
}
_BEFORE = {
    GENE: "human|mouse|murine|rat|recombinant|mutant|wild-type|wildtype|wild type|soluble|serum|"
    "plasma|anti|total|phosphorylated|phospho|activated|active|endogenous|the|a|cellular|nuclear|"
    "hepatic|yeast|bovine|chicken|zebrafish|drosophila|xenopus|type",
    CELL_LINE: "human|mouse|murine|rat",
}
_SPECIES_PREFIX = re.compile(r"(?:h|m|r|hu|mu|c|p|s|d|x)(?=[A-Z][A-Za-z]*\d*|\d)")
_BRACKETED = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*")
_CHARGE = re.compile(r"\(?\d*[+\-−]+\)?\Z|\(\d?[+\-−]\)\Z")  # Ca2+, Ca(2+), I-
_ISOTOPE = re.compile(r"\A[(\[]?\d{1,3}[)\]]?-?(?=[A-Z][a-z]?\b)")  # (3)H, 45Ca
_GREEK_END = {"alpha": "a", "beta": "b", "gamma": "g", "delta": "d", "epsilon": "e", "α": "a",
              "β": "b", "γ": "g", "δ": "d", "ε": "e", "κ": "k", "kappa": "k"}  # fmt: skip
_GREEK = re.compile("|".join(_GREEK_END))
_JOINT = re.compile(r"[-/ ]")
_MOST_WORDS = 8
_LONG_ENOUGH = 4
LONGEST = 300
"""Characters of a mention that are looked at: some patterns take time with the square of it.
The longest mention of BioRED's training and development parts has less than 150."""

_BEHIND_RE = {k: re.compile(rf"[\s-]+(?:{v})\Z", re.IGNORECASE) for k, v in _BEHIND.items()}
_BEFORE_RE = {k: re.compile(rf"(?:{v})[\s-]+", re.IGNORECASE) for k, v in _BEFORE.items()}


def core(name: str, *, type: str) -> str:
    """Return a name without the affixes of its type: without salts, "cells", "human", ..."""
    name = name[:LONGEST]
    while (shorter := _strip_once(name, type)) != name:
        name = shorter
    return name


def shortenings(name: str, *, type: str) -> Iterator[str]:
    """Yield shorter names of a mention, the likeliest first, each once, without its own."""
    given = {name, ""}
    for short in _all(name[:LONGEST], type):
        short = short.strip(" -,;:/")
        if short not in given:
            given.add(short)
            yield short


def _all(name: str, type: str) -> Iterator[str]:
    stripped = name
    while (shorter := _strip_once(stripped, type)) != stripped:
        yield shorter
        stripped = shorter
    if type == CHEMICAL:
        yield _CHARGE.sub("", _ISOTOPE.sub("", name))
    bare = _BRACKETED.sub(" ", name)
    yield bare
    if type == GENE:
        if match := _SPECIES_PREFIX.match(stripped):
            yield stripped[match.end() :]
        yield _GREEK.sub(lambda m: _GREEK_END[m[0]], stripped)
    yield from _ends(bare, type)
    if type == CELL_LINE:  # SCID-HuH-7
        pieces = _JOINT.split(name)[:_MOST_WORDS]
        ends = ["-".join(pieces[start:]) for start in range(1, len(pieces))]
        ends += ["-".join(pieces[:end]) for end in range(len(pieces) - 1, 0, -1)]
        yield from (end for end in ends if len(end) >= _LONG_ENOUGH)


def _strip_once(name: str, type: str) -> str:
    """Return a name without one affix of its type."""
    if type in _BEHIND_RE and (match := _BEHIND_RE[type].search(name)):
        return name[: match.start()]
    if type in _BEFORE_RE and (match := _BEFORE_RE[type].match(name)):
        return name[match.end() :]
    return name


def _ends(name: str, type: str) -> Iterator[str]:
    """Yield the last words of a name, longest first, then its first words.

    "congenital long QT syndrome" is a "long QT syndrome".
    """
    words = name.split()[:_MOST_WORDS]
    for start in range(1, len(words)):
        end = " ".join(words[start:])
        if _strip_once(f"x {end}", type) != "x":  # the last words alone may be a mere affix
            yield end
    if type in {GENE, CHEMICAL, CELL_LINE, SPECIES}:
        fewest = 2 if type == SPECIES else 1  # "Mangifera indica Linn", but no "human" of a virus
        for end in range(len(words) - 1, fewest - 1, -1):
            yield " ".join(words[:end])
