"""What every pair head does: let both ends of a pair attend to the text, then decide.

A pair sees the text through the product of its two concepts' attention (localized context: ATLOP,
Zhou et al. 2021; here with an attention layer of its own instead of the encoder's). Two decisions
are made of what a head knows of a pair: relation type (0 = none) and novelty.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn


class PairScorer(nn.Module):
    """The layers of a pair head that sees `parts` states of each pair, and its layout.

    `norm` is applied to each of the states; `width` is that of the layer that mixes them.
    """

    def __init__(
        self,
        hidden: int,
        *,
        types: int,
        parts: int,
        width: int,
        features: Sequence[int],
        heads: int,
        norm: nn.Module,
        dropout: float,
    ) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(hidden, hidden)
        self.key = nn.Linear(hidden, hidden)
        self.value = nn.Linear(hidden, hidden)
        self.features = nn.ModuleList(nn.Embedding(size, 16) for size in features)
        self.norm = norm
        self.dropout = nn.Dropout(dropout)
        self.mix = nn.Linear(parts * hidden + 16 * len(features), width)
        self.relation_type = nn.Linear(width, 1 + types)
        self.novelty = nn.Linear(width, 2)

    def attended(self, hidden: Tensor, concepts: Tensor, pairs: Tensor) -> tuple[Tensor, Tensor]:
        """Return what both ends of each pair attend to, (pairs, hidden), and how much.

        hidden: (pieces, hidden); concepts: (concepts, hidden); pairs: (pairs, 2). Rows of the
        attention (pairs, pieces) sum to 1.
        """
        size = hidden.shape[1]
        shape = (-1, self.heads, size // self.heads)
        query = self.query(concepts).view(shape).transpose(0, 1)
        key = self.key(hidden).view(shape).transpose(0, 1)
        value = self.value(hidden).view(shape).transpose(0, 1)
        scores = query @ key.transpose(1, 2) * (size // self.heads) ** -0.5
        attention = torch.softmax(scores[:, pairs[:, 0]] + scores[:, pairs[:, 1]], dim=2)
        context = (attention @ value).transpose(0, 1).reshape(-1, size)
        return context, attention.mean(dim=0)

    def decide(self, parts: Sequence[Tensor], features: Tensor) -> tuple[Tensor, Tensor]:
        """Return type scores (pairs, 1 + types) and novelty scores (pairs, 2).

        parts: (pairs, hidden) each; features: (pairs, columns).
        """
        layout = [embed(features[:, i]) for i, embed in enumerate(self.features)]
        joined = self.dropout(torch.cat([*map(self.norm, parts), *layout], dim=1))
        mixed = self.dropout(nn.functional.gelu(self.mix(joined)))
        return self.relation_type(mixed), self.novelty(mixed)
