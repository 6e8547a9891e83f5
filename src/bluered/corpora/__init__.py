"""The corpora: a catalogue of facts, where they lie, how they are fetched and read."""

from collections.abc import Callable, Iterator

from bluered.corpora import bc5cdr, biored
from bluered.corpora.catalog import corpus
from bluered.documents.document import Document

CORPORA: dict[str, Callable[[str], Iterator[Document]]] = {
    "bc5cdr": bc5cdr.load,
    "biored": biored.load,
}
"""The loader of each corpus of documents: `load(split)` streams them."""


def load(name: str, split: str) -> Iterator[Document]:
    """Yield the documents of a split ("train", "dev", "test"); CorpusError names what is missing.

    The corpus is taken from the folder BLUERED_DATA or from the cache; nothing is downloaded.
    """
    return CORPORA[corpus(name).name](split)
