"""Batches of similar length, shuffled by a seed."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

Row = TypeVar("Row")


def by_length(lengths: Sequence[int], *, size: int, seed: int, pool: int = 16) -> list[list[int]]:
    """Return batches of indices: shuffled, sorted by length within pools, batches shuffled.

    Pools of `pool * size` keep padding small without giving up chance.
    """
    generator = np.random.default_rng(seed)
    order = generator.permutation(len(lengths)).tolist()
    batches = []
    for start in range(0, len(order), pool * size):
        ranked = sorted(order[start : start + pool * size], key=lambda i: lengths[i])
        batches += [ranked[i : i + size] for i in range(0, len(ranked), size)]
    return [batches[i] for i in generator.permutation(len(batches)).tolist()]


def batches_of(
    rows: Sequence[Row], lengths: Sequence[int], *, size: int, seed: int
) -> Callable[[int], list[list[Row]]]:
    """Return the function from an epoch to its shuffled batches."""

    def batches(epoch: int) -> list[list[Row]]:
        order = by_length(lengths, size=size, seed=seed * 1000 + epoch)
        return [[rows[i] for i in batch] for batch in order]

    return batches
