"""Training the reader on documents of many corpora: rows, loss and dev scores for the loop."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch
from msgspec import Struct
from msgspec.structs import replace
from tokenizers import Tokenizer
from torch import Tensor, nn

from bluered.documents.document import Document, Entity, Relation
from bluered.documents.sentences import sentences
from bluered.encoding.batches import lengths_mask, pad
from bluered.encoding.meetings import Meetings, meetings
from bluered.encoding.name_features import COLUMNS, name_features
from bluered.encoding.pairs import pair_features
from bluered.encoding.surroundings import (
    Surroundings,
    name_weights,
    surroundings,
    zone_weights,
)
from bluered.encoding.tagging import TaggerWindow, tagger_batch, tagger_windows
from bluered.encoding.tags import Bools, encode_tags, possible_tags, tag_count
from bluered.encoding.tokens import Ints, Tokens
from bluered.encoding.viterbi import Floats, best_path
from bluered.encoding.wording import wording
from bluered.inference.relations import softmax
from bluered.inference.words import PairWords, together
from bluered.models.reader import Reader
from bluered.training.config import Recipe
from bluered.training.known_names import KnownNames
from bluered.training.loop import Scores
from bluered.training.pair_targets import IGNORED, PairTargets, biored
from bluered.training.relation_scores import judge, related, relation_count, relation_scores
from bluered.training.sources import Example, examples, source
from bluered.training.states import whole_texts
from bluered.training.tagger import chain_of, mentions_of, strict_scores

TAGS_WEIGHT = 3.0
"""What the tags' loss (a mean over words) counts beside the pairs' (a mean over pairs)."""


class Pairs(Struct, frozen=True):
    """A document's candidate pairs, ready for the pair head."""

    targets: PairTargets
    met: Meetings
    around: Surroundings
    features: Ints


class Row(Struct, frozen=True):
    """A document's windows with what each word may be tagged, and its pairs where it has some.

    `possible` has one array (words, tags) for each window; `pieces` is the length of the text.
    """

    windows: tuple[TaggerWindow, ...]
    possible: tuple[Bools, ...]
    pieces: int
    pairs: Pairs | None


class Encoded(Struct, frozen=True):
    """A text as the reader takes it."""

    tokens: Tokens
    windows: tuple[TaggerWindow, ...]


def encode(document: Document, tokenizer: Tokenizer, recipe: Recipe, names: KnownNames) -> Encoded:
    """Return the arrays of a document's text."""
    found = names(document)
    tokens, windows = tagger_windows(
        document.text,
        tokenizer,
        size=recipe.window,
        overlap=recipe.overlap,
        features=partial(name_features, names=found, types=recipe.types),
    )
    return Encoded(tokens, tuple(windows))


def row_of(example: Example, tokenizer: Tokenizer, recipe: Recipe, names: KnownNames) -> Row:
    """Return the arrays of a document with what its source says of it."""
    document = example.document
    text = encode(document, tokenizer, recipe, names)
    tags = encode_tags(text.tokens, document.entities, recipe.types)
    possible = possible_tags(tags, recipe.types, set(example.source.types.values()))
    rule = example.source.relations
    return Row(
        windows=text.windows,
        possible=tuple(possible[w.word_start : w.word_start + len(w.first)] for w in text.windows),
        pieces=len(text.tokens.ids),
        pairs=pairs_of(text.tokens, rule(document, recipe.relations)) if rule else None,
    )


def pairs_of(tokens: Tokens, targets: PairTargets) -> Pairs | None:
    """Return the arrays of a document's pairs, None if nothing is known of any."""
    if not len(targets.found.pairs) or bool(targets.possible.all()):
        return None
    document, found = targets.document, targets.found
    parts = sentences(document)
    met = meetings(document, found, parts)
    return Pairs(
        targets,
        met,
        surroundings(document, tokens, met),
        pair_features(document, found, parts),
    )


