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


class TaggerHead(nn.Module):
    """From the states of a text's pieces to emission scores per word, and the CRF over them.

    `names` is the width of what a dictionary says of each word (0: nothing is asked).
    """

    def __init__(self, hidden: int, *, tags: int, names: int = 0, dropout: float = 0.2) -> None:
        super().__init__()
        self.names = names
        self.characters = CharacterFeatures()
        self.dropout = nn.Dropout(dropout)
        self.mix = nn.Linear(2 * hidden + self.characters.channels + names, hidden)
        self.emit = nn.Linear(hidden, tags)
        self.crf = CRF(tags, batch_first=True)

    def emissions(
        self, hidden: Tensor, first: Tensor, last: Tensor, characters: Tensor, names: Tensor | None
    ) -> Tensor:
        """Return emissions (windows, words, tags).

        hidden: (windows, pieces, hidden); first, last: (windows, words), indices of each word's
        first and last piece; characters: (windows, words, width); names: (windows, words, columns).
        """
        size = hidden.shape[2]
        left = hidden.gather(1, first.unsqueeze(2).expand(-1, -1, size))
        right = hidden.gather(1, last.unsqueeze(2).expand(-1, -1, size))
        windows, words, width = characters.shape
        surface = self.characters(characters.reshape(windows * words, width))
        surface = surface.reshape(windows, words, self.characters.channels)
        joined = self.dropout(torch.cat([left, right, surface], dim=2))
        if names is not None:
            joined = torch.cat([joined, names], dim=2)
        return self.emit(self.dropout(nn.functional.gelu(self.mix(joined))))

    def loss(self, emissions: Tensor, tags: Tensor, words: Tensor) -> Tensor:
        """Return the mean negative log-likelihood per word; `words` is a boolean mask."""
        return -self.crf(emissions, tags, mask=words, reduction="token_mean")

    def partial_loss(self, emissions: Tensor, possible: Tensor, words: Tensor) -> Tensor:
        """Return the same where each word may have several tags: possible (windows, words, tags).

        The likelihood is that of all tag sequences that are possible, together: what a corpus does
        not annotate is left open (marginal CRF: Tsuboi et al. 2008; Greenberg et al. 2018).
        """
        kept = emissions.masked_fill(~possible, _IMPOSSIBLE)
        both = self.log_partition(torch.cat([emissions, kept]), torch.cat([words, words]))
        everything, some = both.chunk(2)
        return (everything - some).sum() / words.sum()

    def log_partition(self, emissions: Tensor, words: Tensor) -> Tensor:
        """Return the logarithm of the sum over all tag sequences, (windows,).

        A sequence's sum is a product of matrices, one for each word, which is taken in pairs of
        neighbours, pairs of pairs and so on: ten large products where the usual recursion makes
        five hundred small ones, the fifth part of its time. Scaled, so that nothing overflows.
        """
        scores = emissions.double()
        highest = scores.amax(dim=2, keepdim=True).detach()
        local = torch.exp(scores - highest)  # (windows, words, tags)
        steps = torch.exp(self.crf.transitions.double()) * local[:, 1:, None, :]
        nothing = torch.eye(steps.shape[-1], dtype=steps.dtype)
        steps = torch.where(words[:, 1:, None, None], steps, nothing)
        total = (highest.squeeze(2) * words).sum(dim=1)
        while steps.shape[1] > 1:
            if steps.shape[1] % 2:
                steps = torch.cat([steps, nothing.expand(len(steps), 1, -1, -1)], dim=1)
            steps = steps[:, 0::2] @ steps[:, 1::2]
            scale = steps.amax(dim=(2, 3), keepdim=True).detach()
            steps = steps / scale
            total = total + torch.log(scale).sum(dim=(1, 2, 3))
        first = torch.exp(self.crf.start_transitions.double()) * local[:, 0]
        if steps.shape[1]:
            first = (first[:, None] @ steps[:, 0]).squeeze(1)
        return total + torch.log(first @ torch.exp(self.crf.end_transitions.double()))


_IMPOSSIBLE = -1e4


class Tagger(TaggerHead):
    """An encoder and a tagger's head on it."""

    def __init__(self, encoder: TypedEncoder, *, tags: int, dropout: float = 0.2) -> None:
        super().__init__(encoder.hidden_size, tags=tags, dropout=dropout)
        self.encoder = encoder

    def forward(
        self, ids: Tensor, mask: Tensor | None, first: Tensor, last: Tensor, characters: Tensor
    ) -> Tensor:
        """Return emissions (windows, words, tags); ids, mask (None: no padding): (windows, pieces).

        The others as in `TaggerHead.emissions`.
        """
        return self.emissions(self.encoder(ids, mask), first, last, characters, None)
