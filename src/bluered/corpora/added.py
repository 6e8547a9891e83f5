"""The corpora a user has added: a note of where each lies, never a copy of anything.

For a corpus under an agreement the note names the user's folder; for a corpus of the user's own
also the TOML file that describes it. Notes lie in the user's data folder (`added/<name>.json`).
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

import msgspec
from msgspec import Struct
from platformdirs import user_data_path

from bluered.errors import CorpusError

NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")
"""What a corpus or a task may be called: names are also names of files (notes, predictions)."""


class Added(Struct, frozen=True, forbid_unknown_fields=True):
    """Where an added corpus lies; `entry` is its TOML file, empty for one in the catalogue."""

    folder: str
    entry: str = ""


def notes() -> Path:
    """Return the folder of the notes."""
    return user_data_path("bluered") / "added"


_tried: ContextVar[dict[str, Added] | None] = ContextVar("_tried", default=None)


@contextmanager
def as_if_added(name: str, note: Added) -> Iterator[None]:
    """Have a corpus count as added while the context lasts, so that a copy can be tried first."""
    token = _tried.set({**(_tried.get() or {}), name: note})
    try:
        yield
    finally:
        _tried.reset(token)


def added() -> dict[str, Added]:
    """Return what has been added, by the corpus's name; notes that are `damaged` are left out."""
    read = {name: _read(path) for name, path in _paths()}
    return {name: note for name, note in read.items() if isinstance(note, Added)} | _on_trial()


def damaged() -> dict[str, str]:
    """Return why notes cannot be used and what to do, by the corpus's name."""
    read = {name: _read(path) for name, path in _paths() if name not in _on_trial()}
    return {name: fault for name, fault in read.items() if isinstance(fault, str)}


def _on_trial() -> dict[str, Added]:
    return _tried.get() or {}


def _paths() -> Iterator[tuple[str, Path]]:
    folder = notes()
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        if NAME.fullmatch(path.stem):
            yield path.stem, path


def _read(path: Path) -> Added | str:
    """Return a note, or what is wrong with it."""
    try:
        if not path.is_file():  # a pipe would be waited for
            raise FileNotFoundError(None, "no regular file")
        return msgspec.json.decode(path.read_bytes(), type=Added)
    except (msgspec.DecodeError, UnicodeDecodeError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        return (
            f"the note {path} is damaged ({reason}): run `bluered corpora remove {path.stem}` and "
            "add it again"
        )


def remember(name: str, note: Added) -> Path:
    """Write the note of a corpus, over an older one, and return where it is."""
    path = _note_path(name)
    if path is None:
        raise CorpusError(f"{name!r} cannot be the name of a corpus")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".new")
    temporary.write_bytes(msgspec.json.encode(note))
    os.replace(temporary, path)
    return path


def forget(name: str) -> bool:
    """Remove the note of a corpus, not the corpus; False if there is none."""
    path = _note_path(name)
    if path is None or not os.path.lexists(path) or path.is_dir():
        return False
    path.unlink()
    return True


def _note_path(name: str) -> Path | None:
    """Return where the note of a corpus lies; None for what is no name: it may lead elsewhere."""
    return notes() / f"{name}.json" if NAME.fullmatch(name) else None
