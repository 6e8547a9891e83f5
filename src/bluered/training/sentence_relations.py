"""Training and running relations between mentions: all pairs of a sentence in one pass."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor, nn

from bluered.corpora.catalog import task
from bluered.documents.document import Document, Entity, covered_text
from bluered.documents.examples import Example, RelationExample
from bluered.encoding.marking import MarkedText, mark
from bluered.encoding.tokens import Ints
from bluered.models.relations import RelationModel
from bluered.training.config import Recipe
from bluered.training.loop import Scores
from bluered.training.states import hidden_states

FEATURE_SIZES = (2, 7, 8)
"""Values of each column: does the head come first, mentions between (0 to 6), their distance."""


class Row(Struct, frozen=True):
    """A sentence: its pieces, the marker of each mention, the pairs and what is known of them.

    `mentions` (mentions, 1) are positions of markers; `pairs`, `features` and `labels` (pairs, ...)
    belong to the examples `numbers`, in their order; label 0 is "no relation".
    """

    text: MarkedText
    mentions: Ints
    pairs: Ints
    features: Ints
    labels: Ints
    numbers: tuple[int, ...]


def mention_types(recipe: Recipe) -> tuple[str, ...]:
    """Return the types of mention that get a marker of their own; all others share one.

    Those that the task's entry names, as BLUE's placeholders do: ChemProt's chemicals and genes
    are told apart, the kinds of drug of DDI are not.
    """
    return task(recipe.task).entry.entity_types


def _shown(kind: str, types: tuple[str, ...]) -> str:
    """Return the type that a mention is shown with: GENE for ChemProt's GENE-Y and GENE-N."""
    return next((shown for shown in types if kind == shown or kind.startswith(f"{shown}-")), kind)


def rows(examples: Sequence[Example], tokenizer: Tokenizer, recipe: Recipe) -> list[Row]:
    """Return the arrays of each sentence that has candidates."""
    sentences: dict[tuple[str, str], list[int]] = {}
    for number, example in enumerate(examples):
        assert isinstance(example, RelationExample)
        sentences.setdefault((example.document, example.sentence), []).append(number)
    types = mention_types(recipe)
    return [_row(examples, numbers, tokenizer, recipe, types) for numbers in sentences.values()]


def _row(
    examples: Sequence[Example],
    numbers: list[int],
    tokenizer: Tokenizer,
    recipe: Recipe,
    types: tuple[str, ...],
) -> Row:
    chosen = [e for n in numbers if isinstance(e := examples[n], RelationExample)]
    sentence = chosen[0].sentence
    mentions: dict[str, Entity] = {}
    for e in chosen:
        for name, spans, kind in (
            (e.head, e.head_spans, e.head_type),
            (e.tail, e.tail_spans, e.tail_type),
        ):
            mentions[name] = Entity(
                _shown(kind, types), spans, covered_text(sentence, spans), id=name
            )
    ordered = sorted(mentions.values(), key=lambda m: (m.start, m.end, m.id))
    index = {mention.id: place for place, mention in enumerate(ordered)}
    document = Document(id="", text=sentence, entities=tuple(ordered))
    text = mark(document, tokenizer, size=recipe.window, overlap=recipe.overlap, types=types)
    pairs = np.asarray([(index[e.head], index[e.tail]) for e in chosen], dtype=np.int64)
    spans = [(mention.start, mention.end) for mention in ordered]
    return Row(
        text,
        text.markers.reshape(-1, 1),
        pairs,
        np.asarray([_features(spans, *pair) for pair in pairs.tolist()], dtype=np.int64),
        np.asarray([_label(e, recipe) for e in chosen], dtype=np.int64),
        tuple(numbers),
    )


def _features(spans: list[tuple[int, int]], head: int, tail: int) -> tuple[int, int, int]:
    left, right = sorted((head, tail))
    between = max(0, spans[right][0] - spans[left][1])
    return int(head < tail), min(6, right - left - 1), min(7, between.bit_length())


def _label(example: RelationExample, recipe: Recipe) -> int:
    return 1 + recipe.types.index(example.label) if example.label in recipe.types else 0


