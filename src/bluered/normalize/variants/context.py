"""Which of its readings a mention has, by the document's other variants.

Rules written by looking at BioRED train: A49T among R246W and V89L is of the protein, C139T beside
R47W is the base that makes that change, G472A alone is of the DNA.
"""

import re
from collections.abc import Mapping

from bluered.normalize.variants.notation import Reading
from bluered.normalize.variants.sameness import is_allele_of, letters, may_translate
from bluered.normalize.variants.variant import Variant

BEFORE_START = 400
"""So many bases before the start codon may an old numbering count."""

FURTHEST = 5
"""A residue is not numbered more than so many times higher than the others of the document."""

_ONE_LETTER = re.compile(r"(?:p\.)?\(?[A-Z]\s?\d+\s?[A-Z*]\)?")
_BASES = frozenset("ACGTU")


def choose(mentions: Mapping[int, tuple[str, Reading]]) -> dict[int, Variant]:
    """Return the reading of each mention, given the texts and readings of a document's mentions."""
    sure = [reading[0] for _, reading in mentions.values() if len(reading) == 1]
    highest = max(
        (
            int(reading[0].position)
            for text, reading in mentions.values()
            if len(reading) == 1 and _is_one_letter_protein(text, reading[0])
        ),
        default=0,
    )
    return {
        index: reading[0] if len(reading) == 1 else _of_several(reading, sure, highest)
        for index, (_, reading) in mentions.items()
        if reading
    }


def _is_one_letter_protein(text: str, variant: Variant) -> bool:
    return (
        variant.is_protein
        and variant.position.isdigit()
        and not letters(variant) <= _BASES
        and bool(_ONE_LETTER.fullmatch(text))
    )


def _of_several(reading: Reading, sure: list[Variant], highest: int) -> Variant:
    for candidate in reading:
        if candidate in sure:
            return candidate
    first = reading[0]
    if first.kind == "Allele":
        whole = (c for c in reading if any(is_allele_of(c, other) for other in sure))
        return next(whole, first)
    proteins = [candidate for candidate in reading if candidate.is_protein]
    if first.is_protein or not proteins:
        return first
    if any(may_translate(first, other, before_start=BEFORE_START) for other in sure):
        return first
    protein = proteins[0]
    near = protein.position.isdigit() and int(protein.position) <= FURTHEST * highest
    return protein if near else first
