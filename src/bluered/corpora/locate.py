"""Where the corpora lie: the folder BLUERED_DATA names, else the user's cache.

Below either root a corpus may lie in a folder of its name (`biored/Train.PubTator`) or as its
official archive unpacks (`BioRED/Train.PubTator`), there or in the folder of its name.
"""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from platformdirs import user_cache_path

from bluered.corpora.catalog import Corpus, CorpusFile, split_file
from bluered.errors import CorpusError

VARIABLE = "BLUERED_DATA"


def roots() -> list[Path]:
    """Return the folders that are searched for corpora, first choice first.

    BLUERED_DATA may name a folder that is yet to be made, but nothing else: CorpusError.
    """
    named = os.environ.get(VARIABLE)
    if named and Path(named).expanduser().exists() and not Path(named).expanduser().is_dir():
        raise CorpusError(
            f"{VARIABLE} is set to {named}, which is not a folder: set it to the folder that holds "
            "the corpora, or unset it"
        )
    cache = user_cache_path("bluered") / "corpora"
    return [Path(named).expanduser(), cache] if named else [cache]


def home(entry: Corpus) -> Path:
    """Return the folder a fetched corpus is put into: under BLUERED_DATA if that can be written."""
    places = roots()
    first = places[0]
    nearest = first if first.exists() else next(p for p in first.parents if p.exists())
    usable = os.access(nearest, os.W_OK) and nearest.is_dir()
    return (first if usable else places[-1]) / entry.name


def _candidates(entry: Corpus, file: CorpusFile) -> Iterator[Path]:
    for root in roots():
        yield root / entry.name / file.path
        if file.member:
            yield root / entry.name / file.member
            yield root / file.member


def find(entry: Corpus, file: CorpusFile) -> Path | None:
    """Return where a file of a corpus lies on this machine, or None."""
    return next((path for path in _candidates(entry, file) if path.is_file()), None)


def missing(entry: Corpus) -> list[CorpusFile]:
    """Return the files that the splits need and this machine lacks."""
    needed = set(entry.splits.values())
    return [f for f in entry.files if f.path in needed and find(entry, f) is None]


def split_path(entry: Corpus, split: str) -> Path:
    """Return the file of a split, or raise CorpusError that says how to get it."""
    file = split_file(entry, split)
    path = find(entry, file)
    if path is None:
        searched = " and ".join(str(root) for root in roots())
        raise CorpusError(
            f"{file.path} of {entry.title} is not on this machine (looked in {searched}): run "
            f"`bluered corpora fetch {entry.name}`, or set {VARIABLE} to the folder that holds "
            f"{entry.name}/{file.path}"
        )
    return path


def content_hash(stream: BinaryIO) -> str:
    """Return the sha256 of a stream's content with CR LF turned into LF."""
    digest = hashlib.sha256()
    for line in stream:
        digest.update(line.removesuffix(b"\r\n") + b"\n" if line.endswith(b"\r\n") else line)
    return digest.hexdigest()


def is_published(path: Path, file: CorpusFile) -> bool:
    """Tell whether a local file has the content the catalogue gives, line ends aside."""
    with path.open("rb") as stream:
        return content_hash(stream) == file.sha256
