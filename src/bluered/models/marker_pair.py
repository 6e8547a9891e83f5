"""The marker-pair model: one pass for each pair of concepts, decided from `[CLS]`.

The PubMedBERT baseline of BioRED (Luo et al. 2022). The published scripts put the encoder's own
pooler (a dense layer, tanh) between; not every encoder has one, so here the state is decided as it
is.
"""

from torch import Tensor, nn

from bluered.models.encoder import TypedEncoder


class PairDecision(nn.Module):
    """Relation type and novelty of a pair, or one of them, from a vector.

    `types` and `novelty` are how many scores there are of each; 0 for what is not decided.
    """

    def __init__(self, hidden: int, *, types: int, novelty: int, dropout: float) -> None:
        super().__init__()
        self.sizes = (types, novelty)
        self.dropout = nn.Dropout(dropout)
        self.decide = nn.Linear(hidden, types + novelty)

    def forward(self, vectors: Tensor) -> tuple[Tensor, Tensor]:
        """Return scores (pairs, types), none first, and (pairs, novelty), known before first."""
        types, novelty = self.decide(self.dropout(vectors)).split(self.sizes, dim=1)
        return types, novelty


class MarkerPairModel(nn.Module):
    """A typed encoder and a decision on its first state."""

    def __init__(
        self, encoder: TypedEncoder, *, types: int, novelty: int, dropout: float = 0.1
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.head = PairDecision(encoder.hidden_size, types=types, novelty=novelty, dropout=dropout)

    def forward(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> tuple[Tensor, Tensor]:
        """Return what `PairDecision` does; ids, mask, kinds: (pairs, pieces)."""
        return self.head(self.encoder(ids, mask, kinds)[:, 0])
