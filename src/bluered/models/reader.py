"""The reader: one encoder that finds a document's mentions and, once they are known, its relations.

Tagger and pair head stand on the same states, so that a document is read once for both: what is
said around two mentions is in the states before the mentions are known.
"""

from torch import Tensor, nn

from bluered.models.encoder import TypedEncoder
from bluered.models.surroundings import SurroundingsHead
from bluered.models.tagger import TaggerHead


class Reader(nn.Module):
    """An encoder with the tagger's head and the pair head on it."""

    def __init__(
        self,
        encoder: TypedEncoder,
        *,
        tags: int,
        names: int,
        relation_types: int,
        dropout: float = 0.2,
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.tagger = TaggerHead(encoder.hidden_size, tags=tags, names=names, dropout=dropout)
        self.pairs = SurroundingsHead(encoder.hidden_size, types=relation_types)

    def read(
        self,
        ids: Tensor,
        mask: Tensor | None,
        first: Tensor,
        last: Tensor,
        characters: Tensor,
        names: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """Return emissions (windows, words, tags) and states (windows, pieces, hidden).

        Arguments as in `TaggerHead.emissions`; ids, mask (None: no padding): (windows, pieces).
        """
        states = self.encoder(ids, mask)
        return self.tagger.emissions(states, first, last, characters, names), states
