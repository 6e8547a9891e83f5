"""What a dictionary says of each word: whether a known name of a type begins there or goes on.

A small model cannot remember hundreds of thousands of names; it can be told which of them stand in
the text. Names of different types may overlap, and most that are found are no mentions: the model
learns how far to trust them.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from bluered.encoding.tokens import Tokens
from bluered.encoding.viterbi import Floats

COLUMNS = 4
"""For each type: begins, goes on, begins or goes on as a name seen in annotated papers."""


class Name(Protocol):
    """A name found in a text, in code points; `documents` counts the papers it was seen in."""

    @property
    def start(self) -> int: ...  # noqa: D102
    @property
    def end(self) -> int: ...  # noqa: D102
    @property
    def type(self) -> str: ...  # noqa: D102
    @property
    def documents(self) -> int: ...  # noqa: D102


def name_features(tokens: Tokens, names: Iterable[Name], types: Sequence[str]) -> Floats:
    """Return 0 or 1 for each word and column, shape (words, 4 * types); other types count not."""
    features = np.zeros((len(tokens.first), COLUMNS * len(types)), dtype=np.float32)
    places = {kind: COLUMNS * index for index, kind in enumerate(types)}
    for name in names:
        if (column := places.get(name.type)) is None:
            continue
        first = int(np.searchsorted(tokens.word_ends, name.start, side="right"))
        end = int(np.searchsorted(tokens.word_starts, name.end, side="left"))
        if first >= end:
            continue
        seen = 2 if name.documents > 0 else 0
        features[first, column + seen] = 1
        features[first + 1 : end, column + seen + 1] = 1
    return features
