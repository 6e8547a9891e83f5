"""Training and running the similarity of text pairs."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from msgspec import Struct
from msgspec.structs import replace
from tokenizers import Tokenizer
from torch import Tensor, nn

from bluered.documents.document import Document
from bluered.documents.examples import Example, TextPair
from bluered.encoding.marking import MarkedText, mark
from bluered.models.similarity import SimilarityModel
from bluered.training.config import Recipe
from bluered.training.loop import Scores
from bluered.training.states import hidden_states


class Row(Struct, frozen=True):
    """The arrays of a pair, and its score where that is known."""

    first: MarkedText
    second: MarkedText
    score: float | None


def rows(examples: Sequence[Example], tokenizer: Tokenizer, recipe: Recipe) -> list[Row]:
    """Return the arrays of each pair."""

    def read(text: str) -> MarkedText:
        document = Document(id="", text=text)
        return mark(document, tokenizer, size=recipe.window, overlap=recipe.overlap)

    return [
        Row(read(example.first), read(example.second), example.score)
        for example in examples
        if isinstance(example, TextPair)
    ]


def length(row: Row) -> int:
    """Return how many pieces a pair has."""
    return len(row.first.ids) + len(row.second.ids)


def estimates(model: SimilarityModel, pairs: Sequence[Row]) -> Tensor:
    """Return the score of each pair."""
    texts = [text for row in pairs for text in (row.first, row.second)]
    states = hidden_states(model.encoder, texts)
    means = torch.stack([s.mean(dim=0) if len(s) else s.new_zeros(s.shape[1]) for s in states])
    return model(means[0::2], means[1::2])


def loss(model: nn.Module, pairs: list[Row]) -> Tensor:
    """Return the mean squared error."""
    assert isinstance(model, SimilarityModel)
    gold = torch.tensor([row.score for row in pairs])
    return nn.functional.mse_loss(estimates(model, pairs), gold)


def evaluation(
    examples: Sequence[Example], tokenizer: Tokenizer, recipe: Recipe
) -> Callable[[nn.Module], Scores]:
    """Return the function that gives a model's Pearson correlation (0 where there is none)."""
    pairs = rows(examples, tokenizer, recipe)
    gold = np.asarray([row.score for row in pairs])

    def evaluate(model: nn.Module) -> Scores:
        assert isinstance(model, SimilarityModel)
        found = estimates(model, pairs).numpy()
        varies = float(found.std()) > 0
        pearson = float(np.corrcoef(gold, found)[0, 1]) if varies else 0.0
        return {
            "pearson": round(pearson, 4),
            "error": round(float(((found - gold) ** 2).mean()), 4),
        }

    return evaluate


def answers(
    model: nn.Module,
    examples: Sequence[Example],
    tokenizer: Tokenizer,
    recipe: Recipe,
    _: Scores,
) -> Iterator[Example]:
    """Yield the pairs with the model's scores."""
    assert isinstance(model, SimilarityModel)
    for example, row in zip(examples, rows(examples, tokenizer, recipe), strict=True):
        assert isinstance(example, TextPair)
        yield replace(example, score=float(estimates(model, [row])[0]), label=None)
