"""What a training on texts keeps of itself as JSON: its recipe, and in the end its record."""

from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from bluered.errors import ModelError

RECIPE = "recipe.json"
RECORD = "adapted.json"
"""The record of a finished training on texts; its `data` holds the sha256 of each text."""

Kept = TypeVar("Kept", bound=Struct)


def put(path: Path, content: Struct) -> None:
    """Write a file in one go: what is half written is never taken for it."""
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(msgspec.json.format(msgspec.json.encode(content)) + b"\n")
    part.replace(path)


def taken(path: Path, kind: type[Kept]) -> Kept:
    """Return what a file holds, or raise ModelError."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except msgspec.DecodeError as error:
        raise ModelError(f"{path}: {error}: remove the folder or name another one") from None


def check_same(kept: Struct, recipe: Struct, folder: Path) -> None:
    """Raise ModelError where the recipe that a folder was made by is another one."""
    one, other = msgspec.to_builtins(kept), msgspec.to_builtins(recipe)
    if differ := [name for name in one if one[name] != other[name]]:
        raise ModelError(
            f"{folder} holds a run of another recipe ({', '.join(differ)} differ): remove it or "
            "name another folder"
        )


class _Data(Struct, frozen=True):
    data: dict[str, str]


def data_of(folder: Path) -> dict[str, str]:
    """Return the sha256 of each text that a finished training learned from."""
    return taken(folder / RECORD, _Data).data
