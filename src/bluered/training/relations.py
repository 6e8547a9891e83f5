"""Training the relation model: examples, loss and dev scores for the loop."""

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
from bluered.encoding.pairs import Candidates, mention_table, pair_features
from bluered.encoding.tokens import Ints
from bluered.models.relations import RelationModel
from bluered.training.config import Recipe
from bluered.training.loop import Scores
from bluered.training.pair_targets import IGNORED, biored
from bluered.training.relation_scores import relation_count
from bluered.training.states import hidden_states


class Row(Struct, frozen=True):
    """A document's arrays with the gold type (0 = none) and novelty (1 = novel) of each pair."""

    text: MarkedText
    found: Candidates
    mentions: Ints
    features: Ints
    types: Ints
    novelty: Ints


def row_of(document: Document, tokenizer: Tokenizer, recipe: Recipe) -> Row:
    """Return the arrays of one document."""
    text = mark(document, tokenizer, size=recipe.window, overlap=recipe.overlap)
    targets = biored(document, recipe.types)
    found = targets.found
    return Row(
        text,
        found,
        mention_table(text.markers, found),
        pair_features(document, found, sentences(document)),
        targets.possible.argmax(axis=1),
        targets.novelty,
    )


def rows(documents: Sequence[Document], tokenizer: Tokenizer, recipe: Recipe) -> list[Row]:
    """Return the arrays of the documents that have candidate pairs."""
    made = (row_of(document, tokenizer, recipe) for document in documents)
    return [row for row in made if len(row.found.pairs)]


def length(row: Row) -> int:
    """Return how many pieces a document has."""
    return len(row.text.ids)


def pair_scores(
    model: RelationModel, documents: Sequence[Row]
) -> list[tuple[Tensor, Tensor, Tensor]]:
    """Return the head's three outputs for each document."""
    states = hidden_states(model.encoder, [row.text for row in documents])
    return [
        model.head(state, *map(torch.from_numpy, (row.mentions, row.found.pairs, row.features)))
        for row, state in zip(documents, states, strict=True)
    ]


def loss(model: nn.Module, documents: list[Row]) -> Tensor:
    """Return cross-entropy of type plus half that of novelty (on related pairs), per pair."""
    assert isinstance(model, RelationModel)
    outputs = pair_scores(model, documents)
    types = torch.cat([types for types, _, _ in outputs])
    novelty = torch.cat([novelty for _, novelty, _ in outputs])
    gold_types = torch.from_numpy(np.concatenate([row.types for row in documents]))
    gold_novelty = torch.from_numpy(np.concatenate([row.novelty for row in documents]))
    entropy = nn.functional.cross_entropy(types, gold_types)
    if bool((gold_novelty != IGNORED).any()):
        related = (gold_novelty != IGNORED).float().mean()
        entropy = entropy + 0.5 * related * nn.functional.cross_entropy(
            novelty, gold_novelty, ignore_index=IGNORED
        )
    return entropy


def evaluation(
    documents: Sequence[Document], tokenizer: Tokenizer, recipe: Recipe
) -> Callable[[nn.Module], Scores]:
    """Return the function that scores a model on documents with their gold entities.

    The first score is the mean of the four F1 (pair, type, novelty, all) at the threshold on the
    probability of any relation that gives the best pair F1, which is returned with them.
    """
    known = rows(documents, tokenizer, recipe)
    gold = relation_count(documents)
    expected = np.concatenate([row.types for row in known])
    novel = np.concatenate([row.novelty for row in known])

    def evaluate(model: nn.Module) -> Scores:
        assert isinstance(model, RelationModel)
        related, types, novelty = [], [], []
        for row in known:
            scores, novelty_scores, _ = pair_scores(model, [row])[0]
            related.append(1 - torch.softmax(scores, dim=1)[:, 0])
            types.append(1 + scores[:, 1:].argmax(dim=1))
            novelty.append(novelty_scores.argmax(dim=1))
        chance = torch.cat(related).numpy()
        right_type = torch.cat(types).numpy() == expected
        right_novelty = torch.cat(novelty).numpy() == novel

        def f1(right: np.ndarray, threshold: float) -> float:
            said = chance >= threshold
            return 2 * int((said & right).sum()) / max(1, int(said.sum()) + gold)

        thresholds = np.arange(0.1, 0.9, 0.02)
        threshold = max(thresholds.tolist(), key=lambda t: f1(expected > 0, t))
        four = {
            "pair": f1(expected > 0, threshold),
            "type": f1(right_type, threshold),
            "novelty": f1(right_novelty, threshold),
            "all": f1(right_type & right_novelty, threshold),
        }
        mean = sum(four.values()) / 4
        rounded = {k: round(v, 4) for k, v in four.items()}
        return {"mean": round(mean, 4), **rounded, "threshold": round(threshold, 2)}

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
        if len(row.found.pairs):
            types, novelty, _ = pair_scores(model, [row])[0]
            chances = torch.softmax(types, dim=1)
            found = tuple(
                Relation(
                    type=recipe.types[int(chances[number, 1:].argmax())],
                    head=row.found.concepts[a].id,
                    tail=row.found.concepts[b].id,
                    novel=bool(novelty[number].argmax()),
                    confidence=round(float(1 - chances[number, 0]), 4),
                )
                for number, (a, b) in enumerate(row.found.pairs.tolist())
                if 1 - chances[number, 0] >= dev["threshold"]
            )
        yield replace(document, relations=found)
