"""Masked-language modelling on an encoder, with the decoder tied to its embeddings (BERT)."""

import torch
from torch import Tensor, nn

from bluered.models.encoder import TypedEncoder


class LanguageModel(nn.Module):
    """An encoder and what guesses hidden pieces from its states: a layer, then the embeddings."""

    def __init__(self, encoder: TypedEncoder) -> None:
        super().__init__()
        self.encoder = encoder
        pieces, width = self.embeddings.shape  # ALBERT's and ELECTRA's are narrower than states
        self.mix = nn.Linear(encoder.hidden_size, width)
        self.norm = nn.LayerNorm(width)
        self.bias = nn.Parameter(torch.zeros(pieces))

    @property
    def embeddings(self) -> Tensor:
        """The encoder's word piece embeddings, (pieces, width)."""
        return self.encoder.encoder.get_input_embeddings().weight  # type: ignore[return-value]

    def forward(self, ids: Tensor, mask: Tensor, hidden_at: Tensor) -> Tensor:
        """Return scores (hidden pieces, vocabulary) at the places where `hidden_at` is true."""
        states = self.encoder(ids, mask)[hidden_at]
        mixed = self.norm(nn.functional.gelu(self.mix(states)))
        return nn.functional.linear(mixed, self.embeddings, self.bias)
