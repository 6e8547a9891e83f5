"""How alike two texts are: the cosine of their mean states, scaled to the corpus's scores.

Two texts pass through one encoder apart from each other (Sentence-BERT, Reimers & Gurevych 2019),
which is how all-MiniLM-L6-v2 was trained; two numbers are all that is new.
"""

import torch
from torch import Tensor, nn

from bluered.models.encoder import TypedEncoder


class SimilarityModel(nn.Module):
    """An encoder, and a line from cosine to score."""

    def __init__(self, encoder: TypedEncoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.slope = nn.Parameter(torch.tensor(4.0))
        self.intercept = nn.Parameter(torch.tensor(0.0))

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        """Return scores (pairs,) for mean states of shape (pairs, hidden)."""
        cosine = nn.functional.cosine_similarity(first, second, dim=1)
        return self.slope * cosine + self.intercept
