"""BC5CDR: chemicals, diseases and chemical-induced disease (CID) relations (PubTator files)."""

from collections.abc import Iterator

from msgspec.structs import replace

from bluered.corpora.catalog import corpus
from bluered.corpora.locate import split_path
from bluered.documents.document import Document
from bluered.formats import pubtator

ROLES = ("Chemical", "Disease")
"""The ends of a CID relation, in the order of its line."""


def load(split: str) -> Iterator[Document]:
    """Yield the documents of "train", "dev" or "test"; an absent file is an error at once."""
    return _documents(str(split_path(corpus("bc5cdr"), split)))


def _documents(path: str) -> Iterator[Document]:
    with open(path, "rb") as stream:
        for document in pubtator.read(stream, source=path):
            relations = tuple(replace(relation, roles=ROLES) for relation in document.relations)
            yield replace(document, relations=relations)
