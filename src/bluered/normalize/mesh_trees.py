"""Which of MeSH's concepts are diseases or chemicals in BioRED's sense, by their tree numbers."""

import re
from collections.abc import Iterable, Sequence

from bluered.documents.biored_types import CHEMICAL, DISEASE

DISEASE_TREES = ("C", "F03")
"""Diseases and mental disorders. Behaviour (F01) is left out: its "depression" is never meant."""

CHEMICAL_TREES = ("D",)

_PROTEIN = re.compile(r"\bprotein, [A-Za-z. -]+\Z|\bantigen, human\Z")
_OF_PROTEINS = ("D08.", "D12.776")


def mesh_types(tree_numbers: Iterable[str]) -> tuple[str, ...]:
    """Return the entity types of a concept with these tree numbers, none for most of MeSH.

    Of the MeSH ids in BioRED's training and development parts, 99.8% of the diseases' and all
    chemicals' lie in these trees.
    """
    numbers = tuple(tree_numbers)
    found: list[str] = []
    if any(number.startswith(DISEASE_TREES) for number in numbers):
        found.append(DISEASE)
    if any(number.startswith(CHEMICAL_TREES) for number in numbers):
        found.append(CHEMICAL)
    return tuple(found)


def is_protein(name: str, tree_numbers: Sequence[str]) -> bool:
    """Tell whether a supplementary record is of a single protein: BioRED gives NCBI Gene ids.

    By its name ("BRCA1 protein, human"), or since all headings it is mapped to are enzymes and
    proteins.
    """
    if _PROTEIN.search(name):
        return True
    return bool(tree_numbers) and all(n.startswith(_OF_PROTEINS) for n in tree_numbers)
