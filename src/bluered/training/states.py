"""The encoder's states of texts of any length, several texts at once."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from bluered.encoding.batches import lengths_mask, pad
from bluered.encoding.marking import MarkedText, window_arrays
from bluered.encoding.windows import Window
from bluered.models.encoder import TypedEncoder


def hidden_states(encoder: TypedEncoder, texts: Sequence[MarkedText]) -> list[Tensor]:
    """Return (pieces, hidden) for each text: each piece from the window that decides it."""
    arrays = [window_arrays(text, window) for text in texts for window in text.windows]
    ids = pad([a[0] for a in arrays])
    mask = lengths_mask([a[0] for a in arrays]).astype(np.int64)
    kinds = pad([a[1] for a in arrays])
    encoded = encoder(*map(torch.from_numpy, (ids, mask, kinds)))
    return whole_texts(encoded, [text.windows for text in texts])


def whole_texts(states: Tensor, texts: Sequence[Sequence[Window]]) -> list[Tensor]:
    """Return (pieces, hidden) for each text, put together from the states of all their windows.

    states: (windows of all texts, pieces with special tokens, hidden).
    """
    found, number = [], 0
    for windows in texts:
        kept = [states.new_zeros((0, states.shape[2]))]
        for window in windows:
            kept.append(states[number, window.kept])
            number += 1
        found.append(torch.cat(kept))
    return found