def rows(documents: Sequence[Document], tokenizer: Tokenizer, recipe: Recipe) -> list[Row]:
    """Return the arrays of the task's documents and of those of the recipe's further corpora."""
    own = source(f"{recipe.task}:{recipe.train}")
    learned = [Example(document, own) for document in documents]
    for name in recipe.corpora:
        learned += examples(name)
    names = KnownNames([example.document for example in learned])
    made = (row_of(example, tokenizer, recipe, names) for example in learned)
    return [row for row in made if row.windows]  # a text without words teaches nothing


def length(row: Row) -> int:
    """Return how many pieces a document has."""
    return row.pieces


def loss(model: nn.Module, batch: list[Row]) -> Tensor:
    """Return the loss of the tags, weighted, and that of the pairs' types and novelty."""
    assert isinstance(model, Reader)
    emissions, states = read(model, [window for row in batch for window in row.windows])
    parts = [_tags_loss(model, emissions, batch)]
    hidden = zip(whole_states(states, batch), batch, strict=True)
    if related := [(whole, row.pairs) for whole, row in hidden if row.pairs is not None]:
        parts.append(_pairs_loss(model, related))
    return torch.stack(parts).sum()


def _tags_loss(model: Reader, emissions: Tensor, batch: Sequence[Row]) -> Tensor:
    words = lengths_mask([window.first for row in batch for window in row.windows])
    possible = pad([p for row in batch for p in row.possible], kind=np.bool_)
    arrays = map(torch.from_numpy, (possible, words))
    return TAGS_WEIGHT * model.tagger.partial_loss(emissions, *arrays)


def read(model: Reader, windows: Sequence[TaggerWindow]) -> tuple[Tensor, Tensor]:
    """Run the lower part on windows: emissions (windows, words, tags) and states."""
    batch = tagger_batch(windows)
    arrays = (batch.ids, batch.mask, batch.first, batch.last, batch.characters, batch.names)
    return model.read(*map(torch.from_numpy, arrays))


def whole_states(states: Tensor, documents: Sequence[Row]) -> list[Tensor]:
    """Return (pieces, hidden) for each document: each piece from the window that decides it."""
    return whole_texts(states, [[window.pieces for window in row.windows] for row in documents])


def scores_of(model: Reader, hidden: Tensor, pairs: Pairs) -> tuple[Tensor, Tensor, Tensor]:
    """Return the pair head's three outputs for a document."""
    found = pairs.targets.found
    names = name_weights(found, pairs.around)
    zones = zone_weights(pairs.around, slice(0, len(found.pairs)))
    arrays = (names, found.pairs, zones, pairs.features)
    return model.pairs(hidden, *map(torch.from_numpy, arrays))


def _pairs_loss(model: Reader, documents: Sequence[tuple[Tensor, Pairs]]) -> Tensor:
    """Return the cross-entropy of the possible types plus half that of novelty, per known pair."""
    outputs = [scores_of(model, *each) for each in documents]
    pairs = [each for _, each in documents]
    types = torch.cat([types for types, _, _ in outputs])
    novelty = torch.cat([novelty for _, novelty, _ in outputs])
    possible = torch.from_numpy(np.concatenate([p.targets.possible for p in pairs]))
    gold = torch.from_numpy(np.concatenate([p.targets.novelty for p in pairs]))
    likely = torch.logsumexp(types.masked_fill(~possible, -1e4), dim=1)
    entropy = torch.logsumexp(types, dim=1) - likely
    known = (~possible.all(dim=1)).sum().clamp(min=1)
    news = nn.functional.cross_entropy(novelty, gold, ignore_index=IGNORED, reduction="sum")
    return (entropy.sum() + 0.5 * news) / known


