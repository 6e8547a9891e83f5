"""Where in a folder of the user's a corpus lies: the folder that holds its files by their names."""

import os
from collections.abc import Iterator
from pathlib import Path

from bluered.corpora.entry import Corpus, CorpusFile
from bluered.errors import CorpusError

DEEPEST, MOST_FOLDERS = 5, 20_000
"""How far below a folder is searched, and in how many: it may be a home folder or a whole disk."""

COMMON = ("train.tsv", "dev.tsv", "test.tsv")
"""Names of tables that many corpora have: they tell a corpus only where no other name does."""


def folder_of(entry: Corpus, path: Path) -> Path:
    """Return the folder, `path` or one below it, that holds most of a corpus's files.

    CorpusError if none holds any; whether all are there, and are what they should be, is for
    bluered.corpora.validation to say.
    """
    if not path.exists():
        raise CorpusError(f"there is no {path}: name the folder that holds {entry.title}")
    if path.is_file():
        if not any(Path(name).name == path.name for f in entry.files for name in names_of(f)):
            raise CorpusError(
                f"{path}: no file of {entry.title} is called so: expected a folder that holds "
                f"{_wanted(entry)}"
            )
        return path.parent.resolve()
    best, most = path, (0, 0)
    for folder in _folders(path):
        held = _held(entry, folder)
        if held > most:
            best, most = folder, held
    if most == (0, 0):
        raise CorpusError(
            f"{path} is not {entry.title}: expected {_wanted(entry)} in it or in a folder below, "
            f"by these names{_where_to_apply(entry)}"
        )
    return best.resolve()


def _held(entry: Corpus, folder: Path) -> tuple[int, int]:
    """Return how many of the files a folder holds: by names of their own, and by any."""
    names = [{name for name in names_of(file) if (folder / name).exists()} for file in entry.files]
    return sum(bool(n.difference(COMMON)) for n in names), sum(map(bool, names))


def names_of(file: CorpusFile) -> tuple[str, ...]:
    """Return the paths under which copies have a file."""
    return (file.path, *file.alternatives, *([file.member] if file.member else []))


def described(file: CorpusFile) -> str:
    """Return the names of a file as one says them."""
    others = f" (or {' or '.join(file.alternatives)})" if file.alternatives else ""
    return f"{file.path}{others}"


def _wanted(entry: Corpus) -> str:
    official = [file for file in entry.files if not file.about]
    return ", ".join(described(file) for file in official)


def _where_to_apply(entry: Corpus) -> str:
    return f" (to get it: {entry.obtain})" if entry.obtain else ""


def _folders(top: Path) -> Iterator[Path]:
    """Yield a folder and those below it, the nearest first."""
    level = [top]
    seen = 0
    for _ in range(DEEPEST + 1):
        below: list[Path] = []
        for folder in level:
            seen += 1
            if seen > MOST_FOLDERS:
                return
            yield folder
            below += _subfolders(folder)
        level = below


def _subfolders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            names = [e.name for e in entries if e.is_dir() and not e.name.startswith(".")]
    except OSError:  # one that may not be read holds nothing for us
        return []
    return [folder / name for name in sorted(names)]
