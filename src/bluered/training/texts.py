"""The texts that are learned from without answers, those of BioRED dev and test taken out."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from bluered.corpora.catalog import catalog
from bluered.corpora.locate import roots
from bluered.corpora.texts import sources, texts
from bluered.documents.document import Document
from bluered.training.held_out import shared

_LINE = 40
"""Letters below which a line is no text: a heading, a number."""


def lines_of(names: Iterable[str]) -> tuple[list[str], dict[str, str], int]:
    """Return the lines of all texts, each once, the sha256 of each text and how many were dropped.

    Lines that hold text of a held-out document are dropped.
    """
    found: dict[str, None] = {}
    data: dict[str, str] = {}
    for name in names:
        digest = hashlib.sha256()
        for text in _texts(name):
            digest.update(text.encode("utf-8", "replace") + b"\n")
            found.update(dict.fromkeys(x.strip() for x in text.splitlines() if len(x) >= _LINE))
        data[name] = digest.hexdigest()
    lines = list(found)
    out = shared([Document(id=f"line {n}", text=line) for n, line in enumerate(lines)])
    return [line for n, line in enumerate(lines) if f"line {n}" not in out], data, len(out)


def _texts(name: str) -> Iterator[str]:
    """Yield the texts of CORPUS:SPLIT or a file, below BLUERED_DATA or where one stands."""
    if name.partition(":")[0] not in catalog():
        places = [*(root / name for root in roots()), Path(name)]
        name = next((str(place) for place in places if place.exists()), name)
    for source in sources(name):
        yield from (text.text for text in texts(source.read()))


def check_texts(names: Iterable[str]) -> None:
    """Raise CorpusError for the first text that is not there, before hours of work."""
    for name in names:
        next(_texts(name), None)
