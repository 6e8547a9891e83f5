"""BERT's fine-tuning for texts and pairs of texts: one layer on the state of the first token.

As in run_bluebert.py of ncbi-nlp/bluebert: the state of `[CLS]` passes through the pooler (a layer
and tanh, part of the checkpoint), dropout and a linear layer that begins near 0.
"""

import json
from pathlib import Path

import torch
from safetensors import safe_open
from torch import Tensor, nn

from bluered.models.encoder import TypedEncoder


class SequenceModel(nn.Module):
    """An encoder and a linear layer on its pooled state, or on that of the first token.

    `pooled` says whether the checkpoint has a pooler; one that it lacks would be random, and is
    left out.
    """

    def __init__(
        self, encoder: TypedEncoder, *, outputs: int, pooled: bool, dropout: float = 0.1
    ) -> None:
        super().__init__()
        self.encoder = encoder
        inner = encoder.encoder
        self.pooled = pooled
        self.segmented = (getattr(inner.config, "type_vocab_size", 0) or 0) > 1
        self.padding: int = getattr(inner.config, "pad_token_id", None) or 0
        if not pooled and hasattr(inner, "pooler"):
            inner.pooler = None  # type: ignore[assignment]
        self.dropout = nn.Dropout(dropout)
        self.classify = nn.Linear(encoder.hidden_size, outputs)
        nn.init.trunc_normal_(self.classify.weight, std=0.02, a=-0.04, b=0.04)
        nn.init.zeros_(self.classify.bias)

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor) -> Tensor:
        """Return numbers (texts, outputs); ids, mask and segments: (texts, pieces)."""
        more = {"token_type_ids": segments} if self.segmented else {}
        found = self.encoder.encoder(input_ids=ids, attention_mask=mask, **more)
        state = found.pooler_output if self.pooled else found.last_hidden_state[:, 0]
        return self.classify(self.dropout(state))


def has_pooler(folder: Path) -> bool:
    """Tell whether the weights of a checkpoint in Hugging Face's layout hold those of a pooler."""
    return any(".pooler." in f".{name}" for name in _weight_names(folder))


def _weight_names(folder: Path) -> list[str]:
    for index in ("model.safetensors.index.json", "pytorch_model.bin.index.json"):
        if (folder / index).is_file():
            return list(json.loads((folder / index).read_text("utf-8"))["weight_map"])
    if (folder / "model.safetensors").is_file():
        with safe_open(folder / "model.safetensors", "pt") as file:
            return list(file.keys())
    if (folder / "pytorch_model.bin").is_file():
        path = folder / "pytorch_model.bin"
        return list(torch.load(path, map_location="meta", weights_only=True))
    return []
