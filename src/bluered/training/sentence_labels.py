"""Training and running the labels of a document's sentences, all read in one pass."""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

import numpy as np
import torch
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor, nn

from bluered.corpora.catalog import task
from bluered.documents.document import Document
from bluered.documents.examples import Example, LabelledText
from bluered.encoding.marking import MarkedText, mark, sentence_of_piece
from bluered.encoding.tokens import Ints
from bluered.models.labels import LabelModel
from bluered.training.config import Recipe
from bluered.training.loop import Scores
from bluered.training.states import hidden_states
from bluered.training.types import has_one_label


class Row(Struct, frozen=True):
    """A document's pieces, the sentence of each, and the labels (sentences, labels) as 0 and 1."""

    text: MarkedText
    sentence: Ints
    labels: NDArray[np.float32]


def by_document(examples: Sequence[Example]) -> list[list[LabelledText]]:
    """Return the sentences of each document, in their order."""
    found: dict[str, list[LabelledText]] = {}
    for example in examples:
        assert isinstance(example, LabelledText)
        found.setdefault(example.document, []).append(example)
    return list(found.values())


def rows(examples: Sequence[Example], tokenizer: Tokenizer, recipe: Recipe) -> list[Row]:
    """Return the arrays of each document."""
    return [_row(sentences, tokenizer, recipe) for sentences in by_document(examples)]


def _row(sentences: list[LabelledText], tokenizer: Tokenizer, recipe: Recipe) -> Row:
    document = Document(id="", text=" ".join(s.text for s in sentences))
    text = mark(document, tokenizer, size=recipe.window, overlap=recipe.overlap)
    starts = list(accumulate((len(s.text) + 1 for s in sentences[:-1]), initial=0))
    labels = [[float(label in (s.labels or ())) for label in recipe.types] for s in sentences]
    return Row(text, sentence_of_piece(text, starts), np.asarray(labels, dtype=np.float32))


def length(row: Row) -> int:
    """Return how many pieces a document has."""
    return len(row.text.ids)


def label_scores(model: LabelModel, documents: Sequence[Row]) -> Tensor:
    """Return scores (sentences of all documents, labels)."""
    means = []
    states = hidden_states(model.encoder, [row.text for row in documents])
    for row, state in zip(documents, states, strict=True):
        sums = state.new_zeros((len(row.labels), state.shape[1]))
        sums = sums.index_add(0, torch.from_numpy(row.sentence), state)
        counts = np.bincount(row.sentence, minlength=len(row.labels)).clip(min=1)
        means.append(sums / torch.from_numpy(counts).unsqueeze(1))
    return model(torch.cat(means).float())


def loss(model: nn.Module, documents: list[Row]) -> Tensor:
    """Return the binary cross-entropy, summed over labels, per sentence."""
    assert isinstance(model, LabelModel)
    gold = torch.from_numpy(np.concatenate([row.labels for row in documents]))
    entropy = nn.functional.binary_cross_entropy_with_logits(
        label_scores(model, documents), gold, reduction="none"
    )
    return entropy.sum(dim=1).mean()


def example_f1(gold: NDArray[np.bool_], found: NDArray[np.bool_]) -> float:
    """Return F of mean precision and mean recall over documents (documents, labels)."""
    both = (gold & found).sum(axis=1)
    precision = float((both / np.maximum(found.sum(axis=1), 1)).mean())
    recall = float((both / np.maximum(gold.sum(axis=1), 1)).mean())
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def evaluation(
    examples: Sequence[Example], tokenizer: Tokenizer, recipe: Recipe
) -> Callable[[nn.Module], Scores]:
    """Return the function that gives a model's example-based F1 over documents.

    A sentence has the labels whose probability reaches a threshold; the one best on these examples
    is returned with the score. Where each has exactly one label, the score is accuracy.
    """
    documents = rows(examples, tokenizer, recipe)
    if has_one_label(task(recipe.task)):
        return _accuracy(documents)
    gold = np.stack([row.labels.max(axis=0) > 0 for row in documents])

    def evaluate(model: nn.Module) -> Scores:
        assert isinstance(model, LabelModel)
        chances = np.stack(
            [torch.sigmoid(label_scores(model, [row])).numpy().max(axis=0) for row in documents]
        )
        thresholds = [round(t, 2) for t in np.arange(0.1, 0.9, 0.02).tolist()]
        best = max(thresholds, key=lambda t: example_f1(gold, chances >= t))
        return {"f1": round(example_f1(gold, chances >= best), 4), "threshold": best}

    return evaluate


def _accuracy(documents: Sequence[Row]) -> Callable[[nn.Module], Scores]:
    gold = np.concatenate([row.labels.argmax(axis=1) for row in documents])

    def evaluate(model: nn.Module) -> Scores:
        assert isinstance(model, LabelModel)
        found = [label_scores(model, [row]).argmax(dim=1).numpy() for row in documents]
        return {"accuracy": round(float((np.concatenate(found) == gold).mean()), 4)}

    return evaluate


def answers(
    model: nn.Module,
    examples: Sequence[Example],
    tokenizer: Tokenizer,
    recipe: Recipe,
    dev: Scores,
) -> Iterator[Example]:
    """Yield the sentences with the labels the model gives them, document by document."""
    assert isinstance(model, LabelModel)
    one = has_one_label(task(recipe.task))
    for sentences in by_document(examples):
        chances = torch.sigmoid(label_scores(model, [_row(sentences, tokenizer, recipe)])).numpy()
        for sentence, chance in zip(sentences, chances, strict=True):
            best = [int(chance.argmax())]
            said = best if one else np.flatnonzero(chance >= dev["threshold"]).tolist()
            yield replace(sentence, labels=tuple(recipe.types[i] for i in said))
