"""Genes of further species, and what their orthologs are called: NCBI's HomoloGene.

Papers about rats or mice use the symbol of the human gene. HomoloGene (build 68, the last) groups
the genes of 21 species that descend from one; its file is https://ftp.ncbi.nlm.nih.gov/pub/
HomoloGene/build68/homologene.data: group, species, NCBI Gene id, symbol and more, tab-separated.
"""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from bluered.documents.biored_types import GENE
from bluered.errors import BlueredError
from bluered.normalize.store import sha256
from bluered.normalize.term import SourceRecord, Term

FILE = "homologene.data"
URL = "https://ftp.ncbi.nlm.nih.gov/pub/HomoloGene/build68/homologene.data"

TAXA = ("9606", "10090", "10116", "7955", "9913", "9615", "9031", "8364", "7227", "6239", "4932")
"""Human, mouse, rat, zebrafish, cow, dog, chicken, frog, fly, worm, yeast."""

_NAMED_OTHERWISE = ("7227", "6239", "4932")
"""Species whose genes have symbols of their own."""

Member = tuple[str, str, str]
"""Species, NCBI Gene id, symbol."""


def ortholog_terms(folder: Path) -> Iterator[Term]:
    """Yield the genes of HomoloGene with their symbol and that of the human gene."""
    for members in groups(folder / FILE).values():
        human = tuple(symbol for taxon, _, symbol in members if taxon == TAXA[0])
        for taxon, gene, symbol in members:
            if taxon in TAXA:
                lent = () if taxon in _NAMED_OTHERWISE else human
                yield Term(id=gene, type=GENE, name=symbol, synonyms=lent, taxon=taxon)


def groups(path: Path) -> dict[str, list[Member]]:
    """Return the members of each group of orthologs; BlueredError if the file is not there."""
    if not path.is_file():
        raise BlueredError(f"{path} is missing: download it from {URL}")
    found: defaultdict[str, list[Member]] = defaultdict(list)
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            cells = line.rstrip("\r\n").split("\t")
            if len(cells) < 4 or not cells[2].isdigit():
                raise BlueredError(f"{path}:{number}: expected group, species, gene id, symbol")
            found[cells[0]].append((cells[1], cells[2], cells[3]))
    return found


def ortholog_record(folder: Path) -> SourceRecord:
    """Return where the orthologs come from, for the manifest."""
    return SourceRecord(
        name="HomoloGene", version="build 68", licence="public domain (NCBI)", url=URL,
        sha256=sha256(folder / FILE),
    )  # fmt: skip
