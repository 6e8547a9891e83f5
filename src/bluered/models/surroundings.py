"""The pair head of the reader: a pair from its concepts' names and the words around its mentions.

A concept is the mean state of the pieces of its mentions; a pair further sees the mean states of
the pieces between, beside and in a sentence with two of its mentions (`encoding.surroundings`), and
what both of its concepts attend to anywhere in the document.
"""

from collections.abc import Sequence

from torch import Tensor, nn

from bluered.encoding.pairs import FEATURE_SIZES
from bluered.encoding.surroundings import ZONES
from bluered.models.pair_scorer import PairScorer


class SurroundingsHead(PairScorer):
    """From a document's states to the scores of its pairs: relation type (0 = none) and novelty."""

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
        super().__init__(
            hidden,
            types=types,
            parts=4 + ZONES,
            width=width,
            features=features,
            heads=heads,
            norm=nn.LayerNorm(hidden),
            dropout=dropout,
        )

    def forward(
        self, hidden: Tensor, names: Tensor, pairs: Tensor, zones: Tensor, features: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return type scores (pairs, 1 + types), novelty scores (pairs, 2), attention.

        hidden: (pieces, hidden); names: (concepts, pieces) and zones: (pairs, ZONES, pieces), what
        each piece counts; pairs: (pairs, 2); features: (pairs, columns). Rows of the attention
        (pairs, pieces) sum to 1.
        """
        concepts = names @ hidden  # (concepts, hidden)
        context, attention = self.attended(hidden, concepts, pairs)
        a, b = concepts[pairs[:, 0]], concepts[pairs[:, 1]]
        around = (zones @ hidden).unbind(dim=1)
        types, novelty = self.decide((a, b, a * b, context, *around), features)
        return types, novelty, attention
