"""The words beside the reader: what a linear model makes of what is said of each pair."""

from pathlib import Path

import numpy as np
from numpy.lib.format import open_memmap

from bluered.encoding.viterbi import Floats
from bluered.encoding.wording import BUCKETS, Wording, weigh
from bluered.errors import ModelError


class PairWords:
    """Scores pairs by their words; safe to share between threads and processes (a mapped file)."""

    def __init__(self, path: Path) -> None:
        """Open the weights, (BUCKETS, 1 + types + 2) of 16 bits, or raise ModelError."""
        try:
            weights = open_memmap(path, mode="r")
        except (OSError, ValueError) as error:
            raise ModelError(f"{path}: no weights of words: {error}") from None
        if weights.ndim != 2 or len(weights) != BUCKETS:
            raise ModelError(f"{path}: expected {BUCKETS} rows of weights, found {weights.shape}")
        self._weights = weights.view(np.ndarray)

    def scores(self, said: Wording) -> tuple[Floats, Floats]:
        """Return raw scores of types (pairs, 1 + types) and of novelty (pairs, 2)."""
        found = weigh(self._weights, said)
        return found[:, :-2], found[:, -2:]


def together(reader: Floats, words: Floats, share: float) -> Floats:
    """Return the scores of the weighed product of two models' probabilities (Hinton 2002)."""
    return np.add((1 - share) * reader, share * words, dtype=np.float32)
