"""Labels of sentences that are read with their document, and of pairs of texts read together."""

from torch import Tensor, nn

from bluered.models.encoder import TypedEncoder


class LabelModel(nn.Module):
    """An encoder and a classifier on the mean of some of its states.

    The sentence model sees a document at once and classifies each sentence's mean state (any number
    of labels); the pair model sees two texts in one sequence and classifies the mean of it.
    """

    def __init__(self, encoder: TypedEncoder, *, labels: int, dropout: float = 0.2) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(dropout)
        self.mix = nn.Linear(encoder.hidden_size, encoder.hidden_size)
        self.classify = nn.Linear(encoder.hidden_size, labels)

    def forward(self, states: Tensor) -> Tensor:
        """Return scores (texts, labels) for mean states (texts, hidden)."""
        mixed = nn.functional.gelu(self.mix(self.dropout(states)))
        return self.classify(self.dropout(mixed))
