"""The encoder's states of texts of any length, several texts at once."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from bluered.encoding.batches import lengths_mask, pad
from bluered.encoding.marking import MarkedText, window_arrays
from bluered.models.encoder import TypedEncoder


def hidden_states(encoder: TypedEncoder, texts: Sequence[MarkedText]) -> list[Tensor]:
    """Return (pieces, hidden) for each text: each piece from the window that decides it."""
    arrays = [window_arrays(text, window) for text in texts for window in text.windows]
    ids = pad([a[0] for a in arrays])
    mask = lengths_mask([a[0] for a in arrays]).astype(np.int64)
    kinds = pad([a[1] for a in arrays])
    encoded = encoder(*map(torch.from_numpy, (ids, mask, kinds)))
    states, number = [], 0
    for text in texts:
        kept = [encoded.new_zeros((0, encoder.hidden_size))]
        for window in text.windows:
            offset = 1 - window.start
            kept.append(encoded[number, window.keep_start + offset : window.keep_end + offset])
            number += 1
        states.append(torch.cat(kept))
    return states
