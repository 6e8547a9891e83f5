"""Training the plain BERT taggers, `bert-softmax` and `bert-crf`: loss, dev score and answers.

Examples are those of the tagger. With a CRF the best valid sequence is taken; without one the best
tag of each word, and an `I-` that continues nothing begins a mention, as conlleval reads it.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from msgspec.structs import replace
from tokenizers import Tokenizer
from torch import Tensor, nn

from bluered.documents.document import Document, Entity
from bluered.encoding.tagging import TaggerBatch, tagger_batch, tagger_windows
from bluered.encoding.tokens import Ints, Tokens
from bluered.encoding.viterbi import best_path
from bluered.models.token_tagger import TokenTagger
from bluered.training.config import Recipe
from bluered.training.loop import Scores
from bluered.training.tagger import Row, chain_of, length, mentions_of, rows, strict_scores

__all__ = ["answers", "evaluation", "length", "loss", "predict", "rows"]


def _emissions(model: TokenTagger, batch: TaggerBatch) -> Tensor:
    return model(*map(torch.from_numpy, (batch.ids, batch.mask, batch.first)))


def loss(model: nn.Module, windows: list[Row]) -> Tensor:
    """Return the loss of a batch: that of whole tag sequences with a CRF, else that of words."""
    assert isinstance(model, TokenTagger)
    batch = tagger_batch([row.window for row in windows])
    width = batch.words.shape[1]
    tags = np.stack([np.pad(row.tags, (0, width - len(row.tags))) for row in windows])
    return model.loss(
        _emissions(model, batch), torch.from_numpy(tags), torch.from_numpy(batch.words)
    )


def predict(
    model: TokenTagger, text: str, tokenizer: Tokenizer, recipe: Recipe
) -> tuple[Tokens, Ints]:
    """Return the tokens of a text and the tag of each word."""
    chain = None if model.crf is None else chain_of(model.crf)
    tokens, windows = tagger_windows(text, tokenizer, size=recipe.window, overlap=recipe.overlap)
    tags = np.zeros(len(tokens.first), dtype=np.int64)
    for row in windows:
        scores = _emissions(model, tagger_batch([row]))[0].numpy()
        path = scores.argmax(axis=1) if chain is None else best_path(scores, chain)
        tags[row.keep_start : row.keep_end] = path[row.kept]
    return tokens, tags


def _mentions(
    model: TokenTagger, document: Document, tokenizer: Tokenizer, recipe: Recipe
) -> tuple[Entity, ...]:
    tokens, tags = predict(model, document.text, tokenizer, recipe)
    return mentions_of(document.text, tokens, tags, recipe.types)


def evaluation(
    documents: Sequence[Document], tokenizer: Tokenizer, recipe: Recipe
) -> Callable[[nn.Module], Scores]:
    """Return the function that gives a model's strict F1, precision and recall on documents."""

    def evaluate(model: nn.Module) -> Scores:
        assert isinstance(model, TokenTagger)
        found = [_mentions(model, document, tokenizer, recipe) for document in documents]
        return strict_scores(documents, found)

    return evaluate


def answers(
    model: nn.Module,
    documents: Sequence[Document],
    tokenizer: Tokenizer,
    recipe: Recipe,
    _: Scores,
) -> Iterator[Document]:
    """Yield the documents with the model's mentions."""
    assert isinstance(model, TokenTagger)
    for document in documents:
        yield replace(document, entities=_mentions(model, document, tokenizer, recipe))
