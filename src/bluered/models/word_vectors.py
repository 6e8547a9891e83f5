"""Static word vectors as an encoder: each word has one vector, wherever it stands.

word2vec (Mikolov et al. 2013), fastText (Bojanowski et al. 2017), GloVe (Pennington et al. 2014);
`word_vector_files` reads their files.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from bluered.encoding.tokens import Ints
from bluered.models.word_vector_files import WordVectors, row_of

ABSENT, UNKNOWN = 0, 1


class WordEmbedding(nn.Module):
    """A table of the vectors of a file, after one of zeros for padding and one for unknown words.

    The vectors stay as they are, or are trained on (`trained`). That of unknown words is trained
    in both cases and begins with zeros. `size` is the width of a vector.
    """

    def __init__(self, vectors: WordVectors, *, trained: bool = False) -> None:
        super().__init__()
        self.rows = vectors.rows
        self.size: int = vectors.vectors.shape[1]
        self.unknown = nn.Parameter(torch.zeros(1, self.size))
        self.known = nn.Parameter(torch.tensor(vectors.vectors), requires_grad=trained)

    def forward(self, ids: Tensor) -> Tensor:
        """Return (..., size) for ids of `ids`, of any shape."""
        table_row = (ids - UNKNOWN - 1).clamp(min=0)
        if not len(self.known):
            found = self.known.new_zeros(*ids.shape, self.size)
        else:
            found = functional.embedding(table_row, self.known)
        at = ids[..., None]
        return torch.where(at > UNKNOWN, found, self.unknown[0] * (at == UNKNOWN))

    def ids(self, sentences: Sequence[Sequence[str]]) -> Ints:
        """Return the ids of words, (sentences, words), with ABSENT past a sentence's end.

        A word that is not in the table is read as its lower-cased form, else as UNKNOWN.
        """
        longest = max(map(len, sentences), default=0)
        ids = np.full((len(sentences), longest), ABSENT, dtype=np.int64)
        for row, sentence in zip(ids, sentences, strict=True):
            found = [row_of(self.rows, word) for word in sentence]
            row[: len(sentence)] = [UNKNOWN if r is None else r + UNKNOWN + 1 for r in found]
        return ids
