"""Cell lines: the names of Cellosaurus."""

import json
import re
from collections.abc import Iterator
from importlib.resources import files

from bluered.documents.biored_types import CELL_LINE
from bluered.normalize.names import name_key
from bluered.normalize.shipped.packages import Wheels
from bluered.normalize.term import Term

_MEMBER = "cellxgene_ontology_guide/data/CVCL-ontology-55.0.json.zst"


_BARE = re.compile(r"\ANCI-(?=H\d)| ATCC\Z|\s?\([^()]*\)\Z| \[[^\]]*\]\Z")
_DERIVED = re.compile(
    r"\bKO\b|-/-|BayGenomics|Abcam|Ubigene|HyCyte|PathHunter|Genomeditech|SEES3-1V|KOLF2\.1J|HAP1 "
)
_OWN_NAME = re.compile(r"(?=.*\d)\S{3,}")
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
    labels = {entry["label"] for entry in entries.values()}
    keys = {name_key(label) for label in labels}
    for accession, entry in entries.items():
        label = entry["label"]
        if label and not entry["deprecated"] and not _DERIVED.search(label):
            bare = _BARE.sub("", label)
            known = bare == label or name_key(bare) in keys  # MCF-7(DOX/R) is not called MCF-7
            others = (() if known else (bare,)) + everyday.pop(label, ())
            parent, _, rest = bare.partition(" ")  # "CHO CT60" is written CT60 too
            own = (rest,) if parent in labels and _OWN_NAME.fullmatch(rest) else ()
            yield Term(id=accession, type=CELL_LINE, name=label, synonyms=others, descriptions=own)


def _everyday() -> Iterator[tuple[str, tuple[str, ...]]]:
    text = files("bluered.normalize.shipped").joinpath(_COMMON).read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            label, names = line.split("\t")
            yield label, tuple(names.split("|"))
