"""How the entity types of all corpora are shown: six kinds, each with a letter and a colour.

The terminal's colours are those of Okabe and Ito (Color Universal Design, 2008), which people with
any kind of colour vision can tell apart, with grey for the sixth; the letters serve where there is
no colour.
"""

from msgspec import Struct


class Kind(Struct, frozen=True):
    """A kind of entity: `key` names its style in the page, `colour` is its terminal background."""

    key: str
    label: str
    letter: str
    colour: str


GENE = Kind("gene", "Gene", "G", "#56b4e9")
DISEASE = Kind("disease", "Disease", "D", "#e69f00")
CHEMICAL = Kind("chemical", "Chemical", "C", "#3fc19b")
VARIANT = Kind("variant", "Variant", "V", "#e59bc5")
SPECIES = Kind("species", "Species", "S", "#f0e442")
CELL_LINE = Kind("cell", "Cell line", "L", "#c4c4c4")
OTHER = Kind("other", "Other", "O", "#ffffff")

KINDS = (GENE, DISEASE, CHEMICAL, VARIANT, SPECIES, CELL_LINE)
"""The six kinds of BioRED, in the order of legends."""

_WORDS = {
    "cell": CELL_LINE,
    "gene": GENE,
    "protein": GENE,
    "gpro": GENE,
    "disease": DISEASE,
    "phenotyp": DISEASE,
    "disorder": DISEASE,
    "chem": CHEMICAL,
    "drug": CHEMICAL,
    "variant": VARIANT,
    "mutation": VARIANT,
    "snp": VARIANT,
    "taxon": SPECIES,
    "species": SPECIES,
    "organism": SPECIES,
}


def kind_of(entity_type: str) -> Kind:
    """Return the kind of an entity type, whatever corpus it comes from.

    >>> kind_of("DiseaseOrPhenotypicFeature").label
    'Disease'
    """
    lower = entity_type.lower()
    return next((kind for word, kind in _WORDS.items() if word in lower), OTHER)
