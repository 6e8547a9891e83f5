"""How an identifier column names several concepts, and how it is put together again.

One rule for every corpus: the column is split at the first of `,` `;` `|` `+` that leaves only
parts which look like a concept id (each holds a digit and no separator). So BioRED's `3040,3048`
and `D017180|D014693` are two concepts each, while the variants `p|SUB|V|600|E` and `c|DEL|-1607|G`
stay whole, as does tmVar's `RS#:113488022;HGVS:p.V600E` key-value list.

BioRED, BC5CDR and NCBI Disease write `|` (NCBI Disease also `+`) for a composite mention
("ventricular tachycardia and fibrillation") and BioRED writes `,` where a mention stands for any of
several concepts ("globin": genes of a family or of two species), though some of its commas are
composites too.
"""

import re

from msgspec import Struct

from bluered.documents.document import Combination, Entity

_PART = re.compile(r"(?:[A-Za-z][\w.]*:)?[\w.\-]*\d[\w.\-]*(?:\([^()|,;+]*\))?|-1?")

SEPARATOR = "separator"
"""Infon of an entity whose separator is not the usual one for its combination."""

_COMBINATION: dict[str, Combination] = {
    ",": "alternatives",
    ";": "alternatives",
    "|": "composite",
    "+": "composite",
}
_USUAL: dict[Combination, str] = {"alternatives": ",", "composite": "|"}


class Identifiers(Struct, frozen=True):
    """The concept ids of one column, and how they were joined (`separator` "" for one id)."""

    concepts: tuple[str, ...]
    combination: Combination | None = None
    separator: str = ""


def split_identifier(identifier: str) -> Identifiers:
    """Split an identifier column into concept ids.

    >>> split_identifier("3040,3048").concepts
    ('3040', '3048')
    >>> split_identifier("p|SUB|V|600|E").concepts
    ('p|SUB|V|600|E',)
    """
    for separator, combination in _COMBINATION.items():
        if separator in identifier:
            parts = identifier.split(separator)
            if all(map(_PART.fullmatch, parts)):
                return Identifiers(tuple(parts), combination, separator)
    return Identifiers((identifier,))


def separator_infons(identifiers: Identifiers) -> dict[str, str]:
    """Return the infon that keeps a separator which `join_concepts` would not choose by itself."""
    combination = identifiers.combination
    if combination is None or identifiers.separator == _USUAL[combination]:
        return {}
    return {SEPARATOR: identifiers.separator}


def join_concepts(entity: Entity) -> str:
    """Return the identifier column of an entity, as its source wrote it where that is known."""
    usual = _USUAL[entity.combination or "alternatives"]
    return entity.infons.get(SEPARATOR, usual).join(entity.concepts)
