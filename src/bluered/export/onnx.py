"""From trained torch modules to ONNX graphs with free batch and sequence lengths.

The graphs take sequences without padding, so they need no mask, and their attention is
onnxruntime's fused operator.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import AttentionInterface, PreTrainedModel

from bluered.errors import ModelError
from bluered.models.encoder import TypedEncoder
from bluered.models.relations import RelationModel
from bluered.models.tagger import Tagger

OPSET = 20  # the first with Gelu as one operator
FUSED = "bluered_fused"


def _fused_attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: None,
    *,
    scaling: float,
    **options: object,
) -> tuple[Tensor, None]:
    """Stand for onnxruntime's MultiHeadAttention; query, key, value: (batch, heads, pieces, size).

    Flash attention on the processor: the scores of all pairs of pieces are never written out,
    which saves a third of the encoder's time.
    """
    batch, heads, pieces, size = query.shape
    flat = [x.transpose(1, 2).reshape(batch, pieces, heads * size) for x in (query, key, value)]
    output = torch.onnx.ops.symbolic(
        "com.microsoft::MultiHeadAttention",
        flat,
        attrs={"num_heads": heads, "scale": scaling},
        dtype=query.dtype,
        shape=(batch, pieces, heads * size),
        version=1,
    )
    return output.reshape(batch, pieces, heads, size), None


AttentionInterface.register(FUSED, _fused_attention)


class UnpaddedTagger(nn.Module):
    """A tagger without the mask that padded batches need."""

    def __init__(self, model: Tagger) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: Tensor, first: Tensor, last: Tensor, characters: Tensor) -> Tensor:
        """Return emissions (windows, words, tags)."""
        return self.model(ids, None, first, last, characters)


class UnpaddedEncoder(nn.Module):
    """A typed encoder without the mask that padded batches need."""

    def __init__(self, model: TypedEncoder) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: Tensor, kinds: Tensor) -> Tensor:
        """Return hidden states (windows, pieces, hidden)."""
        return self.model(ids, None, kinds)


def export_tagger(model: Tagger, path: Path) -> None:
    """Write the tagger's emissions as a graph; the CRF's scores travel in the bundle's settings."""
    windows, pieces, words, width = 2, 11, 5, 16
    ids = torch.ones((windows, pieces), dtype=torch.int64)
    first = torch.arange(1, 1 + words).repeat(windows, 1)
    last = first + 1  # a tensor of its own: one that is given twice becomes one input of the graph
    characters = torch.ones((windows, words, width), dtype=torch.int64)
    _export(
        UnpaddedTagger(model),
        (ids, first, last, characters),
        path,
        inputs={
            "ids": ("windows", "pieces"),
            "first": ("windows", "words"),
            "last": ("windows", "words"),
            "characters": ("windows", "words", None),
        },
        outputs=["emissions"],
    )


def export_encoder(model: RelationModel, path: Path) -> None:
    """Write the relation model's encoder: ids, kinds -> hidden states."""
    ids = torch.ones((2, 11), dtype=torch.int64)
    _export(
        UnpaddedEncoder(model.encoder),
        (ids, torch.zeros_like(ids)),
        path,
        inputs=dict.fromkeys(("ids", "kinds"), ("windows", "pieces")),
        outputs=["hidden"],
    )


def export_pairs(model: RelationModel, path: Path) -> None:
    """Write the pair head: hidden, mentions, pairs, features -> types, novelty, attention."""
    hidden = torch.randn(11, model.encoder.hidden_size)
    mentions = torch.tensor([[1, 3, -1], [5, -1, -1], [7, 8, 9]])
    pairs = torch.tensor([[0, 1], [0, 2]])
    features = torch.zeros((2, len(model.head.features)), dtype=torch.int64)
    _export(
        model.head,
        (hidden, mentions, pairs, features),
        path,
        inputs={
            "hidden": ("pieces", None),
            "mentions": ("concepts", "most"),
            "pairs": ("pairs", None),
            "features": ("pairs", None),
        },
        outputs=["types", "novelty", "attention"],
    )


@contextmanager
def _fused(module: nn.Module) -> Iterator[None]:
    """Give every encoder in a module the fused attention, which torch itself cannot compute."""
    encoders = [part for part in module.modules() if isinstance(part, PreTrainedModel)]
    usual = [encoder.config._attn_implementation or "sdpa" for encoder in encoders]
    try:
        for encoder in encoders:
            encoder.set_attn_implementation(FUSED)
        yield
    finally:
        for encoder, name in zip(encoders, usual, strict=True):
            encoder.set_attn_implementation(name)


def _export(
    module: nn.Module,
    example: tuple[Tensor, ...],
    path: Path,
    *,
    inputs: dict[str, tuple[str | None, ...]],
    outputs: list[str],
) -> None:
    axes = {
        name: {axis: label for axis, label in enumerate(labels) if label}
        for name, labels in inputs.items()
    }
    shapes = tuple(
        {axis: torch.export.Dim(label, min=1) for axis, label in named.items()}
        for named in axes.values()
    )
    module.eval()
    with _fused(module), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter warns about its own internals
        program = torch.onnx.export(
            module,
            example,
            input_names=list(inputs),
            output_names=outputs,
            dynamic_shapes=shapes,
            opset_version=OPSET,
            dynamo=True,
            verbose=False,
        )
    if program is None:
        raise ModelError(f"{path}: torch exported nothing")
    program.save(str(path), external_data=False)
