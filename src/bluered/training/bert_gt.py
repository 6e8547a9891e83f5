"""Training and running BERT-GT: one pass for each pair, with edges between its pieces."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from bluered.encoding.graph_edges import marker_weights, padded_edges
from bluered.encoding.marked_pair import MARKER_KINDS
from bluered.models.encoder import TypedEncoder
from bluered.models.graph_transformer import BertGT
from bluered.training import marker_pair, pair_rows
from bluered.training.config import Recipe
from bluered.training.pair_rows import Row


def build(recipe: Recipe, encoder: PreTrainedModel) -> nn.Module:
    """Return the untrained model of a recipe on its encoder."""
    return BertGT(
        TypedEncoder(encoder, kinds=MARKER_KINDS),
        **pair_rows.sizes(recipe),
        layers=recipe.graph_layers or encoder.config.num_hidden_layers,
        dropout=recipe.dropout,
    )


def scores(model: nn.Module, batch: Sequence[Row]) -> tuple[Tensor, Tensor]:
    """Return the scores of type and of novelty of a batch of pairs."""
    assert isinstance(model, BertGT)
    pairs = [row.marked() for row in batch]
    ids, mask, kinds = marker_pair.tensors(pairs)
    markers = np.zeros((len(pairs), 2, ids.shape[1]), dtype=np.float32)
    for target, pair in zip(markers, pairs, strict=True):
        target[:, : len(pair.ids)] = marker_weights(pair)
    edges = torch.from_numpy(padded_edges(pairs))
    return model(ids, mask, kinds, edges, torch.from_numpy(markers))


loss = partial(pair_rows.loss, scores)
evaluation = partial(pair_rows.evaluation, scores)
answers = partial(pair_rows.answers, scores)
