"""Putting sequences of different lengths into one array."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from bluered.encoding.tokens import Ints


def pad(rows: Sequence[NDArray[Any]], *, fill: int = 0, kind: DTypeLike = np.int64) -> NDArray[Any]:
    """Stack arrays along a new first axis, padding their own first axis to the longest."""
    longest = max((len(row) for row in rows), default=0)
    shape = rows[0].shape[1:] if rows else ()
    padded = np.full((len(rows), longest, *shape), fill, dtype=kind)
    for target, row in zip(padded, rows, strict=True):
        target[: len(row)] = row
    return padded


def lengths_mask(rows: Sequence[Ints]) -> NDArray[np.bool_]:
    """Return a mask (rows, longest) that is true where a row has an element."""
    lengths = np.asarray([len(row) for row in rows])
    return np.arange(max(lengths, default=0)) < lengths[:, None]
