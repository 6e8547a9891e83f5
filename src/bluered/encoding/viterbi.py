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
    score = chain.starts + emissions[0]
    back = np.zeros(emissions.shape, dtype=np.int64)
    into = np.ascontiguousarray(chain.transitions.T)  # (to, from)
    rows = np.arange(emissions.shape[1])
    for word in range(1, len(emissions)):
        total = into + score
        back[word] = total.argmax(axis=1)
        score = total[rows, back[word]] + emissions[word]
    path = np.zeros(len(emissions), dtype=np.int64)
    path[-1] = int((score + chain.ends).argmax())
    for word in range(len(emissions) - 1, 0, -1):
        path[word - 1] = back[word, path[word]]
    return path


def marginals(emissions: Floats, chain: Chain) -> Floats:
    """Return the probability of each tag at each word, (words, tags): forward-backward.

    Scores are scaled word by word, so that long documents neither overflow nor vanish.
    """
    count = len(emissions)
    if not count:
        return np.zeros(emissions.shape, dtype=np.float32)
    local = np.exp(emissions - emissions.max(axis=1, keepdims=True)).astype(np.float64)
    step = np.exp(chain.transitions.astype(np.float64))
    forward = np.empty(local.shape)
    backward = np.empty(local.shape)
    current = np.exp(chain.starts.astype(np.float64)) * local[0]
    forward[0] = current / current.sum()
    for word in range(1, count):
        current = (forward[word - 1] @ step) * local[word]
        forward[word] = current / current.sum()
    current = np.exp(chain.ends.astype(np.float64))
    backward[-1] = current / current.sum()
    for word in range(count - 2, -1, -1):
        current = step @ (local[word + 1] * backward[word + 1])
        backward[word] = current / current.sum()
    joint = forward * backward
    return (joint / joint.sum(axis=1, keepdims=True)).astype(np.float32)
