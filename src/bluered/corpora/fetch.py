"""How a corpus comes onto this machine: what is there is verified, the rest is downloaded."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from bluered.corpora.added import added
from bluered.corpora.download import Progress, retrieve
from bluered.corpora.entry import Corpus, CorpusFile, Download, paths_of
from bluered.corpora.locate import counted_splits, find, home, is_published
from bluered.corpora.unpack import unpack
from bluered.errors import CorpusError

Bar = Callable[[str], Progress | None]
"""Give a progress callback for a download by its name."""


class Fetched(Struct, frozen=True):
    """Where the files of a corpus lie; `new` are those this call brought."""

    files: dict[str, Path]
    new: tuple[str, ...]


def fetch(entry: Corpus, *, bar: Bar = lambda _: None) -> Fetched:
    """Bring a corpus onto this machine and return where its files lie.

    Files that are there are verified and kept. An archive put into the folder by hand is used as if
    downloaded. CorpusError for corpora that are not open says how to obtain them.
    """
    needed = [path for split in counted_splits(entry) for path in paths_of(entry, split)]
    described = {file.path: file for file in entry.files}
    every = described | {p: CorpusFile(path=p) for p in needed if p not in described}
    absent = [file for file in every.values() if not _present(entry, file)]
    if not any(file.path in needed for file in absent):
        absent = []  # further files (other formats of the same text) are no reason to download
    if absent:
        folder = home(entry)
        downloads = _needed(entry, absent, folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise CorpusError(
                f"{folder} cannot be made a folder, a file is in its way: move that away"
            ) from None
        for download in downloads:
            wanted = [file for file in absent if file.download == download.name]
            try:
                _bring(download, wanted, folder, bar=bar)
            except OSError as error:  # of a full disk the system names no file
                if error.filename is not None:
                    raise
                raise OSError(error.errno, error.strerror, str(folder)) from None
    files = {name: path for name, file in every.items() if (path := find(entry, file)) is not None}
    return Fetched(files, tuple(file.path for file in absent))


def _present(entry: Corpus, file: CorpusFile) -> bool:
    path = find(entry, file)
    if path is None:
        return False
    if not is_published(path, file):
        raise CorpusError(
            f"{path} differs from the published {file.path} of {entry.title} (sha256): move it "
            "away to fetch the published one"
        )
    return True


def _needed(entry: Corpus, absent: list[CorpusFile], folder: Path) -> list[Download]:
    without = [file.path for file in absent if not file.download]
    note = added().get(entry.name)
    if note is not None:
        folder = Path(note.folder)
    if entry.access != "open" or without:
        how = entry.obtain or (f"see {entry.home}" if entry.home else "its entry names no download")
        if entry.access == "agreement":
            raise CorpusError(
                f"{entry.title} cannot be fetched (access: {entry.access}): {how}; then run "
                f"`bluered corpora add {entry.name} PATH`"
            )
        names = ", ".join(file.path for file in absent)
        raise CorpusError(
            f"{entry.title} cannot be fetched (access: {entry.access}): {how}; then put {names} "
            f"into {folder}"
        )
    names = {file.download for file in absent}
    return [download for download in entry.downloads if download.name in names]


def _bring(download: Download, files: list[CorpusFile], folder: Path, *, bar: Bar) -> None:
    target = folder / download.name
    by_hand = target.exists()
    archive = retrieve(download, folder, progress=bar(download.name))
    try:
        members = [file for file in files if file.member]
        if members:
            unpack(archive, members, folder)
        for file in files:
            if not file.member:
                _place(archive, file, folder)
    except CorpusError as error:
        if by_hand:
            raise CorpusError(f"{error} (move {archive} away first)") from None
        archive.unlink(missing_ok=True)
        raise


def _place(source: Path, file: CorpusFile, folder: Path) -> None:
    """Put a download that is itself a file of the corpus under that file's path."""
    if not is_published(source, file):
        raise CorpusError(f"{source} is not the published {file.path} (sha256)")
    target = folder / file.path
    if target == source:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.new")
    shutil.copyfile(source, temporary)
    os.replace(temporary, target)