def length(row: Row) -> int:
    """Return how many pieces a sentence has."""
    return len(row.text.ids)


def pair_scores(model: RelationModel, sentences: Sequence[Row]) -> Tensor:
    """Return scores (pairs of all sentences, 1 + types)."""
    states = hidden_states(model.encoder, [row.text for row in sentences])
    scores = []
    for row, state in zip(sentences, states, strict=True):
        arrays = map(torch.from_numpy, (row.mentions, row.pairs, row.features))
        scores.append(model.head(state, *arrays)[0])
    return torch.cat(scores)


def loss(model: nn.Module, sentences: list[Row]) -> Tensor:
    """Return the cross-entropy per pair."""
    assert isinstance(model, RelationModel)
    gold = torch.from_numpy(np.concatenate([row.labels for row in sentences]))
    return nn.functional.cross_entropy(pair_scores(model, sentences), gold)


def probabilities(model: RelationModel, sentences: Sequence[Row]) -> NDArray[np.float32]:
    """Return (pairs, 1 + types)."""
    return np.concatenate(
        [torch.softmax(pair_scores(model, [row]), dim=1).numpy() for row in sentences]
    )


def decided(chances: NDArray[np.float32], threshold: float) -> Ints:
    """Return the label of each pair: the likeliest type if any relation is likely enough, or 0."""
    best = 1 + chances[:, 1:].argmax(axis=1)
    return np.where(1 - chances[:, 0] >= threshold, best, 0)


def averages(gold: Ints, found: Ints, labels: int) -> tuple[float, float]:
    """Return micro and macro F1 over the labels 1 to `labels`."""
    tp, fp, fn = np.zeros(labels), np.zeros(labels), np.zeros(labels)
    for label in range(1, labels + 1):
        tp[label - 1] = ((gold == label) & (found == label)).sum()
        fp[label - 1] = ((gold != label) & (found == label)).sum()
        fn[label - 1] = ((gold == label) & (found != label)).sum()
    each = 2 * tp / np.maximum(2 * tp + fp + fn, 1)
    return float(2 * tp.sum() / max(1, (2 * tp + fp + fn).sum())), float(each.mean())


def evaluation(
    examples: Sequence[Example], tokenizer: Tokenizer, recipe: Recipe
) -> Callable[[nn.Module], Scores]:
    """Return the function that gives a model's F1, micro or macro as the task's metric asks.

    The threshold on the probability of any relation that is best on these examples comes with it.
    """
    sentences = rows(examples, tokenizer, recipe)
    gold = np.concatenate([row.labels for row in sentences])
    wanted = 1 if task(recipe.task).entry.metric == "macro-f1" else 0

    def evaluate(model: nn.Module) -> Scores:
        assert isinstance(model, RelationModel)
        chances = probabilities(model, sentences)

        def both(threshold: float) -> tuple[float, float]:
            return averages(gold, decided(chances, threshold), len(recipe.types))

        thresholds = [round(t, 2) for t in np.arange(0.1, 0.9, 0.02).tolist()]
        best = max(thresholds, key=lambda t: both(t)[wanted])
        micro, macro = both(best)
        first = {"f1": round((micro, macro)[wanted], 4)}
        return first | {"micro": round(micro, 4), "macro": round(macro, 4), "threshold": best}

    return evaluate


def answers(
    model: nn.Module,
    examples: Sequence[Example],
    tokenizer: Tokenizer,
    recipe: Recipe,
    dev: Scores,
) -> Iterator[Example]:
    """Yield the pairs with the model's labels, in the order given."""
    assert isinstance(model, RelationModel)
    labels: dict[int, int] = {}
    for row in rows(examples, tokenizer, recipe):
        found = decided(probabilities(model, [row]), dev["threshold"]).tolist()
        labels.update(zip(row.numbers, found, strict=True))
    negative = task(recipe.task).entry.negative
    for number, example in enumerate(examples):
        assert isinstance(example, RelationExample)
        found = labels[number]
        yield replace(example, label=recipe.types[found - 1] if found else negative)
