"""The names of BioRED's entity types, relation types and pairs of concepts.

Source: Luo et al. 2022 (doi:10.1093/bib/bbac282) and the released files.
"""

GENE = "GeneOrGeneProduct"
DISEASE = "DiseaseOrPhenotypicFeature"
CHEMICAL = "ChemicalEntity"
SPECIES = "OrganismTaxon"
VARIANT = "SequenceVariant"
CELL_LINE = "CellLine"

ENTITY_TYPES = (GENE, DISEASE, CHEMICAL, SPECIES, VARIANT, CELL_LINE)
"""In the order of the models' markers: a trained model depends on it."""

RELATION_TYPES = (
    "Association",
    "Positive_Correlation",
    "Negative_Correlation",
    "Bind",
    "Cotreatment",
    "Comparison",
    "Drug_Interaction",
    "Conversion",
)

PAIR_TYPES: tuple[tuple[str, str], ...] = (
    (DISEASE, GENE),
    (DISEASE, VARIANT),
    (CHEMICAL, DISEASE),
    (CHEMICAL, GENE),
    (CHEMICAL, VARIANT),
    (GENE, GENE),
    (CHEMICAL, CHEMICAL),
    (VARIANT, VARIANT),
)
"""The eight pairs that BioRED relates (its Table 3), each in the order in which a candidate names
its two ends; a trained model depends on the order."""
