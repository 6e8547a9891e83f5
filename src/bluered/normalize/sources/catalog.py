"""What is known of the official sources: home, licence, citation, files and where they lie."""

from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from bluered.errors import BlueredError, unknown_name


class Unit(Struct, frozen=True, forbid_unknown_fields=True):
    """One file of a source, or (`several`) files of one layout that stand side by side."""

    name: str
    pattern: str
    url: str
    head: str = ""
    several: bool = False


class Source(Struct, frozen=True, forbid_unknown_fields=True):
    """An official source of names; `types` are the entity types its concepts have."""

    title: str
    types: tuple[str, ...]
    home: str
    licence: str
    terms: str
    cite: str
    units: tuple[Unit, ...]


@cache
def sources() -> dict[str, Source]:
    """Return the sources by name."""
    text = files("bluered.normalize.sources").joinpath("catalog.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, Source])


def source(name: str) -> Source:
    """Return a source, or raise BlueredError with the names nearest to it."""
    if name not in sources():
        raise BlueredError(unknown_name("source of terms", name, list(sources())))
    return sources()[name]
