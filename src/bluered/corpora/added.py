"""The corpora a user has added: a note of where each lies, never a copy of anything.

For a corpus under an agreement the note names the user's folder; for a corpus of the user's own
also the TOML file that describes it. Notes lie in the user's data folder (`added/<name>.json`).
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

import msgspec
from msgspec import Struct
from platformdirs import user_data_path

from bluered.errors import CorpusError


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
    """Return what has been added, by the corpus's name; CorpusError names a note that is broken."""
    found: dict[str, Added] = {}
    folder = notes()
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        try:
            found[path.stem] = msgspec.json.decode(path.read_bytes(), type=Added)
        except msgspec.DecodeError as error:
            raise CorpusError(f"{path} is damaged ({error}): remove it and add again") from None
    return found | (_tried.get() or {})


def remember(name: str, note: Added) -> Path:
    """Write the note of a corpus, over an older one, and return where it is."""
    path = notes() / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".new")
    temporary.write_bytes(msgspec.json.encode(note))
    os.replace(temporary, path)
    return path


def forget(name: str) -> bool:
    """Remove the note of a corpus, not the corpus; False if there is none."""
    path = notes() / f"{name}.json"
    if not path.exists():
        return False
    path.unlink()
    return True
