"""The corpora: a catalogue of facts, where they lie, how they are fetched and read."""

from collections.abc import Iterator

from bluered.corpora.catalog import corpus
from bluered.corpora.layouts import LAYOUTS
from bluered.corpora.locate import split_paths
from bluered.corpora.source import Source
from bluered.documents.document import Document
from bluered.documents.examples import Example
from bluered.errors import CorpusError, unknown_name


def load(name: str, split: str) -> Iterator[Example]:
    """Yield what a split ("train", "dev", "test") of a corpus holds; CorpusError says what lacks.

    Documents for corpora of documents; text pairs, labelled texts or candidate relations for others
    (bluered.documents.examples). The corpus is taken from where the user added it, from the folder
    BLUERED_DATA or from the cache; nothing is downloaded.
    """
    entry = corpus(name)
    if entry.layout not in LAYOUTS:
        raise CorpusError(f"{name}: {unknown_name('layout', entry.layout, list(LAYOUTS))}")
    return LAYOUTS[entry.layout](Source(entry, split, split_paths(entry, split)))


def documents(name: str, split: str) -> Iterator[Document]:
    """Yield the documents of a split; CorpusError if the corpus is not one of documents."""
    return map(_document, load(name, split))


def _document(example: Example) -> Document:
    if not isinstance(example, Document):
        raise CorpusError(f"{example.id}: expected a document, found a {type(example).__name__}")
    return example
