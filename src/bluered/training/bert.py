"""BLUE's fine-tuning of BERT: similarity, inference, relations of a sentence, labelled documents.

After run_bluebert.py, run_bluebert_multi_labels.py and run_bluebert_sts.py of ncbi-nlp/bluebert
(Peng et al. 2019). Each example is read alone, so that a sentence with ten pairs is read ten times;
what is longer than the window is cut off. Published there: 128 pieces, a rate of 5e-5 and batches
of 32 with 10 epochs (relations, inference) or 30 (similarity); 2e-5, batches of 4 and 3 epochs for
the Hallmarks of Cancer; dropout of 0.1 before the last layer (similarity 0.5), warm-up over a tenth
of the steps. There the weights after the last epoch are kept, here those that are best on dev.
"""

import logging
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from msgspec import Struct
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import PreTrainedModel

from bluered.corpora.catalog import task
from bluered.documents.examples import Example
from bluered.encoding.batches import lengths_mask, pad
from bluered.encoding.sequence import SequencePieces, sequence_pieces
from bluered.models.encoder import TypedEncoder, encoder_folder
from bluered.models.sequence import SequenceModel, has_pooler
from bluered.training import sequences
from bluered.training.config import Recipe
from bluered.training.loop import Scores
from bluered.training.sequence_loss import sequence_loss
from bluered.training.sequences import Floats, Outputs, Rule, dev_scores, sequence, targets

log = logging.getLogger(__name__)

TOGETHER = 32
"""Sequences that are read at once when nothing is learned."""


class Row(Struct, frozen=True):
    """A sequence, what a model is to give for it (numbers,), and how that is read."""

    pieces: SequencePieces
    target: Floats
    rule: Rule


def build(recipe: Recipe, encoder: PreTrainedModel) -> SequenceModel:
    """Return the model on an encoder, with the pooler if its checkpoint has one."""
    return SequenceModel(
        TypedEncoder(encoder, kinds=0),
        outputs=_outputs(recipe).size,
        pooled=has_pooler(encoder_folder(recipe.encoder)),
        dropout=recipe.dropout,
    )


def _outputs(recipe: Recipe) -> Outputs:
    return sequences.outputs_of(task(recipe.task), recipe.types)


def rows(examples: Sequence[Example], tokenizer: Tokenizer, recipe: Recipe) -> list[Row]:
    """Return the arrays of each example; the log says how many were too long for the window."""
    outputs = _outputs(recipe)
    read = [sequence(example) for example in examples]
    pieces = [sequence_pieces(s.first, s.second, tokenizer, size=recipe.window) for s in read]
    if cut := sum(p.cut > 0 for p in pieces):
        log.info("%d of %d sequences cut to %d pieces", cut, len(pieces), recipe.window)
    wanted = targets(examples, outputs)
    return [Row(p, target, outputs.rule) for p, target in zip(pieces, wanted, strict=True)]


def length(row: Row) -> int:
    """Return how many pieces a sequence has."""
    return len(row.pieces.ids)


def forward(model: SequenceModel, batch: Sequence[Row]) -> Tensor:
    """Return the numbers of each row, (rows, outputs)."""
    ids = [row.pieces.ids for row in batch]
    arrays = (
        pad(ids, fill=model.padding),
        lengths_mask(ids).astype(np.int64),
        pad([row.pieces.segments for row in batch]),
    )
    return model(*map(torch.from_numpy, arrays))


def loss(model: nn.Module, batch: list[Row]) -> Tensor:
    """Return the loss of a batch (`training.sequence_loss`)."""
    assert isinstance(model, SequenceModel)
    wanted = torch.from_numpy(np.stack([row.target for row in batch]))
    return sequence_loss(forward(model, batch), wanted, batch[0].rule)


def numbers(model: SequenceModel, asked: Sequence[Row]) -> Floats:
    """Return the numbers of rows, (rows, outputs); those of like length are read at once."""
    found = np.zeros((len(asked), model.classify.out_features), dtype=np.float32)
    order = np.argsort([length(row) for row in asked], kind="stable")
    for start in range(0, len(order), TOGETHER):
        chosen = order[start : start + TOGETHER]
        found[chosen] = forward(model, [asked[i] for i in chosen]).float().numpy()
    return found


def evaluation(
    examples: Sequence[Example], tokenizer: Tokenizer, recipe: Recipe
) -> Callable[[nn.Module], Scores]:
    """Return the function that gives a model's score by the task's own metric."""
    asked, outputs = task(recipe.task), _outputs(recipe)
    prepared = rows(examples, tokenizer, recipe)

    def evaluate(model: nn.Module) -> Scores:
        assert isinstance(model, SequenceModel)
        return dev_scores(asked, list(examples), numbers(model, prepared), outputs)

    return evaluate


def answers(
    model: nn.Module,
    examples: Sequence[Example],
    tokenizer: Tokenizer,
    recipe: Recipe,
    _: Scores,
) -> Iterator[Example]:
    """Yield the examples with the model's answers, in the order given."""
    assert isinstance(model, SequenceModel)
    found = numbers(model, rows(examples, tokenizer, recipe))
    return sequences.answers(examples, found, _outputs(recipe))
