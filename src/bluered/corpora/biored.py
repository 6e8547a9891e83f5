"""BioRED: six entity types, document-level relations of eight types, novelty (PubTator files)."""

from collections.abc import Iterator

from bluered.corpora.catalog import corpus
from bluered.corpora.locate import split_path
from bluered.documents.document import Document
from bluered.formats import pubtator


def load(split: str) -> Iterator[Document]:
    """Yield the documents of "train", "dev" or "test"; an absent file is an error at once."""
    return _documents(str(split_path(corpus("biored"), split)))


def _documents(path: str) -> Iterator[Document]:
    with open(path, "rb") as stream:
        yield from pubtator.read(stream, source=path)
