"""The relation model: one encoder pass per document or sentence, then all its pairs at once.

A concept is the log-sum-exp of its mentions' marker states; a pair sees the text through the
product of its two concepts' attention (localized context: ATLOP, Zhou et al. 2021; here with an
attention layer of its own instead of the encoder's). Two heads: relation type (0 = none), novelty.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from bluered.encoding.pairs import FEATURE_SIZES
from bluered.models.encoder import TypedEncoder


class PairHead(nn.Module):
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
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(hidden, hidden)
        self.key = nn.Linear(hidden, hidden)
        self.value = nn.Linear(hidden, hidden)
        self.features = nn.ModuleList(nn.Embedding(size, 16) for size in features)
        width = 4 * hidden + 16 * len(features)
        self.dropout = nn.Dropout(dropout)
        self.mix = nn.Linear(width, hidden)
        self.relation_type = nn.Linear(hidden, 1 + types)
        self.novelty = nn.Linear(hidden, 2)

    def forward(
        self, hidden: Tensor, mentions: Tensor, pairs: Tensor, features: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return type scores (pairs, 1 + types), novelty scores (pairs, 2), attention.

        hidden: (pieces, hidden); mentions: (concepts, most), marker positions padded with -1;
        pairs: (pairs, 2); features: (pairs, columns). Rows of the attention (pairs, pieces) sum
        to 1.
        """
        size = hidden.shape[1]
        present = (mentions >= 0).unsqueeze(2)
        states = hidden[mentions.clamp(min=0)]  # (concepts, most, hidden)
        concepts = torch.logsumexp(states.masked_fill(~present, -1e4), dim=1)
        query = self.query(concepts).view(-1, self.heads, size // self.heads).transpose(0, 1)
        key = self.key(hidden).view(-1, self.heads, size // self.heads).transpose(0, 1)
        value = self.value(hidden).view(-1, self.heads, size // self.heads).transpose(0, 1)
        scores = query @ key.transpose(1, 2) * (size // self.heads) ** -0.5
        left, right = pairs[:, 0], pairs[:, 1]
        attention = torch.softmax(scores[:, left] + scores[:, right], dim=2)
        context = (attention @ value).transpose(0, 1).reshape(-1, size)  # (pairs, hidden)
        a, b = concepts[left], concepts[right]
        layout = [embed(features[:, i]) for i, embed in enumerate(self.features)]
        joined = self.dropout(torch.cat([a, b, a * b, context, *layout], dim=1))
        mixed = self.dropout(nn.functional.gelu(self.mix(joined)))
        return self.relation_type(mixed), self.novelty(mixed), attention.mean(dim=0)


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
