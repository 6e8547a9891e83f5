"""The names other systems use for what BioRED names, and what concepts are compared by.

A name that is in no table stays as it is and equals only itself.
"""

from functools import lru_cache

from bluered.documents.biored_types import (
    CELL_LINE,
    CHEMICAL,
    DISEASE,
    ENTITY_TYPES,
    GENE,
    PAIR_TYPES,
    RELATION_TYPES,
    SPECIES,
    VARIANT,
)
from bluered.formats.identifiers import split_identifier

SHORT = {
    GENE: "Gene",
    DISEASE: "Disease",
    CHEMICAL: "Chemical",
    VARIANT: "Variant",
    SPECIES: "Species",
    CELL_LINE: "CellLine",
}

CONCEPT_PAIRS: dict[frozenset[str], str] = {
    frozenset(pair): "-".join(SHORT[end] for end in pair) for pair in PAIR_TYPES
}
"""What the eight pairs are called in tables."""

UNKNOWN_PAIR = "unknown"
"""The pair of a prediction that names a concept nobody has mentioned."""

_ENTITY_ALIASES = {
    "gene": GENE,
    "protein": GENE,
    "geneorprotein": GENE,
    "disease": DISEASE,
    "phenotype": DISEASE,
    "chemical": CHEMICAL,
    "drug": CHEMICAL,
    "variant": VARIANT,
    "mutation": VARIANT,
    "dnamutation": VARIANT,
    "proteinmutation": VARIANT,
    "snp": VARIANT,
    "species": SPECIES,
    "organism": SPECIES,
    "cellline": CELL_LINE,
} | {name.lower(): name for name in ENTITY_TYPES}

_RELATION_ALIASES = {name.lower(): name for name in RELATION_TYPES}


@lru_cache(maxsize=1 << 12)
def entity_type(name: str) -> str:
    """Return BioRED's name of an entity type; case, `_`, `-` and space do not count.

    AIONER, PubTator and tmVar write Gene, Disease, Chemical, Species, Mutation, DNAMutation,
    ProteinMutation, SNP, Variant and CellLine.

    >>> entity_type("Cell_Line"), entity_type("Gene"), entity_type("Tissue")
    ('CellLine', 'GeneOrGeneProduct', 'Tissue')
    """
    plain = name.lower().replace("_", "").replace("-", "").replace(" ", "")
    return _ENTITY_ALIASES.get(plain, name)


def relation_type(name: str) -> str:
    """Return BioRED's name of a relation type; case counts not, space and hyphen stand for `_`.

    >>> relation_type("Positive correlation"), relation_type("treat")
    ('Positive_Correlation', 'treat')
    """
    return _RELATION_ALIASES.get(name.lower().replace(" ", "_").replace("-", "_"), name)


@lru_cache(maxsize=1 << 16)
def concept_key(identifier: str) -> str:
    """Return the name a concept is compared by: of several ids joined, order and joint don't count.

    So `D014693|D017180` is the same end of a relation as `D017180,D014693`, and neither is the
    concept `D017180` alone. Ids are otherwise compared letter by letter, the placeholders `-`
    and `-1` too: they name no concept, no gold relation has one, so a prediction with one is wrong.

    >>> concept_key("D017180,D014693") == concept_key("D014693|D017180")
    True
    """
    parts = split_identifier(identifier).concepts
    return parts[0] if len(parts) == 1 else "|".join(sorted(set(parts)))
