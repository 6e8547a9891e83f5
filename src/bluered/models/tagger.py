"""The tagger: encoder states and characters of each word, then a linear-chain CRF over BIO tags.

The shape of Lample et al. 2016 (character features beside word features, CRF on top) on a
transformer, as in the BioRED paper's BERT-CRF baselines.
"""

import torch
from torch import Tensor, nn
from torchcrf import CRF

from bluered.encoding.surface import ALPHABET_SIZE
from bluered.models.encoder import TypedEncoder


class CharacterFeatures(nn.Module):
    """A convolution over the characters of each word, max-pooled."""

    def __init__(self, *, size: int = 32, channels: int = 96) -> None:
        super().__init__()
        self.embedding = nn.Embedding(ALPHABET_SIZE, size, padding_idx=0)
        self.convolution = nn.Conv1d(size, channels, kernel_size=3, padding=1)
        self.channels = channels

    def forward(self, characters: Tensor) -> Tensor:
        """Return (words, channels) for characters of shape (words, width)."""
        embedded = self.embedding(characters).transpose(1, 2)  # (words, size, width)
        return torch.relu(self.convolution(embedded)).amax(dim=2)


class Tagger(nn.Module):
    """Emission scores per word, and the CRF that turns them into tags."""

    def __init__(self, encoder: TypedEncoder, *, tags: int, dropout: float = 0.2) -> None:
        super().__init__()
        self.encoder = encoder
        self.characters = CharacterFeatures()
        width = 2 * encoder.hidden_size + self.characters.channels
        self.dropout = nn.Dropout(dropout)
        self.mix = nn.Linear(width, encoder.hidden_size)
        self.emit = nn.Linear(encoder.hidden_size, tags)
        self.crf = CRF(tags, batch_first=True)

    def forward(
        self, ids: Tensor, mask: Tensor | None, first: Tensor, last: Tensor, characters: Tensor
    ) -> Tensor:
        """Return emissions (windows, words, tags).

        ids, mask (None: no padding): (windows, pieces); first, last: (windows, words), indices of
        each word's first and last piece; characters: (windows, words, width).
        """
        hidden = self.encoder(ids, mask)  # (windows, pieces, hidden)
        size = hidden.shape[2]
        left = hidden.gather(1, first.unsqueeze(2).expand(-1, -1, size))
        right = hidden.gather(1, last.unsqueeze(2).expand(-1, -1, size))
        windows, words, width = characters.shape
        surface = self.characters(characters.reshape(windows * words, width))
        surface = surface.reshape(windows, words, self.characters.channels)
        joined = self.dropout(torch.cat([left, right, surface], dim=2))
        return self.emit(self.dropout(torch.nn.functional.gelu(self.mix(joined))))

    def loss(self, emissions: Tensor, tags: Tensor, words: Tensor) -> Tensor:
        """Return the mean negative log-likelihood per word; `words` is a boolean mask."""
        return -self.crf(emissions, tags, mask=words, reduction="token_mean")
