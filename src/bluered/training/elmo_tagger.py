"""BLUE's ELMo for named entities: each word is tagged by itself from its vector.

As ncbi-nlp/bluebert's elmo/elmoft.py has it, but for two things: there, batch norm is over places
in a sentence, where here it is over the numbers of a vector, and sentences end at 128 words. Tags
that break BIO are read as conlleval reads them: an I that follows nothing of its type begins a
mention.
"""

import logging
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch
from msgspec.structs import replace
from safetensors.torch import load_file
from torch import Tensor, nn

from bluered.documents.document import Document
from bluered.encoding.tags import tag_count
from bluered.encoding.tokens import Ints
from bluered.models.elmo import Elmo
from bluered.models.elmo_head import ElmoHead
from bluered.training.batching import batches_of
from bluered.training.config import ElmoRecipe
from bluered.training.loop import WEIGHTS, Progress, Scores, fit
from bluered.training.word_encoders import elmo_size, load_elmo
from bluered.training.word_rows import Row, length, mentions, read, rows_of, scores

log = logging.getLogger(__name__)

_TOGETHER = 64
"""Sentences that are tagged at once."""


def train_elmo_tagger(
    recipe: ElmoRecipe,
    parts: tuple[Sequence[Document], Sequence[Document]],
    folder: Path,
    progress: Progress,
) -> Scores:
    """Train on the first of two parts into a run's folder; return the best scores on the other."""
    elmo = load_elmo(recipe.elmo)
    train, dev = (read(documents, recipe.types, elmo, progress) for documents in parts)
    rows = rows_of(train)
    torch.manual_seed(recipe.seed)
    log.info("training %s on %d sentences", folder.name, len(rows))

    def evaluate(model: nn.Module) -> Scores:
        return scores(partial(tags_of, model), dev, recipe.types)

    return fit(
        build(recipe, elmo),
        batches=batches_of(
            rows, list(map(length, rows)), size=recipe.optimisation.batch, seed=recipe.seed
        ),
        loss=loss,
        evaluate=evaluate,
        settings=recipe.optimisation,
        folder=folder,
        progress=progress,
    )


def build(recipe: ElmoRecipe, elmo: Elmo) -> ElmoHead:
    """Return the untrained head on the vectors of an ELMo."""
    tags = tag_count(recipe.types)
    return ElmoHead(elmo_size(elmo), hidden=recipe.hidden, labels=tags, dropout=recipe.dropout)


def tag_scores(model: nn.Module, rows: Sequence[Row]) -> Tensor:
    """Return the scores of tags, (words of all sentences, tags)."""
    vectors = np.concatenate([row.contextual for row in rows]).astype(np.float32)
    return model(torch.from_numpy(vectors).unsqueeze(1))


def loss(model: nn.Module, rows: list[Row]) -> Tensor:
    """Return the cross-entropy of a word's tag."""
    tags = torch.from_numpy(np.concatenate([row.tags for row in rows]))
    return nn.functional.cross_entropy(tag_scores(model, rows), tags)


def tags_of(model: nn.Module, rows: Sequence[Row]) -> list[Ints]:
    """Return the likeliest tag of each word of each sentence."""
    found: list[Ints] = []
    for start in range(0, len(rows), _TOGETHER):
        some = rows[start : start + _TOGETHER]
        best = tag_scores(model, some).argmax(dim=1).numpy()
        found += np.split(best, np.cumsum([length(row) for row in some])[:-1])
    return found


def elmo_tagger_answers(
    run: Path, documents: Sequence[Document], recipe: ElmoRecipe
) -> Iterator[Document]:
    """Yield the documents with the mentions that a finished run finds."""
    elmo = load_elmo(recipe.elmo)
    asked = read(documents, recipe.types, elmo, lambda items, _: items)
    model = build(recipe, elmo)
    model.load_state_dict(load_file(run / WEIGHTS))
    model.eval()
    with torch.inference_mode():
        answered = mentions(partial(tags_of, model), asked, recipe.types)
    for document, found in zip(documents, answered, strict=True):
        yield replace(document, entities=found)
