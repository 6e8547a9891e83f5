"""Training and running the marker-pair model: one pass for each pair, decided from `[CLS]`."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from bluered.encoding.batches import lengths_mask, pad
from bluered.encoding.marked_pair import MARKER_KINDS, MarkedPair
from bluered.models.encoder import TypedEncoder
from bluered.models.marker_pair import MarkerPairModel
from bluered.training import pair_rows
from bluered.training.config import Recipe
from bluered.training.pair_rows import Row


def build(recipe: Recipe, encoder: PreTrainedModel) -> nn.Module:
    """Return the untrained model of a recipe on its encoder."""
    typed = TypedEncoder(encoder, kinds=MARKER_KINDS)
    return MarkerPairModel(typed, **pair_rows.sizes(recipe), dropout=recipe.dropout)


def tensors(pairs: Sequence[MarkedPair]) -> tuple[Tensor, Tensor, Tensor]:
    """Return padded ids, mask and kinds, (pairs, pieces)."""
    ids, kinds = pad([pair.ids for pair in pairs]), pad([pair.kinds for pair in pairs])
    mask = lengths_mask([pair.ids for pair in pairs]).astype(np.int64)
    return torch.from_numpy(ids), torch.from_numpy(mask), torch.from_numpy(kinds)


def scores(model: nn.Module, batch: Sequence[Row]) -> tuple[Tensor, Tensor]:
    """Return the scores of type and of novelty of a batch of pairs."""
    assert isinstance(model, MarkerPairModel)
    return model(*tensors([row.marked() for row in batch]))


loss = partial(pair_rows.loss, scores)
evaluation = partial(pair_rows.evaluation, scores)
answers = partial(pair_rows.answers, scores)
