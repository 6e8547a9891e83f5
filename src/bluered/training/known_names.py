"""The names of the shipped terminology in documents that are learned from.

A document whose mentions were counted for the terminology would find all of them known: what it
counts for itself is left out (`normalize.shipped.copies`).
"""

import logging
from collections.abc import Sequence

from msgspec.structs import replace

from bluered.corpora.catalog import catalog
from bluered.corpora.locate import is_here, roots
from bluered.documents.document import Document
from bluered.normalize.dictionary import Dictionary, Match, Own
from bluered.normalize.locate import find_terminology
from bluered.normalize.shipped.copies import own_names
from bluered.normalize.shipped.corpora import CORPORA, Corpus
from bluered.normalize.terminology import Terminology

log = logging.getLogger(__name__)


class KnownNames:
    """Finds the known names of documents, those aside that a document itself made known."""

    def __init__(self, documents: Sequence[Document]) -> None:
        """Compare the documents with those that were counted; this takes a minute for thousands."""
        self._dictionary = Dictionary(Terminology(find_terminology()))
        own = own_names(_numbered(documents), roots()[0], _here())
        self._own: dict[int, Own] = {
            id(document): own[_name(number)]
            for number, document in enumerate(documents)
            if _name(number) in own
        }
        self._documents = documents  # so that no other document gets the id of one of them

    def __call__(self, document: Document) -> list[Match]:
        """Return the names in one of the documents."""
        return self._dictionary.matches(document.text, own=self._own.get(id(document)))


def _here() -> list[Corpus]:
    """Return the counted corpora that are on this machine, and say which are not.

    A copy of a document in one that is not here goes unseen: its names then count as known.
    """
    here = [corpus for corpus in CORPORA if _is_here(corpus)]
    if absent := [corpus.name for corpus in CORPORA if corpus not in here]:
        log.warning("known names: copies of documents in %s are not seen", ", ".join(absent))
    return here


def _is_here(corpus: Corpus) -> bool:
    if corpus.split is None:
        return (roots()[0] / corpus.file).is_file()
    return is_here(catalog()[corpus.split[0]], corpus.split[1])


def _numbered(documents: Sequence[Document]) -> list[Document]:
    """Return the documents under names of ours: two corpora may give one id to different texts."""
    return [
        replace(document, id=_name(number), relations=(), mention_relations=())
        for number, document in enumerate(documents)
    ]


def _name(number: int) -> str:
    return f"document {number}"
