"""The best tag sequence of a linear-chain CRF, and how sure it is, in numpy.

`starts`, `ends` (tags,) and `transitions` (from, to) are the CRF's scores; `emissions` has shape
(words, tags). Gives the paths of pytorch-crf's decoder (a test holds it to that).
"""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bluered.encoding.tags import allowed_transitions
from bluered.encoding.tokens import Ints

Floats = NDArray[np.float32]
_FORBIDDEN = -1e4
_SCALED_EVERY = 4


class Chain(Struct, frozen=True):
    """The scores of a linear chain over tags."""

    starts: Floats
    ends: Floats
    transitions: Floats


def valid_bio(chain: Chain) -> Chain:
    """Return the chain with every transition that breaks BIO forbidden."""
    allowed = allowed_transitions(len(chain.starts))
    starts = chain.starts.copy()
    starts[2::2] += _FORBIDDEN  # no sequence begins with I-
    return Chain(starts, chain.ends, np.where(allowed, chain.transitions, _FORBIDDEN))


def best_path(emissions: Floats, chain: Chain) -> Ints:
    """Return the best tag of each word, shape (words,)."""
    if not len(emissions):
        return np.zeros(0, dtype=np.int64)
    scores = np.empty(emissions.shape, dtype=np.float32)
    scores[0] = chain.starts + emissions[0]
    into = np.ascontiguousarray(chain.transitions.T)  # (to, from)
    for word in range(1, len(emissions)):
        scores[word] = (into + scores[word - 1]).max(axis=1) + emissions[word]
    back = (into + scores[:-1, None, :]).argmax(axis=2).tolist()
    path = [int((scores[-1] + chain.ends).argmax())]
    for row in reversed(back):
        path.append(row[path[-1]])
    return np.asarray(path[::-1], dtype=np.int64)


def marginals(emissions: Floats, chain: Chain) -> Floats:
    """Return the probability of each tag at each word, (words, tags): forward-backward.

    Both directions are taken in one loop, and scaled every few words, so that long documents
    neither overflow nor vanish.
    """
    count = len(emissions)
    if not count:
        return np.zeros(emissions.shape, dtype=np.float32)
    local = np.exp(emissions - emissions.max(axis=1, keepdims=True)).astype(np.float64)
    both = np.stack([local, local[::-1]], axis=1)[:, :, None, :]  # (words, directions, 1, tags)
    forth = np.exp(chain.transitions.astype(np.float64))
    steps = np.stack([forth, forth.T])
    reached = np.empty(both.shape)  # without the word's own score
    reached[0] = np.exp(np.stack([chain.starts, chain.ends]).astype(np.float64))[:, None, :]
    for word in range(1, count):
        before = reached[word - 1] * both[word - 1]
        if word % _SCALED_EVERY == 0:
            before /= before.sum(axis=2, keepdims=True)
        np.matmul(before, steps, out=reached[word])
    joint = reached[:, 0, 0] * local * reached[::-1, 1, 0]
    return (joint / joint.sum(axis=1, keepdims=True)).astype(np.float32)
