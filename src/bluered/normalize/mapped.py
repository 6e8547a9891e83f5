"""Tries and arrays that are used where they lie on disk, mapped into memory."""

from pathlib import Path
from typing import Any

import marisa_trie
import numpy as np
from numpy.typing import NDArray

from bluered.errors import BlueredError


def map_trie(path: Path) -> marisa_trie.Trie:
    """Return the trie in a file, or raise BlueredError if there is none."""
    try:
        return marisa_trie.Trie().mmap(str(path))
    except (OSError, RuntimeError) as error:
        raise BlueredError(_unreadable(path, "a MARISA trie", error)) from None


def map_array(path: Path) -> NDArray[Any]:
    """Return the array in a file, or raise BlueredError if there is none."""
    try:
        # a plain view of the mapped memory: numpy's own class takes four times as long to slice
        return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    except (OSError, ValueError, EOFError) as error:
        raise BlueredError(_unreadable(path, "an array of numbers", error)) from None


def _unreadable(path: Path, expected: str, error: Exception) -> str:
    return (
        f"{path}: expected {expected} of a terminology ({error}): "
        "the terminology is not whole; build it again (bluered terms build)"
    )
