"""Batches of similar length, shuffled by a seed."""

from collections.abc import Sequence

import numpy as np


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
