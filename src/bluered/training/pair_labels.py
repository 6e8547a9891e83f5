"""Training and running the classification of text pairs (inference)."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from msgspec import Struct
from msgspec.structs import replace
from tokenizers import Tokenizer
from torch import Tensor, nn

from bluered.documents.examples import Example, TextPair
from bluered.encoding.batches import lengths_mask, pad
from bluered.encoding.tagging import special_ids
from bluered.encoding.tokens import Ints, tokenize
from bluered.models.labels import LabelModel
from bluered.training.config import Recipe
from bluered.training.loop import Scores

KINDS = 3
"""Kinds of piece: padding, first text, second text."""


class Row(Struct, frozen=True):
    """The pieces of a pair in one sequence, whose they are, and the index of its label."""

    ids: Ints
    kinds: Ints
    label: int


def rows(examples: Sequence[Example], tokenizer: Tokenizer, recipe: Recipe) -> list[Row]:
    """Return the arrays of each pair; where two texts exceed the window both lose their ends."""
    opening, closing = special_ids(tokenizer)
    made = []
    for example in examples:
        assert isinstance(example, TextPair)
        first, second = (tokenize(t, tokenizer).ids for t in (example.first, example.second))
        room = recipe.window - 3
        share = max(room - len(second), min(len(first), room // 2))
        first = first[:share]
        second = second[: room - len(first)]
        ids = np.concatenate([[opening], first, [closing], second, [closing]])
        kinds = np.repeat([1, 2], [len(first) + 2, len(second) + 1])
        known = example.label in recipe.types
        made.append(Row(ids, kinds, recipe.types.index(example.label or "") if known else -1))
    return made


def length(row: Row) -> int:
    """Return how many pieces a pair has."""
    return len(row.ids)


def label_scores(model: LabelModel, pairs: Sequence[Row]) -> Tensor:
    """Return scores (pairs, labels)."""
    ids, kinds = pad([row.ids for row in pairs]), pad([row.kinds for row in pairs])
    mask = lengths_mask([row.ids for row in pairs]).astype(np.int64)
    states = model.encoder(*map(torch.from_numpy, (ids, mask, kinds)))  # (pairs, pieces, hidden)
    present = torch.from_numpy(mask).unsqueeze(2)
    return model((states * present).sum(dim=1) / present.sum(dim=1))


def loss(model: nn.Module, pairs: list[Row]) -> Tensor:
    """Return cross-entropy."""
    assert isinstance(model, LabelModel)
    gold = torch.tensor([row.label for row in pairs])
    return nn.functional.cross_entropy(label_scores(model, pairs), gold)


def evaluation(
    examples: Sequence[Example], tokenizer: Tokenizer, recipe: Recipe
) -> Callable[[nn.Module], Scores]:
    """Return the function that gives a model's accuracy."""
    pairs = rows(examples, tokenizer, recipe)

    def evaluate(model: nn.Module) -> Scores:
        assert isinstance(model, LabelModel)
        right = sum(int(label_scores(model, [row])[0].argmax()) == row.label for row in pairs)
        return {"accuracy": round(right / max(1, len(pairs)), 4)}

    return evaluate


def answers(
    model: nn.Module,
    examples: Sequence[Example],
    tokenizer: Tokenizer,
    recipe: Recipe,
    _: Scores,
) -> Iterator[Example]:
    """Yield the pairs with the model's labels."""
    assert isinstance(model, LabelModel)
    for example, row in zip(examples, rows(examples, tokenizer, recipe), strict=True):
        assert isinstance(example, TextPair)
        best = int(label_scores(model, [row])[0].argmax())
        yield replace(example, label=recipe.types[best], score=None)
