"""The words beside the reader: what a linear model makes of what is said of each pair."""

from pathlib import Path

import numpy as np

from bluered.encoding.viterbi import Floats
from bluered.encoding.wording import Wording, weigh


class PairWords:
    """Scores pairs by their words; safe to share between threads and processes (a mapped file)."""

    def __init__(self, path: Path) -> None:
        """Open the weights, (BUCKETS, 1 + types + 2) of 16 bits."""
        self._weights = np.load(path, mmap_mode="r").view(np.ndarray)

    def scores(self, said: Wording) -> tuple[Floats, Floats]:
        """Return raw scores of types (pairs, 1 + types) and of novelty (pairs, 2)."""
        found = weigh(self._weights, said)
        return found[:, :-2], found[:, -2:]


def together(reader: Floats, words: Floats, share: float) -> Floats:
    """Return the scores of the weighed product of two models' probabilities (Hinton 2002)."""
    return np.add((1 - share) * reader, share * words, dtype=np.float32)
