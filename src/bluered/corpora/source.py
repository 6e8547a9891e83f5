"""What a reader of a corpus is given: the entry, the split and where its files lie."""

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from bluered.corpora.entry import Corpus
from bluered.documents.examples import Example


class Source(Struct, frozen=True):
    """One split of a corpus; `paths` stand in the order in which the entry names them."""

    corpus: Corpus
    split: str
    paths: tuple[Path, ...]


Reader = Callable[[Source], Iterator[Example]]
"""Yield what a split holds, from the files of the original distribution."""