def evaluation(
    documents: Sequence[Document], tokenizer: Tokenizer, recipe: Recipe
) -> Callable[[nn.Module], Scores]:
    """Return the function that scores a model on documents.

    Mentions by strict F1, relations between the gold entities by the four F1 of BioRED (pair, type,
    novelty, all). The first score decides: the mean of the mentions' F1 and the mean of the four.
    """
    given = Given(recipe, tokenizer, KnownNames(documents), words_of(recipe))
    gold = relation_count(documents)

    def evaluate(model: nn.Module) -> Scores:
        assert isinstance(model, Reader)
        found = [chances(model, document, given) for document in documents]
        judged = [
            judge(each.types, each.novelty, each.targets)
            for each in found
            if each.types is not None
        ]
        mentions = strict_scores(documents, [each.mentions for each in found])
        four = relation_scores(judged, gold)
        return {"score": round((mentions["f1"] + four["mean"]) / 2, 4)} | mentions | four

    return evaluate


def _tags(model: Reader, text: Encoded, emissions: Tensor) -> Ints:
    """Return the best tag of each word of a text."""
    scores: Floats = np.zeros((len(text.tokens.first), emissions.shape[2]), dtype=np.float32)
    for row, values in zip(text.windows, emissions.numpy(), strict=True):
        scores[row.keep_start : row.keep_end] = values[row.kept]
    return best_path(scores, chain_of(model.tagger.crf))


class Chances(Struct, frozen=True):
    """What a model makes of a document: its mentions, and scores of the pairs of gold concepts.

    `types` (pairs, 1 + types) are probabilities, None without pairs or words, `novelty` scores.
    """

    mentions: tuple[Entity, ...]
    targets: PairTargets
    types: Floats | None
    novelty: Floats


class Given(Struct, frozen=True):
    """What a trained reader reads with."""

    recipe: Recipe
    tokenizer: Tokenizer
    names: KnownNames
    words: PairWords | None


def words_of(recipe: Recipe) -> PairWords | None:
    """Return the words that a recipe names, None if it names none."""
    return PairWords(Path(recipe.words)) if recipe.words else None


def chances(model: Reader, document: Document, given: Given) -> Chances:
    """Return what a model makes of a document, its relations together with the words beside it."""
    recipe = given.recipe
    text = encode(document, given.tokenizer, recipe, given.names)
    targets = biored(document, recipe.relations)
    if not text.windows:
        return Chances((), targets, None, np.zeros((0, 2), dtype=np.float32))
    emissions, states = read(model, text.windows)
    found = mentions_of(document.text, text.tokens, _tags(model, text, emissions), recipe.types)
    pairs = pairs_of(text.tokens, targets)
    if pairs is None:
        return Chances(found, targets, None, np.zeros((0, 2), dtype=np.float32))
    row = Row(text.windows, (), len(text.tokens.ids), pairs)
    hidden = whole_states(states, [row])[0]
    types, novelty = (scores.numpy() for scores in scores_of(model, hidden, pairs)[:2])
    if given.words is not None:
        told = wording(
            targets.document, text.tokens, targets.found, met=pairs.met, layout=pairs.features
        )
        said = given.words.scores(told)
        types = together(types, said[0], recipe.words_share)
        novelty = together(novelty, said[1], recipe.words_share)
    return Chances(found, targets, softmax(types), novelty)


def answers(
    model: nn.Module,
    documents: Sequence[Document],
    tokenizer: Tokenizer,
    recipe: Recipe,
    dev: Scores,
) -> Iterator[Document]:
    """Yield the documents with the relations the model finds between the ids of their entities."""
    assert isinstance(model, Reader)
    given = Given(recipe, tokenizer, KnownNames(documents), words_of(recipe))
    for document in documents:
        found = chances(model, document, given)
        relations: tuple[Relation, ...] = ()
        if found.types is not None:
            scores = found.types, found.novelty
            relations = tuple(related(*scores, found.targets, recipe.relations, dev["threshold"]))
        yield replace(document, relations=relations)


def sizes(recipe: Recipe) -> dict[str, int]:
    """Return the sizes of the reader's heads."""
    return {
        "tags": tag_count(recipe.types),
        "names": COLUMNS * len(recipe.types),
        "relation_types": len(recipe.relations),
    }
