"""The ids of published splits, for corpora whose own distribution has none (split_ids/*.toml)."""

import tomllib
from functools import cache
from importlib.resources import files

from bluered.errors import CorpusError, unknown_name


@cache
def _splits(name: str) -> dict[str, list[str]]:
    path = files("bluered.corpora").joinpath("split_ids", f"{name}.toml")
    return tomllib.loads(path.read_text("utf-8"))


def published_ids(name: str, split: str) -> tuple[str, ...]:
    """Return the ids of a split in the published order; `name` is that of the file in split_ids.

    >>> published_ids("biosses", "test")[:3]
    ('59', '96', '70')
    """
    known = _splits(name)
    if split not in known:
        raise CorpusError(unknown_name(f"published split of {name} named", split, list(known)))
    return tuple(known[split])
