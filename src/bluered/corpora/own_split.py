"""BlueRED's own development splits, for corpora whose BLUE split cannot be told from their files.

BLUE drew the development part of MedSTS, ShARe/CLEF and i2b2 2010 at random and does not say how;
its lists of ids are not part of the corpora. Where they are missing, the splits `own-train` and
`own-dev` divide the official training part by a fixed rule: every k-th item, in the given order, is
development data. They are never called `train` and `dev`, since scores on them compare with no
published score on BLUE's; the test part is never divided, so scores on it compare.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from bluered.documents.document import Document
from bluered.errors import CorpusError

Item = TypeVar("Item")

OWN = "own-"
"""How the names of BlueRED's own splits begin."""

EVERY_PAIR, EVERY_NOTE = 10, 5
"""A tenth of the sentence pairs (75 of MedSTS's 750, as many as BLUE's), a fifth of the notes."""


def share(items: Iterable[Item], split: str, every: int) -> Iterator[Item]:
    """Yield the items of a split: every k-th for `own-dev`, the rest for `own-train`, else all.

    >>> "".join(share("abcdefgh", "own-dev", 3)), "".join(share("abcdefgh", "own-train", 3))
    ('cf', 'abdegh')
    """
    for number, item in enumerate(items, start=1):
        if not split.startswith(OWN) or (number % every == 0) == (split == f"{OWN}dev"):
            yield item


def divided(
    documents: Iterable[Document],
    split: str,
    *,
    development: frozenset[str],
    listed: Path,
    hint: str = "is it BLUE's list?",
) -> Iterator[Document]:
    """Yield the documents of `dev`, which are those of BLUE's list, or those of `train`, the rest.

    A list that names none of the documents is an error: it is not the corpus's.
    """
    none = True
    for document in documents:
        inside = document.id in development
        none = none and not inside
        if inside == (split == "dev"):
            yield document
    if none:
        raise CorpusError(f"{listed} names none of the documents for dev: {hint}")
