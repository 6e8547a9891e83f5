"""Where a concept id is at home on the web."""

import re

_PATTERNS = {
    "gene": ((re.compile(r"(?:NCBI_?Gene:)?(\d+)", re.I), "https://www.ncbi.nlm.nih.gov/gene/{}"),),
    "species": (
        (
            re.compile(r"(?:NCBI_?Taxon(?:omy)?:|txid)?(\d+)", re.I),
            "https://www.ncbi.nlm.nih.gov/Taxonomy/Browser/wwwtax.cgi?id={}",
        ),
    ),
    "cell": ((re.compile(r"(CVCL_\w{4})"), "https://www.cellosaurus.org/{}"),),
    "variant": ((re.compile(r"(?:dbSNP:)?(rs\d+)", re.I), "https://www.ncbi.nlm.nih.gov/snp/{}"),),
}
_ANYWHERE = (
    (
        re.compile(r"(?:MESH:)?([CD]\d{6}(?:\d{3})?)", re.I),
        "https://meshb.nlm.nih.gov/record/ui?ui={}",
    ),
    (re.compile(r"OMIM:?(\d{6})", re.I), "https://omim.org/entry/{}"),
    (re.compile(r"CHEBI:(\d+)", re.I), "https://www.ebi.ac.uk/chebi/searchId.do?chebiId=CHEBI:{}"),
)


def home_of(concept: str, kind: str) -> str | None:
    """Return the address of a concept id of a kind ("gene", "disease"...), None where unknown.

    Genes are NCBI Gene numbers, diseases and chemicals MeSH (or OMIM, ChEBI), species NCBI Taxonomy
    numbers, cell lines Cellosaurus accessions, variants dbSNP rs numbers.

    >>> home_of("672", "gene")
    'https://www.ncbi.nlm.nih.gov/gene/672'
    """
    for pattern, address in (*_PATTERNS.get(kind, ()), *_ANYWHERE):
        if match := pattern.fullmatch(concept):
            return address.format(match[1])
    return None
