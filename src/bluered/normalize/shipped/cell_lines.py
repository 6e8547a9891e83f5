"""Cell lines: the names of Cellosaurus."""

import json
import re
from collections.abc import Iterator
from importlib.resources import files

from bluered.documents.biored_types import CELL_LINE
from bluered.normalize.shipped.packages import Wheels
from bluered.normalize.term import Term

_MEMBER = "cellxgene_ontology_guide/data/CVCL-ontology-55.0.json.zst"


_BARE = re.compile(r"\ANCI-(?=H\d)| ATCC\Z|\s?\([^()]*\)\Z")
_DERIVED = re.compile(
    r"\bKO\b|-/-|BayGenomics|Abcam|Ubigene|HyCyte|PathHunter|Genomeditech|SEES3-1V|KOLF2\.1J|HAP1 "
)
_COMMON = "common_cell_lines.tsv"


def cell_line_terms(wheels: Wheels) -> Iterator[Term]:
    """Yield the cell lines; the package gives one name of each and no species.

    Names are added as they are written elsewhere: without the NCI's prefix ("H1299") or what is in
    brackets behind, and the everyday names of the usual ones. Left out are the thousands of
    knock-outs that firms sell by catalogue.
    """
    import zstandard

    packed = wheels.bytes("cellxgene-ontology-guide", _MEMBER)
    with zstandard.ZstdDecompressor().stream_reader(packed) as stream:
        entries = json.loads(stream.read())
    everyday = dict(_everyday())
    for accession, entry in entries.items():
        label = entry["label"]
        if label and not entry["deprecated"] and not _DERIVED.search(label):
            bare = _BARE.sub("", label)
            others = (() if bare == label else (bare,)) + everyday.pop(label, ())
            yield Term(id=accession, type=CELL_LINE, name=label, synonyms=others)


def _everyday() -> Iterator[tuple[str, tuple[str, ...]]]:
    text = files("bluered.normalize.shipped").joinpath(_COMMON).read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            label, names = line.split("\t")
            yield label, tuple(names.split("|"))
