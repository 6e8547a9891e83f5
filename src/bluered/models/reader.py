"""The reader: one encoder that finds a document's mentions and, once they are known, its relations.

The lower layers read the text; the tagger stands on them. The upper layers go on from the same
states with the kind of each mention added, so that a document is read once for both; the pair head
stands on them. What the separate models of `models.tagger` and `models.relations` spend on reading
the text again goes into a deeper relation model.
"""

from torch import Tensor, nn

from bluered.models.encoder import SplitEncoder
from bluered.models.relations import PairHead
from bluered.models.tagger import TaggerHead


class Reader(nn.Module):
    """A split encoder, the tagger's head on its lower part and the pair head on its upper."""

    def __init__(
        self,
        encoder: SplitEncoder,
        *,
        tags: int,
        names: int,
        relation_types: int,
        dropout: float = 0.2,
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.tagger = TaggerHead(encoder.hidden_size, tags=tags, names=names, dropout=dropout)
        self.pairs = PairHead(encoder.hidden_size, types=relation_types, dropout=dropout)

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
        states = self.encoder.lower(ids, mask)
        return self.tagger.emissions(states, first, last, characters, names), states
