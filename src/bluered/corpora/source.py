"""What a reader of a corpus is given: the entry, the split and where its files lie."""

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from bluered.corpora.entry import Corpus
from bluered.documents.examples import Example
from bluered.errors import CorpusError


class Source(Struct, frozen=True):
    """One split of a corpus; `paths` stand in the order in which the entry names them."""

    corpus: Corpus
    split: str
    paths: tuple[Path, ...]


def files_of(source: Source, *names: str, least: int) -> tuple[Path, ...]:
    """Return the paths of a split, or raise CorpusError if they are not the layout's `names`.

    At least so many of them must be there, in this order.
    """
    if not least <= len(source.paths) <= len(names):
        most = ", ".join(names[least:])
        more = f" and, if there is one, {most}" if most else ""
        raise CorpusError(
            f"{source.corpus.name}, split {source.split}: the layout {source.corpus.layout} wants "
            f"{', '.join(names[:least])}{more}; found {len(source.paths)} files"
        )
    return source.paths


Reader = Callable[[Source], Iterator[Example]]
"""Yield what a split holds, from the files of the original distribution."""
