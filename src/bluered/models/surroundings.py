"""The pair head of the reader: a pair from its concepts' names and the words around its mentions.

A concept is the mean state of the pieces of its mentions; a pair further sees the mean states of
the pieces between, beside and in a sentence with two of its mentions (`encoding.surroundings`), and
what both of its concepts attend to anywhere in the document (localized context: Zhou et al. 2021).
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from bluered.encoding.pairs import FEATURE_SIZES
from bluered.encoding.surroundings import ZONES


class SurroundingsHead(nn.Module):
    """From a document's states to the scores of its pairs: relation type (0 = none) and novelty.

    `dropout` was chosen on BioRED dev; with a third of it the head learns its few pairs by heart.
    """

    def __init__(
        self,
        hidden: int,
        *,
        types: int,
        features: Sequence[int] = FEATURE_SIZES,
        heads: int = 6,
        width: int = 512,
        dropout: float = 0.4,
    ) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(hidden, hidden)
        self.key = nn.Linear(hidden, hidden)
        self.value = nn.Linear(hidden, hidden)
        self.features = nn.ModuleList(nn.Embedding(size, 16) for size in features)
        self.norm = nn.LayerNorm(hidden)
        self.dropout = nn.Dropout(dropout)
        self.mix = nn.Linear((4 + ZONES) * hidden + 16 * len(features), width)
        self.relation_type = nn.Linear(width, 1 + types)
        self.novelty = nn.Linear(width, 2)

    def forward(
        self, hidden: Tensor, names: Tensor, pairs: Tensor, zones: Tensor, features: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return type scores (pairs, 1 + types), novelty scores (pairs, 2), attention.

        hidden: (pieces, hidden); names: (concepts, pieces) and zones: (pairs, ZONES, pieces), what
        each piece counts; pairs: (pairs, 2); features: (pairs, columns). Rows of the attention
        (pairs, pieces) sum to 1.
        """
        concepts = names @ hidden  # (concepts, hidden)
        context, attention = self._attended(hidden, concepts, pairs)
        a, b = concepts[pairs[:, 0]], concepts[pairs[:, 1]]
        around = (zones @ hidden).unbind(dim=1)
        layout = [embed(features[:, i]) for i, embed in enumerate(self.features)]
        parts = [self.norm(part) for part in (a, b, a * b, context, *around)]
        joined = self.dropout(torch.cat([*parts, *layout], dim=1))
        mixed = self.dropout(nn.functional.gelu(self.mix(joined)))
        return self.relation_type(mixed), self.novelty(mixed), attention

    def _attended(self, hidden: Tensor, concepts: Tensor, pairs: Tensor) -> tuple[Tensor, Tensor]:
        """Return what both ends of each pair attend to, (pairs, hidden), and how much."""
        size = hidden.shape[1]
        shape = (-1, self.heads, size // self.heads)
        query = self.query(concepts).view(shape).transpose(0, 1)
        key = self.key(hidden).view(shape).transpose(0, 1)
        value = self.value(hidden).view(shape).transpose(0, 1)
        scores = query @ key.transpose(1, 2) * (size // self.heads) ** -0.5
        attention = torch.softmax(scores[:, pairs[:, 0]] + scores[:, pairs[:, 1]], dim=2)
        context = (attention @ value).transpose(0, 1).reshape(-1, size)
        return context, attention.mean(dim=0)
