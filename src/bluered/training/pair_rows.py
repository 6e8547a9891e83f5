"""What models that read a document once for each pair have in common: rows, loss, scores, answers.

The candidates are those of `encoding.pairs`: all pairs of concepts of the eight type pairs. A model
is told apart by how it is run on a batch of rows (`Run`).
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from msgspec import Struct
from msgspec.structs import replace
from tokenizers import Tokenizer
from torch import Tensor, nn

from bluered.documents.document import Document, Relation
from bluered.encoding.marked_pair import (
    MarkedPair,
    PairText,
    marked_length,
    marked_pair,
    pair_text,
)
from bluered.encoding.viterbi import Floats
from bluered.errors import ModelError
from bluered.inference.relations import softmax
from bluered.training.config import Recipe
from bluered.training.loop import Scores
from bluered.training.pair_targets import IGNORED, PairTargets, biored
from bluered.training.relation_scores import judge, related, relation_count, relation_scores

AT_ONCE = 32
"""Pairs in a batch when nothing is learned."""


class Row(Struct, frozen=True):
    """A pair: the text of its document, the mentions of both concepts, what it is.

    `type` is 0 for none; `novelty` 1 novel, 0 not, IGNORED unknown. The sequence is made when it
    is needed: those of all pairs at once would fill the memory.
    """

    text: PairText
    mentions: tuple[tuple[int, ...], tuple[int, ...]]
    size: int
    length: int
    type: int
    novelty: int

    def marked(self) -> MarkedPair:
        """Return the sequence of the pair."""
        return marked_pair(self.text, self.mentions, size=self.size)


Run = Callable[[nn.Module, Sequence[Row]], tuple[Tensor, Tensor]]
"""Score a batch: (pairs, 1 + types or 0) and novelty (pairs, 2 or 0)."""


def sizes(recipe: Recipe) -> dict[str, int]:
    """Return how many scores a model of a recipe gives of type and of novelty."""
    types = 0 if recipe.decides == "novelty" else 1 + len(recipe.types)
    return {"types": types, "novelty": 0 if recipe.decides == "types" else 2}


def all_rows(targets: PairTargets, tokenizer: Tokenizer, recipe: Recipe) -> list[Row]:
    """Return a row for each candidate pair of a document."""
    found = targets.found
    if not len(found.pairs):
        return []
    text, kinds = pair_text(targets.document, tokenizer), targets.possible.argmax(axis=1)
    made = []
    for row, (a, b) in enumerate(found.pairs.tolist()):
        pair = (found.concepts[a].mentions, found.concepts[b].mentions)
        length = marked_length(text, pair, size=recipe.window)
        made.append(
            Row(text, pair, recipe.window, length, int(kinds[row]), int(targets.novelty[row]))
        )
    return made


def rows(documents: Sequence[Document], tokenizer: Tokenizer, recipe: Recipe) -> list[Row]:
    """Return the pairs to learn from.

    For types all related ones, and of the empty ones a share of `negatives`, which the seed
    chooses; for novelty alone those whose novelty is known.
    """
    chance = np.random.default_rng(recipe.seed)
    kept = []
    for document in documents:
        for row in all_rows(biored(document, recipe.types), tokenizer, recipe):
            drawn = chance.random() < recipe.negatives
            known = row.novelty != IGNORED
            if known if recipe.decides == "novelty" else row.type or drawn:
                kept.append(row)
    if not kept:
        raise ModelError(f"{recipe.task}:{recipe.train} has no pairs to learn {recipe.decides} of")
    return kept


def length(row: Row) -> int:
    """Return how many pieces the sequence of a pair has."""
    return row.length


def loss(run: Run, model: nn.Module, batch: Sequence[Row]) -> Tensor:
    """Return cross-entropy of type, and of novelty, per pair.

    Of both the novelty counts half, as in the models that read all pairs of a document at once;
    it is known of related pairs.
    """
    types, novelty = run(model, batch)
    gold = torch.tensor([row.type for row in batch])
    news = torch.tensor([row.novelty for row in batch])
    parts = []
    if types.shape[1]:
        parts.append(nn.functional.cross_entropy(types, gold))
    if novelty.shape[1]:
        share = 0.5 if parts else 1.0
        entropy = nn.functional.cross_entropy(novelty, news, ignore_index=IGNORED, reduction="sum")
        parts.append(share * entropy / len(batch))
    return torch.stack(parts).sum()


def all_scores(run: Run, model: nn.Module, known: Sequence[Row]) -> tuple[Floats, Floats]:
    """Return the scores of pairs in their order; those of one length are run together."""
    order = sorted(range(len(known)), key=lambda number: known[number].length)
    parts = [
        run(model, [known[number] for number in order[start : start + AT_ONCE]])
        for start in range(0, len(order), AT_ONCE)
    ]
    back = np.argsort(order)
    types, novelty = (torch.cat(each).numpy()[back] for each in zip(*parts, strict=True))
    return types, novelty


def evaluation(
    run: Run, documents: Sequence[Document], tokenizer: Tokenizer, recipe: Recipe
) -> Callable[[nn.Module], Scores]:
    """Return the function that scores a model on documents with their gold entities.

    Types: the mean of the F1 of `relation_scores` comes first. Novelty alone: the accuracy on the
    related pairs, then the mean F1 of both answers.
    """
    if recipe.decides == "novelty":
        return _novelty_evaluation(run, documents, tokenizer, recipe)
    targets = [biored(document, recipe.types) for document in documents]
    made = [all_rows(each, tokenizer, recipe) for each in targets]
    ends = np.cumsum([len(each) for each in made])[:-1]
    known = [row for each in made for row in each]
    gold = relation_count(documents)
    if not known:
        raise ModelError(f"{recipe.task}:{recipe.dev} has no pairs to score")

    def evaluate(model: nn.Module) -> Scores:
        types, novelty = all_scores(run, model, known)
        said = zip(np.split(softmax(types), ends), np.split(novelty, ends), targets, strict=True)
        judged = [judge(chances, _or_none(news), each) for chances, news, each in said]
        return relation_scores(judged, gold)

    return evaluate


def _or_none(novelty: Floats) -> Floats | None:
    return novelty if novelty.shape[1] else None


def _novelty_evaluation(
    run: Run, documents: Sequence[Document], tokenizer: Tokenizer, recipe: Recipe
) -> Callable[[nn.Module], Scores]:
    targets = (biored(document, recipe.types) for document in documents)
    made = (row for each in targets for row in all_rows(each, tokenizer, recipe))
    known = [row for row in made if row.novelty != IGNORED]
    gold = np.asarray([row.novelty for row in known])
    if not known:
        raise ModelError(f"{recipe.task}:{recipe.dev} has no pairs whose novelty is known")

    def evaluate(model: nn.Module) -> Scores:
        said = all_scores(run, model, known)[1].argmax(axis=1)
        each = [
            2 * int(((said == label) & (gold == label)).sum())
            / max(1, int((said == label).sum() + (gold == label).sum()))
            for label in (0, 1)
        ]  # fmt: skip
        right = float((said == gold).mean())
        return {"accuracy": round(right, 4), "macro_f1": round(sum(each) / 2, 4)}

    return evaluate


def answers(
    run: Run,
    model: nn.Module,
    documents: Sequence[Document],
    tokenizer: Tokenizer,
    recipe: Recipe,
    dev: Scores,
) -> Iterator[Document]:
    """Yield the documents with what the model says of pairs of their entities' ids.

    A model of types gives the relations; one of novelty alone says of those that a document has
    which are novel.
    """
    for document in documents:
        targets = biored(document, recipe.types)
        known = all_rows(targets, tokenizer, recipe)
        if recipe.decides == "novelty":
            yield _with_novelty(run, model, known, targets)
            continue
        found: tuple[Relation, ...] = ()
        if known:
            types, novelty = all_scores(run, model, known)
            scores = softmax(types), _or_none(novelty)
            found = tuple(related(*scores, targets, recipe.types, dev["threshold"]))
        yield replace(document, relations=found)


def _with_novelty(
    run: Run, model: nn.Module, known: Sequence[Row], targets: PairTargets
) -> Document:
    """Return the document with the novelty of its relations; of other pairs nothing is said."""
    concepts = targets.found.concepts
    rows_of = {
        frozenset((concepts[a].id, concepts[b].id)): row
        for (a, b), row in zip(targets.found.pairs.tolist(), known, strict=True)
    }
    relations = targets.document.relations
    ends = [frozenset((relation.head, relation.tail)) for relation in relations]
    asked = dict.fromkeys(pair for pair in ends if pair in rows_of)
    if not asked:
        return targets.document
    chances = softmax(all_scores(run, model, [rows_of[pair] for pair in asked])[1])
    said = dict(zip(asked, chances.tolist(), strict=True))
    told = [
        replace(relation, novel=said[pair][1] > said[pair][0], novelty_confidence=_sure(said[pair]))
        if pair in said
        else relation
        for relation, pair in zip(relations, ends, strict=True)
    ]
    return replace(targets.document, relations=tuple(told))


def _sure(chances: Sequence[float]) -> float:
    return round(max(chances), 4)
