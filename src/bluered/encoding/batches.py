"""Putting sequences of different lengths into one array."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bluered.encoding.tokens import Ints


def pad(rows: Sequence[Ints], *, fill: int = 0) -> Ints:
    """Stack arrays along a new first axis, padding their own first axis to the longest."""
    longest = max((len(row) for row in rows), default=0)
    shape = rows[0].shape[1:] if rows else ()
    padded = np.full((len(rows), longest, *shape), fill, dtype=np.int64)
    for target, row in zip(padded, rows, strict=True):
        target[: len(row)] = row
    return padded


def lengths_mask(rows: Sequence[Ints]) -> NDArray[np.bool_]:
    """Return a mask (rows, longest) that is true where a row has an element."""
    lengths = np.asarray([len(row) for row in rows])
    return np.arange(max(lengths, default=0)) < lengths[:, None]
