"""BLUE's ELMo for texts and pairs of texts: the mean of a text's words is its vector.

As ncbi-nlp/bluebert's elmo/elmoft.py has it, but for three things: there, the most frequent label
is drawn as rarely as the others and rare labels weigh more, the scores of a pair's labels go
through a sigmoid before the cross-entropy, and the texts of a pair end at 128 words. ELMo reads
each text once, before the training, and of each the mean is kept.
"""

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from msgspec import Struct
from safetensors.torch import load_file
from torch import Tensor, nn

from bluered.corpora.catalog import Task
from bluered.documents.examples import Example
from bluered.encoding.viterbi import Floats
from bluered.encoding.word_sentences import words_of
from bluered.models.elmo import Elmo
from bluered.models.elmo_head import ElmoHead
from bluered.training.batching import batches_of
from bluered.training.config import ElmoRecipe
from bluered.training.loop import WEIGHTS, Progress, Scores, fit
from bluered.training.sequence_loss import sequence_loss
from bluered.training.sequences import (
    Outputs,
    Rule,
    answers,
    dev_scores,
    outputs_of,
    sequence,
    targets,
)
from bluered.training.word_encoders import elmo_size, embedded, load_elmo, mean_word

log = logging.getLogger(__name__)

_TOGETHER = 1024
"""Examples that are answered at once."""


class Row(Struct, frozen=True):
    """The vectors of an example's texts, (texts, size), and what a model is to give, (numbers,)."""

    vectors: Floats
    target: Floats


def read(
    examples: Sequence[Example], outputs: Outputs, elmo: Elmo, progress: Progress
) -> list[Row]:
    """Return the arrays of examples."""
    read = [sequence(example) for example in examples]
    pairs = [(s.first,) if s.second is None else (s.first, s.second) for s in read]
    words = [words_of(text) for pair in pairs for text in pair]
    means = iter(embedded(elmo, words, mean_word, progress=progress))
    vectors = [np.stack([next(means) for _ in pair]) for pair in pairs]
    return [Row(*row) for row in zip(vectors, targets(examples, outputs), strict=True)]


def train_elmo_texts(
    recipe: ElmoRecipe,
    asked: Task,
    parts: tuple[Sequence[Example], Sequence[Example]],
    folder: Path,
    progress: Progress,
) -> Scores:
    """Train on the first of two parts into a run's folder; return the best scores on the other."""
    elmo, outputs = load_elmo(recipe.elmo), outputs_of(asked, recipe.types)
    rows, dev = (read(examples, outputs, elmo, progress) for examples in parts)
    size, limits = elmo_size(elmo), _limits(rows, outputs)
    del elmo
    torch.manual_seed(recipe.seed)
    log.info("training %s on %d examples", folder.name, len(rows))
    return fit(
        build(recipe, outputs, size=size, texts=len(rows[0].vectors), limits=limits),
        batches=batches_of(rows, [1] * len(rows), size=recipe.optimisation.batch, seed=recipe.seed),
        loss=lambda model, batch: loss(model, batch, rule=outputs.rule),
        evaluate=lambda model: dev_scores(asked, list(parts[1]), numbers(model, dev), outputs),
        settings=recipe.optimisation,
        folder=folder,
        progress=progress,
    )


def _limits(rows: Sequence[Row], outputs: Outputs) -> tuple[float, float] | None:
    """Return the lowest and the highest score that was given, None where scores are not asked."""
    if outputs.rule != "score":
        return None
    given = [float(row.target[0]) for row in rows]
    return min(given), max(given)


def build(
    recipe: ElmoRecipe,
    outputs: Outputs,
    *,
    size: int,
    texts: int,
    limits: tuple[float, float] | None,
) -> ElmoHead:
    """Return the untrained head on vectors of a size, so many texts an example."""
    return ElmoHead(
        size,
        texts=texts,
        hidden=recipe.hidden,
        labels=outputs.size,
        limits=limits,
        dropout=recipe.dropout,
    )


def _vectors(rows: Sequence[Row]) -> Tensor:
    return torch.from_numpy(np.stack([row.vectors for row in rows]))


def loss(model: nn.Module, rows: Sequence[Row], *, rule: Rule) -> Tensor:
    """Return the loss of a batch: `sequence_loss` of the head's numbers."""
    targets = torch.from_numpy(np.stack([row.target for row in rows]))
    return sequence_loss(model(_vectors(rows)), targets, rule)


def numbers(model: nn.Module, rows: Sequence[Row]) -> Iterator[Floats]:
    """Yield what a model gives for each example, (numbers,)."""
    for start in range(0, len(rows), _TOGETHER):
        yield from model(_vectors(rows[start : start + _TOGETHER])).numpy()


def elmo_texts_answers(
    run: Path, asked: Task, examples: Sequence[Example], recipe: ElmoRecipe
) -> Iterator[Example]:
    """Yield the examples with the answers of a finished run."""
    elmo, outputs = load_elmo(recipe.elmo), outputs_of(asked, recipe.types)
    rows = read(examples, outputs, elmo, lambda items, _: items)
    state = load_file(run / WEIGHTS)
    size = elmo_size(elmo)
    limits = (0.0, 1.0) if outputs.rule == "score" else None  # the weights hold its own
    texts = state["layers.0.weight"].shape[1] // size
    model = build(recipe, outputs, size=size, texts=texts, limits=limits)
    model.load_state_dict(state)
    model.eval()
    with torch.inference_mode():
        found = list(numbers(model, rows))
    yield from answers(examples, found, outputs)
