"""The plain BERT taggers of the published baselines: a linear layer on an encoder, CRF or not.

`bert-softmax` is how BLUE fine-tunes BERT for named entities (Peng et al. 2019, as Devlin et al.
2019, section 5.3: a word is the state of its first piece, tagged by itself); `bert-crf` puts a
linear-chain CRF on top, as BioRED's paper does (Luo et al. 2022). No characters, no dictionary.
"""

from torch import Tensor, nn
from torchcrf import CRF

from bluered.models.encoder import TypedEncoder


class TokenTagger(nn.Module):
    """An encoder whose states at the words' first pieces are scored for each tag."""

    def __init__(
        self, encoder: TypedEncoder, *, tags: int, crf: bool, dropout: float = 0.1
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(dropout)
        self.emit = nn.Linear(encoder.hidden_size, tags)
        self.crf = CRF(tags, batch_first=True) if crf else None

    def forward(self, ids: Tensor, mask: Tensor | None, first: Tensor) -> Tensor:
        """Return emissions (windows, words, tags).

        ids, mask (None: no padding): (windows, pieces); first: (windows, words), the index of each
        word's first piece.
        """
        states = self.encoder(ids, mask)  # (windows, pieces, hidden)
        words = states.gather(1, first.unsqueeze(2).expand(-1, -1, states.shape[2]))
        return self.emit(self.dropout(words))

    def loss(self, emissions: Tensor, tags: Tensor, words: Tensor) -> Tensor:
        """Return the mean negative log-likelihood per word; `words` is a boolean mask.

        tags: (windows, words). With a CRF that of the tag sequences, without one of each tag.
        """
        if self.crf is None:
            return nn.functional.cross_entropy(emissions[words], tags[words])
        return -self.crf(emissions, tags, mask=words, reduction="token_mean")
