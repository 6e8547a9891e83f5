"""The relation model: one encoder pass per document or sentence, then all its pairs at once.

A concept is the log-sum-exp of its mentions' marker states.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from bluered.encoding.pairs import FEATURE_SIZES
from bluered.models.encoder import TypedEncoder
from bluered.models.pair_scorer import PairScorer


class PairHead(PairScorer):
    """From a document's hidden states to the scores of its pairs."""

    def __init__(
        self,
        hidden: int,
        *,
        types: int,
        features: Sequence[int] = FEATURE_SIZES,
        heads: int = 6,
        dropout: float = 0.2,
    ) -> None:
        super().__init__(
            hidden,
            types=types,
            parts=4,
            width=hidden,
            features=features,
            heads=heads,
            norm=nn.Identity(),
            dropout=dropout,
        )

    def forward(
        self, hidden: Tensor, mentions: Tensor, pairs: Tensor, features: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return type scores (pairs, 1 + types), novelty scores (pairs, 2), attention.

        hidden: (pieces, hidden); mentions: (concepts, most), marker positions padded with -1;
        pairs: (pairs, 2); features: (pairs, columns). Rows of the attention (pairs, pieces) sum
        to 1.
        """
        present = (mentions >= 0).unsqueeze(2)
        states = hidden[mentions.clamp(min=0)]  # (concepts, most, hidden)
        concepts = torch.logsumexp(states.masked_fill(~present, -1e4), dim=1)
        context, attention = self.attended(hidden, concepts, pairs)
        a, b = concepts[pairs[:, 0]], concepts[pairs[:, 1]]
        types, novelty = self.decide((a, b, a * b, context), features)
        return types, novelty, attention


class RelationModel(nn.Module):
    """A typed encoder and the pair head on it."""

    def __init__(
        self,
        encoder: TypedEncoder,
        *,
        types: int,
        features: Sequence[int] = FEATURE_SIZES,
        dropout: float = 0.2,
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.head = PairHead(encoder.hidden_size, types=types, features=features, dropout=dropout)
