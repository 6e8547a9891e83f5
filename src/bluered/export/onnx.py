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

from bluered.encoding.surroundings import ZONES
from bluered.errors import ModelError
from bluered.models.reader import Reader

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


class UnpaddedReader(nn.Module):
    """A reader's encoder and tagger without the mask that padded batches need."""

    def __init__(self, model: Reader) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, ids: Tensor, first: Tensor, last: Tensor, characters: Tensor, names: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return emissions (windows, words, tags) and states (windows, pieces, hidden)."""
        return self.model.read(ids, None, first, last, characters, names)


def export_reader(model: Reader, path: Path) -> None:
    """Write encoder and tagger as a graph; the CRF's scores travel in the bundle's settings."""
    windows, pieces, words, width = 2, 11, 5, 16
    ids = torch.ones((windows, pieces), dtype=torch.int64)
    first = torch.arange(1, 1 + words).repeat(windows, 1)
    last = first + 1  # a tensor of its own: one that is given twice becomes one input of the graph
    characters = torch.ones((windows, words, width), dtype=torch.int64)
    names = torch.zeros((windows, words, model.tagger.names))
    _export(
        UnpaddedReader(model),
        (ids, first, last, characters, names),
        path,
        inputs={
            "ids": ("windows", "pieces"),
            "first": ("windows", "words"),
            "last": ("windows", "words"),
            "characters": ("windows", "words", None),
            "names": ("windows", "words", None),
        },
        outputs=["emissions", "states"],
    )


def export_pairs(model: Reader, path: Path) -> None:
    """Write the pair head: hidden, names, pairs, zones, features -> types, novelty, attention."""
    hidden = torch.randn(11, model.encoder.hidden_size)
    names, zones = torch.rand(3, 11), torch.rand(2, ZONES, 11)
    pairs = torch.tensor([[0, 1], [0, 2]])
    features = torch.zeros((2, len(model.pairs.features)), dtype=torch.int64)
    _export(
        model.pairs,
        (hidden, names, pairs, zones, features),
        path,
        inputs={
            "hidden": ("pieces", None),
            "names": ("concepts", "pieces"),
            "pairs": ("pairs", None),
            "zones": ("pairs", None, "pieces"),
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
