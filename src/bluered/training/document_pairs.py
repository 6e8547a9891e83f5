"""Training and running all candidate pairs of a document in one pass, on an encoder of its own.

The recipe model `document-pairs`: a marker before every mention, a pair head on their states.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from msgspec import Struct
from msgspec.structs import replace
from tokenizers import Tokenizer
from torch import Tensor, nn

from bluered.documents.document import Document, Relation
from bluered.documents.sentences import sentences
from bluered.encoding.marking import MarkedText, mark
from bluered.encoding.pairs import mention_table, pair_features
from bluered.encoding.tokens import Ints
from bluered.encoding.viterbi import Floats
from bluered.inference.relations import softmax
from bluered.models.relations import RelationModel
from bluered.training.config import Recipe
from bluered.training.loop import Scores
from bluered.training.pair_targets import IGNORED, PairTargets, biored
from bluered.training.relation_scores import judge, related, relation_count, relation_scores
from bluered.training.states import hidden_states


class Row(Struct, frozen=True):
    """A document's arrays with what its pairs are."""

    text: MarkedText
    targets: PairTargets
    mentions: Ints
    features: Ints


def row_of(document: Document, tokenizer: Tokenizer, recipe: Recipe) -> Row:
    """Return the arrays of one document."""
    text = mark(document, tokenizer, size=recipe.window, overlap=recipe.overlap)
    targets = biored(document, recipe.types)
    return Row(
        text,
        targets,
        mention_table(text.markers, targets.found),
        pair_features(document, targets.found, sentences(document)),
    )


def rows(documents: Sequence[Document], tokenizer: Tokenizer, recipe: Recipe) -> list[Row]:
    """Return the arrays of the documents that have candidate pairs."""
    made = (row_of(document, tokenizer, recipe) for document in documents)
    return [row for row in made if len(row.targets.found.pairs)]


def length(row: Row) -> int:
    """Return how many pieces a document has."""
    return len(row.text.ids)


def pair_scores(
    model: RelationModel, documents: Sequence[Row]
) -> list[tuple[Tensor, Tensor, Tensor]]:
    """Return the head's three outputs for each document."""
    states = hidden_states(model.encoder, [row.text for row in documents])
    found = []
    for row, state in zip(documents, states, strict=True):
        arrays = (row.mentions, row.targets.found.pairs, row.features)
        found.append(model.head(state, *map(torch.from_numpy, arrays)))
    return found


def loss(model: nn.Module, documents: list[Row]) -> Tensor:
    """Return cross-entropy of type plus half that of novelty (on related pairs), per pair."""
    assert isinstance(model, RelationModel)
    outputs = pair_scores(model, documents)
    types = torch.cat([types for types, _, _ in outputs])
    novelty = torch.cat([novelty for _, novelty, _ in outputs])
    possible = np.concatenate([row.targets.possible for row in documents])
    gold_types = torch.from_numpy(possible.argmax(axis=1))
    gold_novelty = torch.from_numpy(np.concatenate([row.targets.novelty for row in documents]))
    entropy = nn.functional.cross_entropy(types, gold_types)
    if bool((gold_novelty != IGNORED).any()):
        share = (gold_novelty != IGNORED).float().mean()
        entropy = entropy + 0.5 * share * nn.functional.cross_entropy(
            novelty, gold_novelty, ignore_index=IGNORED
        )
    return entropy


def chances(model: RelationModel, row: Row) -> tuple[Floats, Floats]:
    """Return the probabilities (pairs, 1 + types) and novelty scores (pairs, 2) of a document."""
    types, novelty, _ = pair_scores(model, [row])[0]
    return softmax(types.numpy()), novelty.numpy()


def evaluation(
    documents: Sequence[Document], tokenizer: Tokenizer, recipe: Recipe
) -> Callable[[nn.Module], Scores]:
    """Return the function that scores a model on documents with their gold entities.

    The first score is the mean of the four F1 (pair, type, novelty, all) at the threshold that is
    best for it, which is returned with them.
    """
    known = rows(documents, tokenizer, recipe)
    gold = relation_count(documents)

    def evaluate(model: nn.Module) -> Scores:
        assert isinstance(model, RelationModel)
        return relation_scores([judge(*chances(model, row), row.targets) for row in known], gold)

    return evaluate


def answers(
    model: nn.Module,
    documents: Sequence[Document],
    tokenizer: Tokenizer,
    recipe: Recipe,
    dev: Scores,
) -> Iterator[Document]:
    """Yield the documents with the relations the model finds between the ids of their entities."""
    assert isinstance(model, RelationModel)
    for document in documents:
        row = row_of(document, tokenizer, recipe)
        found: tuple[Relation, ...] = ()
        if len(row.targets.found.pairs):
            scores = chances(model, row)
            found = tuple(related(*scores, row.targets, recipe.types, dev["threshold"]))
        yield replace(document, relations=found)
