"""Training the tagger: examples, loss and dev score for the loop."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from msgspec import Struct
from msgspec.structs import replace
from tokenizers import Tokenizer
from torch import Tensor, nn
from torchcrf import CRF

from bluered.documents.document import Document, Entity, Span
from bluered.encoding.tagging import TaggerBatch, TaggerWindow, tagger_batch, tagger_windows
from bluered.encoding.tags import decode_tags, encode_tags
from bluered.encoding.tokens import Ints, Tokens
from bluered.encoding.viterbi import Chain, best_path, valid_bio
from bluered.models.tagger import Tagger
from bluered.training.config import Recipe
from bluered.training.loop import Scores


class Row(Struct, frozen=True):
    """A window with the gold tag of each of its words."""

    window: TaggerWindow
    tags: Ints


def rows(documents: Sequence[Document], tokenizer: Tokenizer, recipe: Recipe) -> list[Row]:
    """Return the windows of all documents with their tags."""
    made = []
    for document in documents:
        tokens, windows = tagger_windows(
            document.text, tokenizer, size=recipe.window, overlap=recipe.overlap
        )
        tags = encode_tags(tokens, document.entities, recipe.types)
        made += [
            Row(row, tags[row.word_start : row.word_start + len(row.first)]) for row in windows
        ]
    return made


def length(row: Row) -> int:
    """Return how many pieces a window has."""
    return len(row.window.ids)


def emissions(model: nn.Module, batch: TaggerBatch) -> Tensor:
    """Run the tagger on a padded batch."""
    arrays = (batch.ids, batch.mask, batch.first, batch.last, batch.characters)
    return model(*map(torch.from_numpy, arrays))


def loss(model: nn.Module, windows: list[Row]) -> Tensor:
    """Return the CRF loss of a batch."""
    assert isinstance(model, Tagger)
    batch = tagger_batch([row.window for row in windows])
    width = batch.words.shape[1]
    tags = np.stack([np.pad(row.tags, (0, width - len(row.tags))) for row in windows])
    return model.loss(
        emissions(model, batch), torch.from_numpy(tags), torch.from_numpy(batch.words)
    )


def chain_of(crf: CRF) -> Chain:
    """Return a CRF's scores as arrays, with BIO's rules."""
    scores = (crf.start_transitions, crf.end_transitions, crf.transitions)
    return valid_bio(Chain(*(score.detach().numpy().copy() for score in scores)))


def predict(model: Tagger, text: str, tokenizer: Tokenizer, recipe: Recipe) -> tuple[Tokens, Ints]:
    """Return the tokens of a text and the best tag of each word."""
    chain = chain_of(model.crf)
    tokens, windows = tagger_windows(text, tokenizer, size=recipe.window, overlap=recipe.overlap)
    tags = np.zeros(len(tokens.first), dtype=np.int64)
    for row in windows:
        path = best_path(emissions(model, tagger_batch([row]))[0].numpy(), chain)
        tags[row.keep_start : row.keep_end] = path[row.kept]
    return tokens, tags


def mentions(
    model: Tagger, document: Document, tokenizer: Tokenizer, recipe: Recipe
) -> tuple[Entity, ...]:
    """Return the mentions a model finds in a document's text."""
    tokens, tags = predict(model, document.text, tokenizer, recipe)
    return mentions_of(document.text, tokens, tags, recipe.types)


def mentions_of(text: str, tokens: Tokens, tags: Ints, types: Sequence[str]) -> tuple[Entity, ...]:
    """Return the mentions that the tags of a text's words stand for."""
    found = []
    for tagged in decode_tags(tags):
        start = int(tokens.word_starts[tagged.first])
        end = int(tokens.word_ends[tagged.end - 1])
        found.append(Entity(types[tagged.type_index], (Span(start, end),), text[start:end]))
    return tuple(found)


def strict_scores(documents: Sequence[Document], found: Sequence[Sequence[Entity]]) -> Scores:
    """Return strict F1, precision and recall of the mentions found in documents."""
    true = said = gold = 0
    for document, entities in zip(documents, found, strict=True):
        predicted = {(e.start, e.end, e.type) for e in entities}
        expected = {(e.start, e.end, e.type) for e in document.entities}
        true += len(predicted & expected)
        said += len(predicted)
        gold += len(expected)
    precision, recall = true / max(1, said), true / max(1, gold)
    f1 = 2 * true / max(1, said + gold)
    return {"f1": round(f1, 4), "precision": round(precision, 4), "recall": round(recall, 4)}


def evaluation(
    documents: Sequence[Document], tokenizer: Tokenizer, recipe: Recipe
) -> Callable[[nn.Module], Scores]:
    """Return the function that gives a model's strict F1, precision and recall on documents."""

    def evaluate(model: nn.Module) -> Scores:
        assert isinstance(model, Tagger)
        found = [mentions(model, document, tokenizer, recipe) for document in documents]
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
    assert isinstance(model, Tagger)
    for document in documents:
        yield replace(document, entities=mentions(model, document, tokenizer, recipe))
