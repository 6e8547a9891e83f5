"""Names that look alike: the nearest names by their letters, three at a time.

Names are vectors of letter trigrams weighted by how rare they are (tf-idf), the likeness of two is
the cosine; the best names of a terminology are found by one product with a sparse matrix that lies
in a file mapped into memory.
"""

import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bluered.normalize.mapped import map_array

BUCKETS = 1 << 15
"""Trigrams are hashed into this many columns."""

_SCALE = 255  # weights are stored in one byte
_COMMON = 0.03  # a trigram that more than this share of the names have says nothing
FILES = ("ngram_starts.npy", "ngram_names.npy", "ngram_weights.npy", "ngram_rarity.npy",
         "ngram_keys.npy")  # fmt: skip


class Likeness(Struct, frozen=True):
    """A name that looks like the one asked for: the number of its key, and the cosine."""

    key: int
    cosine: float


class NgramIndex:
    """The names of a terminology by their trigrams, as `write_index` left them in a folder."""

    def __init__(self, folder: Path) -> None:
        """Map the files of the index."""
        starts, names, weights, rarity, keys = (map_array(folder / f) for f in FILES)
        self._starts, self._names, self._weights = starts, names, weights
        self._rarity, self._keys = np.asarray(rarity), keys

    def like(self, key: str, *, best: int = 10, least: float = 0.5) -> list[Likeness]:
        """Return the names most like a key, best first, none below the least cosine."""
        columns, counts = _columns(key)
        weights = counts * self._rarity[columns]
        length = float(np.sqrt((weights**2).sum()))
        if not length:
            return []
        scores = np.zeros(len(self._keys), dtype=np.float32)
        for column, weight in zip(columns.tolist(), (weights / length).tolist(), strict=True):
            if weight:
                start, end = self._starts[column], self._starts[column + 1]
                scores[self._names[start:end]] += self._weights[start:end] * np.float32(weight)
        scores /= _SCALE
        found = np.flatnonzero(scores >= least)
        order = found[np.argsort(-scores[found], kind="stable")][:best]
        return [Likeness(int(self._keys[n]), min(1.0, float(scores[n]))) for n in order]


def write_index(keys: Sequence[tuple[int, str]], folder: Path) -> None:
    """Write an index of keys (number and text) into a folder."""
    rows = [_columns(key) for _, key in keys]
    seen = np.bincount(
        np.concatenate([columns for columns, _ in rows] or [np.empty(0, np.int64)]),
        minlength=BUCKETS,
    )
    rarity = np.log((1 + len(keys)) / (1 + seen)).astype(np.float32)
    rarity[seen > max(50, _COMMON * len(keys))] = 0
    columns = np.concatenate([c for c, _ in rows] or [np.empty(0, np.int64)])
    names = np.repeat(np.arange(len(keys)), [len(c) for c, _ in rows]).astype(np.uint32)
    weights = np.concatenate(list(_weights(rows, rarity)) or [np.empty(0, np.uint8)])
    kept = weights > 0
    order = np.argsort(columns[kept], kind="stable")
    starts = np.searchsorted(columns[kept][order], np.arange(BUCKETS + 1)).astype(np.uint32)
    arrays = (
        starts,
        names[kept][order],
        weights[kept][order],
        rarity,
        np.array([number for number, _ in keys], dtype=np.uint32),
    )
    for file, values in zip(FILES, arrays, strict=True):
        np.save(folder / file, values)


def _weights(
    rows: Sequence[tuple[NDArray[np.int64], NDArray[np.float32]]], rarity: NDArray[np.float32]
) -> Iterator[NDArray[np.uint8]]:
    for columns, counts in rows:
        weights = counts * rarity[columns]
        length = np.sqrt((weights**2).sum()) or 1
        yield np.rint(weights / length * _SCALE).astype(np.uint8)


def _columns(key: str) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the columns of a key's trigrams, each once, and how often it comes."""
    padded = f"^{key}$".encode(errors="replace")  # a lone surrogate has no bytes
    grams = [zlib.crc32(padded[i : i + 3]) % BUCKETS for i in range(max(1, len(padded) - 2))]
    columns, counts = np.unique(np.array(grams, dtype=np.int64), return_counts=True)
    return columns, counts.astype(np.float32)
