"""How the files of a corpus are read, by the name of their layout; open to every entry."""

from bluered.corpora import annotated, biosses, hoc, table
from bluered.corpora.source import Reader

LAYOUTS: dict[str, Reader] = {
    "annotated": annotated.read,
    "biosses": biosses.read,
    "hoc": hoc.read,
    "table": table.read,
}
"""The reader of each layout, as `layout` in an entry names it."""
