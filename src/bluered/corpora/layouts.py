"""How the files of a corpus are read, by the name of their layout; open to every entry."""

from bluered.corpora import (
    annotated,
    biosses,
    chemprot,
    ddi,
    hoc,
    i2b2_2010,
    mednli,
    medsts,
    shareclef,
    table,
)
from bluered.corpora.source import Reader

LAYOUTS: dict[str, Reader] = {
    "annotated": annotated.read,
    "biosses": biosses.read,
    "chemprot": chemprot.read,
    "ddi": ddi.read,
    "hoc": hoc.read,
    "i2b2-2010": i2b2_2010.read,
    "mednli": mednli.read,
    "medsts": medsts.read,
    "shareclef": shareclef.read,
    "table": table.read,
}
"""The reader of each layout, as `layout` in an entry names it."""
