"""Cell lines: the names of Cellosaurus."""

import json
from collections.abc import Iterator

from bluered.documents.biored_types import CELL_LINE
from bluered.normalize.shipped.packages import Wheels
from bluered.normalize.term import Term

_MEMBER = "cellxgene_ontology_guide/data/CVCL-ontology-55.0.json.zst"


def cell_line_terms(wheels: Wheels) -> Iterator[Term]:
    """Yield the cell lines; the package gives one name of each and no species."""
    import zstandard

    packed = wheels.bytes("cellxgene-ontology-guide", _MEMBER)
    with zstandard.ZstdDecompressor().stream_reader(packed) as stream:
        entries = json.loads(stream.read())
    for accession, entry in entries.items():
        if not entry["deprecated"] and entry["label"]:
            yield Term(id=accession, type=CELL_LINE, name=entry["label"])
