"""Training and running the BiLSTM-CRF on word vectors: sentences in, mentions out.

A run keeps beside the weights the words whose vectors are among them, in `words.json`; the vectors
of any other word come from the recipe's file, which therefore has to stay.
"""

import logging
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec
import numpy as np
import torch
from msgspec.structs import replace
from safetensors.torch import load_file
from torch import Tensor, nn

from bluered.documents.document import Document
from bluered.encoding.batches import pad
from bluered.encoding.tags import tag_count
from bluered.encoding.tokens import Ints
from bluered.encoding.viterbi import best_path
from bluered.errors import ModelError
from bluered.models.bilstm_crf import BilstmCrf
from bluered.models.elmo import Elmo
from bluered.models.word_vector_files import WordVectors, read_vectors, row_of
from bluered.models.word_vectors import WordEmbedding
from bluered.training.batching import batches_of
from bluered.training.config import BilstmCrfRecipe
from bluered.training.loop import WEIGHTS, Progress, Scores, fit
from bluered.training.tagger import chain_of
from bluered.training.word_encoders import elmo_size, load_elmo
from bluered.training.word_rows import Row, length, mentions, read, rows_of, scores

log = logging.getLogger(__name__)

WORDS = "words.json"
_TOGETHER = 64
"""Sentences of similar length that are tagged at once."""


def train_bilstm_crf(
    recipe: BilstmCrfRecipe,
    parts: tuple[Sequence[Document], Sequence[Document]],
    folder: Path,
    progress: Progress,
) -> Scores:
    """Train on the first of two parts into a run's folder; return the best scores on the other."""
    elmo = load_elmo(recipe.elmo) if recipe.elmo else None
    train, dev = (read(documents, recipe.types, elmo, progress) for documents in parts)
    rows = rows_of(train)
    vectors = _vectors_of(recipe, [*rows, *rows_of(dev)])
    if vectors is not None:
        (folder / WORDS).write_bytes(msgspec.json.encode(list(vectors.rows)))
    torch.manual_seed(recipe.seed)
    log.info("training %s on %d sentences", folder.name, len(rows))

    def evaluate(model: nn.Module) -> Scores:
        assert isinstance(model, BilstmCrf)
        return scores(partial(tags_of, model), dev, recipe.types)

    return fit(
        build(recipe, vectors, elmo),
        batches=batches_of(
            rows, list(map(length, rows)), size=recipe.optimisation.batch, seed=recipe.seed
        ),
        loss=loss,
        evaluate=evaluate,
        settings=recipe.optimisation,
        folder=folder,
        progress=progress,
    )


def _vectors_of(recipe: BilstmCrfRecipe, rows: Sequence[Row]) -> WordVectors | None:
    """Return the static vectors of the words that were read, None where the recipe has none."""
    if not recipe.vectors:
        return None
    words = {word for row in rows for word in row.sentence.words}
    vectors = read_vectors(Path(recipe.vectors), words=words)
    known = sum(row_of(vectors.rows, word) is not None for word in words)
    log.info("%s has %d of %d words", recipe.vectors, known, len(words))
    return vectors


def build(recipe: BilstmCrfRecipe, vectors: WordVectors | None, elmo: Elmo | None) -> BilstmCrf:
    """Return the untrained model on these vectors."""
    tuned = recipe.optimisation.encoder_rate > 0
    return BilstmCrf(
        None if vectors is None else WordEmbedding(vectors, trained=tuned),
        contextual=0 if elmo is None else elmo_size(elmo),
        hidden=recipe.hidden,
        layers=recipe.layers,
        tags=tag_count(recipe.types),
        dropout=recipe.dropout,
    )


def emissions(model: BilstmCrf, rows: Sequence[Row]) -> Tensor:
    """Return the scores of tags, (sentences, words, tags)."""
    words = [row.sentence.words for row in rows]
    contextual = pad([row.contextual for row in rows], kind=np.float32)
    characters = pad([row.sentence.characters for row in rows])
    return model(
        None if model.encoder is None else torch.from_numpy(model.encoder.ids(words)),
        torch.from_numpy(contextual),
        torch.from_numpy(characters),
        torch.tensor([len(w) for w in words]),
    )


def loss(model: nn.Module, rows: list[Row]) -> Tensor:
    """Return the CRF loss of a batch of sentences."""
    assert isinstance(model, BilstmCrf)
    tags = torch.from_numpy(pad([row.tags for row in rows]))
    lengths = torch.tensor([len(row.tags) for row in rows])
    return model.loss(emissions(model, rows), tags, torch.arange(tags.shape[1]) < lengths[:, None])


def tags_of(model: BilstmCrf, rows: Sequence[Row]) -> list[Ints]:
    """Return the best valid tags of each sentence's words."""
    chain = chain_of(model.crf)
    order = sorted(range(len(rows)), key=lambda place: length(rows[place]))
    found: dict[int, Ints] = {}
    for start in range(0, len(order), _TOGETHER):
        places = order[start : start + _TOGETHER]
        scored = emissions(model, [rows[place] for place in places]).numpy()
        for place, row in zip(places, scored, strict=True):
            found[place] = best_path(row[: length(rows[place])], chain)
    return [found[place] for place in range(len(rows))]


def bilstm_crf_answers(
    run: Path, documents: Sequence[Document], recipe: BilstmCrfRecipe
) -> Iterator[Document]:
    """Yield the documents with the mentions that a finished run finds."""
    elmo = load_elmo(recipe.elmo) if recipe.elmo else None
    asked = read(documents, recipe.types, elmo, lambda items, _: items)
    model = _load(run, recipe, elmo, _vectors_of(recipe, rows_of(asked)))
    with torch.inference_mode():
        answered = mentions(partial(tags_of, model), asked, recipe.types)
    for document, found in zip(documents, answered, strict=True):
        yield replace(document, entities=found)


def _load(
    run: Path, recipe: BilstmCrfRecipe, elmo: Elmo | None, more: WordVectors | None
) -> BilstmCrf:
    """Return a run's model, its table of words lengthened by those of `more` that it lacks."""
    state = load_file(run / WEIGHTS)
    vectors = None
    if more is not None:
        own = msgspec.json.decode((run / WORDS).read_bytes(), type=list[str])
        rows = {word: row for row, word in enumerate(own)}
        new = [word for word in more.rows if word not in rows]
        rows |= {word: row for row, word in enumerate(new, start=len(own))}
        known = state["encoder.known"]
        if known.shape[1] != more.vectors.shape[1]:
            raise ModelError(
                f"{recipe.vectors} has vectors of {more.vectors.shape[1]} numbers, {run} was "
                f"trained on {known.shape[1]}: give the file that it was trained on"
            )
        added = torch.from_numpy(more.vectors[[more.rows[word] for word in new]].copy())
        state["encoder.known"] = torch.cat([known, added])
        vectors = WordVectors(rows, state["encoder.known"].numpy())
    model = build(recipe, vectors, elmo)
    model.load_state_dict(state)
    return model.eval()
