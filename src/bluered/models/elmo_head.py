"""The head that BLUE puts on ELMo (Peng et al. 2019; ncbi-nlp/bluebert, elmo/elmoft.py)."""

import torch
from torch import Tensor, nn
from torch.nn import functional


class ElmoHead(nn.Module):
    """Batch norm, dropout, two hidden layers with ReLU, and scores of labels.

    `size` is the width of a vector: of a word, or of the mean of a text's words; `texts` how many
    vectors an example has side by side. With `limits` there is one label, a number between them,
    by a sigmoid; they are kept with the weights.
    """

    limits: Tensor | None

    def __init__(
        self,
        size: int,
        *,
        texts: int = 1,
        hidden: int,
        labels: int = 1,
        limits: tuple[float, float] | None = None,
        dropout: float,
    ) -> None:
        super().__init__()
        self.register_buffer("limits", None if limits is None else torch.tensor(limits))
        self.norm = nn.BatchNorm1d(size)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.Sequential(
            nn.Linear(texts * size, hidden),
            nn.ReLU(),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
            nn.Linear(hidden, labels),
        )

    def forward(self, vectors: Tensor) -> Tensor:
        """Return scores, or numbers, (examples, labels) for vectors (examples, texts, size).

        The texts of an example are normalised by the same statistics.
        """
        every = vectors.flatten(0, 1)
        normal = self.norm(every) if len(every) > 1 else self._by_what_was_seen(every)
        scores = self.layers(self.dropout(normal).unflatten(0, vectors.shape[:2]).flatten(1))
        if self.limits is None:
            return scores
        lowest, highest = self.limits
        return lowest + (highest - lowest) * torch.sigmoid(scores)

    def _by_what_was_seen(self, vectors: Tensor) -> Tensor:
        """Normalise one vector, which has no variance of its own, by those of earlier batches."""
        norm = self.norm
        return functional.batch_norm(
            vectors, norm.running_mean, norm.running_var, norm.weight, norm.bias, eps=norm.eps
        )
