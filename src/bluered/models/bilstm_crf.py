"""The BiLSTM-CRF tagger on word vectors: Lample et al. 2016, and the baseline of BioRED's paper.

A word is its static vector, its vectors from a frozen language model, its characters (by a
convolution, as in Ma and Hovy 2016), or any of them together.
"""

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from torchcrf import CRF

from bluered.models.tagger import CharacterFeatures
from bluered.models.word_vectors import WordEmbedding


class BilstmCrf(nn.Module):
    """Word vectors and characters, an LSTM in both directions, scores of tags, a CRF over them.

    `encoder` holds the static vectors (None: there are none); `contextual` is the width of the
    vectors that a frozen model gives each word (0: none); `hidden` that of the LSTM in each
    direction.
    """

    def __init__(
        self,
        encoder: WordEmbedding | None,
        *,
        contextual: int,
        hidden: int,
        layers: int,
        tags: int,
        dropout: float,
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.characters = CharacterFeatures()
        self.dropout = nn.Dropout(dropout)
        size = self.characters.channels + contextual + (0 if encoder is None else encoder.size)
        self.lstm = nn.LSTM(
            size,
            hidden,
            num_layers=layers,
            dropout=dropout if layers > 1 else 0.0,
            bidirectional=True,
            batch_first=True,
        )
        self.emit = nn.Linear(2 * hidden, tags)
        self.crf = CRF(tags, batch_first=True)

    def forward(
        self, ids: Tensor | None, contextual: Tensor, characters: Tensor, lengths: Tensor
    ) -> Tensor:
        """Return emissions (sentences, words, tags).

        ids: (sentences, words), of `WordEmbedding.ids`, None where there are no static vectors;
        contextual: (sentences, words, size); characters: (sentences, words, width); lengths:
        (sentences,), the words of each. What stands past a sentence's words changes nothing.
        """
        sentences, words, width = characters.shape
        surface = self.characters(characters.reshape(sentences * words, width))
        parts = [surface.reshape(sentences, words, self.characters.channels), contextual]
        if self.encoder is not None and ids is not None:
            parts.append(self.encoder(ids))
        packed = pack_padded_sequence(
            self.dropout(torch.cat(parts, dim=2)), lengths, batch_first=True, enforce_sorted=False
        )
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=words)
        return self.emit(self.dropout(states))

    def loss(self, emissions: Tensor, tags: Tensor, words: Tensor) -> Tensor:
        """Return the mean negative log-likelihood per word; `words` is a boolean mask."""
        return -self.crf(emissions, tags, mask=words, reduction="token_mean")
