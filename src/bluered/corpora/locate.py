"""Where the corpora lie: where the user added them, in BLUERED_DATA, else in the user's cache.

Below either of the last two a corpus may lie in a folder of its name (`biored/Train.PubTator`) or
as its official archive unpacks (`BioRED/Train.PubTator`), there or in the folder of its name.
"""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from platformdirs import user_cache_path

from bluered.corpora.added import added, damaged
from bluered.corpora.catalog import split_files
from bluered.corpora.entry import Corpus, CorpusFile
from bluered.corpora.own_split import OWN
from bluered.errors import CorpusError

VARIABLE = "BLUERED_DATA"

INNER = "!"
"""Between the name of an archive in an archive and that of its member."""


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
    note = added().get(entry.name)
    if note is not None:
        for path in (file.path, *file.alternatives, *([file.member] if file.member else [])):
            yield Path(note.folder) / path
        if not note.entry:
            return  # a corpus of the catalogue lies where it was added, no file of it elsewhere
    elif entry.name in damaged():
        return  # it may lie elsewhere than was meant
    for path in (file.path, *file.alternatives):
        for root in roots():
            yield root / entry.name / path
    if file.member:
        member = _as_unpacked(file.member)
        for root in roots():
            yield root / entry.name / member
            yield root / member


def _as_unpacked(member: str) -> PurePosixPath:
    """Return where a member lies when the archive, and one inside it, are unpacked in place."""
    outer, _, inner = member.rpartition(INNER)
    return PurePosixPath(outer).parent / inner


def find(entry: Corpus, file: CorpusFile) -> Path | None:
    """Return where a file (or folder) of a corpus lies on this machine, or None."""
    return next((path for path in _candidates(entry, file) if path.exists()), None)


def counted_splits(entry: Corpus) -> tuple[str, ...]:
    """Return the splits that make up a corpus on this machine.

    All but `own-X` where the files of every such X are here; else those in the place of the X.
    """
    own = {s: s.removeprefix(OWN) for s in entry.splits if s.startswith(OWN)}
    stands_for = {split: other for split, other in own.items() if other in entry.splits}
    replaced = set(stands_for.values())
    files = [file for split in sorted(replaced) for file in split_files(entry, split)]
    if replaced and all(find(entry, file) for file in files):
        return tuple(split for split in entry.splits if split not in stands_for)
    return tuple(split for split in entry.splits if split not in replaced)


def missing(entry: Corpus) -> list[CorpusFile]:
    """Return the files that the counted splits need and this machine lacks."""
    needed = {f.path: f for split in counted_splits(entry) for f in split_files(entry, split)}
    return [file for file in needed.values() if find(entry, file) is None]


def is_here(entry: Corpus, split: str) -> bool:
    """Tell whether every file of a split is on this machine."""
    return all(find(entry, file) for file in split_files(entry, split))


def split_paths(entry: Corpus, split: str) -> tuple[Path, ...]:
    """Return the files of a split, or raise CorpusError that says how to get them."""
    return tuple(_located(entry, file) for file in split_files(entry, split))


def _located(entry: Corpus, file: CorpusFile) -> Path:
    path = find(entry, file)
    if path is None:
        raise CorpusError(
            f"{file.path} of {entry.title} is not on this machine {remedy(entry, file)}"
            + (f": {file.about}" if file.about else "")
        )
    return path


def remedy(entry: Corpus, file: CorpusFile) -> str:
    """Return where a file was looked for and what to do."""
    note = added().get(entry.name)
    if note is not None:
        looked = f"(looked in {note.folder}, from where {entry.name} was added)"
        return f"{looked}: run `bluered corpora fetch {entry.name}`" if file.download else looked
    if entry.name in damaged():
        return f"({damaged()[entry.name]})"
    searched = f"(looked in {' and '.join(str(root) for root in roots())})"
    if entry.access != "open":
        how = entry.obtain or f"see {entry.home}"
        return f"{searched}: {how}; then run `bluered corpora add {entry.name} PATH`"
    return (
        f"{searched}: run `bluered corpora fetch {entry.name}`, or set {VARIABLE} to the folder "
        f"that holds {entry.name}/{file.path}"
    )


def content_hash(stream: BinaryIO) -> str:
    """Return the sha256 of a stream's content with CR LF turned into LF."""
    digest = hashlib.sha256()
    for line in stream:
        digest.update(line.removesuffix(b"\r\n") + b"\n" if line.endswith(b"\r\n") else line)
    return digest.hexdigest()


def is_published(path: Path, file: CorpusFile) -> bool:
    """Tell whether a local file has the content the catalogue gives, line ends aside.

    True where there is nothing to compare: the catalogue gives no hash for corpora under an
    agreement and the user's own, and a folder that stands for a file is another official form.
    """
    if not file.sha256 or path.is_dir():
        return True
    with path.open("rb") as stream:
        return content_hash(stream) == file.sha256
