"""Pre-training an ELMo on texts: the bidirectional language model of Peters et al. 2018, small.

What comes out is an ELMo's two files, for every program that reads them, and beside them the words
that were guessed and the record:

    options.json  weights.hdf5  vocabulary.txt  adapted.json

with the run's own files (recipe.json, log.jsonl, state.pt). Other than in the original, a sentence
is read from its begin to its end, and nothing is carried on from one to the next; there is no
dropout, since a text is read once or a few times.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from itertools import chain
from math import exp
from pathlib import Path

import numpy as np
import torch
from msgspec import Struct
from torch import Tensor, nn

from bluered.encoding.batches import pad
from bluered.encoding.tokens import Ints
from bluered.errors import CorpusError, ModelError
from bluered.models.bidirectional import BidirectionalLanguageModel
from bluered.models.elmo import CharacterOptions, Elmo, ElmoOptions, EmbeddingOptions, LstmOptions
from bluered.models.elmo_files import check_options, read_elmo, write_elmo
from bluered.training.batching import batches_of
from bluered.training.config import NEW_ELMO, BidirectionalRecipe, ElmoSizes
from bluered.training.elmo_text import Text, first_sentences, numbered
from bluered.training.language_model import split_rows
from bluered.training.loop import Progress, Scores, fit
from bluered.training.records import RECIPE, RECORD, check_same, put, taken
from bluered.training.texts import lines_of

log = logging.getLogger(__name__)

OPTIONS, WEIGHTS, VOCABULARY = "options.json", "weights.hdf5", "vocabulary.txt"


class PretrainedElmo(Struct, frozen=True, kw_only=True):
    """What a pre-training did: `data` holds the sha256 of each text, scores are on held-out rows.

    `words` counts those of the `rows` that were learned from, `unknown` is the share of them that
    are not in the `vocabulary`, marks not counted.
    """

    recipe: BidirectionalRecipe
    dev: Scores
    rows: int
    held_out: int
    words: int
    dropped: int
    vocabulary: int
    unknown: float
    data: dict[str, str]


def pretrain_elmo(
    recipe: BidirectionalRecipe, folder: Path, *, progress: Progress = lambda items, _: items
) -> Scores:
    """Pre-train an ELMo into `folder`; a stopped run goes on, a finished one is not done again.

    Scores on held-out sentences: `accuracy`, the share of words that both directions guess, the
    cross-entropy in nats, and each direction's perplexity. Errors are those of `training.adapt`.
    """
    check_folder(recipe, folder)
    if (folder / RECORD).is_file():
        return pretrained(folder).dev
    check_start(recipe)
    torch.manual_seed(recipe.seed)
    elmo = start_of(recipe)
    lines, data, dropped = lines_of(recipe.texts)
    text = _text(recipe, lines, width=elmo.options.char_cnn.max_characters_per_token)
    folder.mkdir(parents=True, exist_ok=True)
    put(folder / RECIPE, recipe)
    model = BidirectionalLanguageModel(elmo, vocabulary=len(text.vocabulary))
    log.info("pre-training on %d sentences, %d lines dropped", len(text.rows), dropped)
    dev = fit(
        model,
        batches=batches_of(
            text.rows,
            [len(row) for row in text.rows],
            size=recipe.optimisation.batch,
            seed=recipe.seed,
        ),
        loss=loss_of(text),
        evaluate=evaluation(text),
        settings=recipe.optimisation,
        folder=folder,
        progress=progress,
    )
    write_elmo(elmo, folder / OPTIONS, folder / WEIGHTS)
    guessed = "".join(f"{word}\n" for word in text.vocabulary)
    (folder / VOCABULARY).write_bytes(guessed.encode("utf-8", "replace"))
    inside = np.concatenate([text.targets[row[1:-1]] for row in text.rows])
    record = PretrainedElmo(
        recipe=recipe,
        dev=dev,
        rows=len(text.rows),
        held_out=len(text.held_out),
        words=len(inside),
        dropped=dropped,
        vocabulary=len(text.vocabulary) - 3,
        unknown=round(float((inside == text.vocabulary.index("<UNK>")).mean()), 4),
        data=data,
    )
    put(folder / RECORD, record)
    return dev


def pretrained(folder: Path) -> PretrainedElmo:
    """Return the record of a finished pre-training."""
    return taken(folder / RECORD, PretrainedElmo)


def check_folder(recipe: BidirectionalRecipe, folder: Path) -> None:
    """Raise ModelError where a folder holds what this recipe did not make."""
    if (folder / RECIPE).is_file():
        check_same(taken(folder / RECIPE, BidirectionalRecipe), recipe, folder)
    elif any((folder / name).exists() for name in (OPTIONS, "config.json")):
        raise ModelError(f"{folder} holds an encoder already: name another folder")


def check_start(recipe: BidirectionalRecipe, made: Collection[str] = ()) -> None:
    """Raise ModelError where a new one's sizes do not fit, or the one to go on from is not there.

    Those that earlier recipes make (`made`) need not be there yet.
    """
    if recipe.encoder == NEW_ELMO:
        check_options(options_of(recipe.sizes), "sizes")
    elif recipe.encoder not in made:
        for name in (OPTIONS, WEIGHTS):
            if not (Path(recipe.encoder) / name).is_file():
                raise ModelError(
                    f"no ELMo at {recipe.encoder}: expected {NEW_ELMO} for a new one, or a folder "
                    f"with {OPTIONS} and {WEIGHTS}"
                )


def start_of(recipe: BidirectionalRecipe) -> Elmo:
    """Return the ELMo that a recipe begins with, a new one by torch's chance."""
    if recipe.encoder != NEW_ELMO:
        folder = Path(recipe.encoder)
        return read_elmo(folder / OPTIONS, folder / WEIGHTS)
    return Elmo(options_of(recipe.sizes))


def options_of(sizes: ElmoSizes) -> ElmoOptions:
    """Return sizes by the names of the original options.json."""
    return ElmoOptions(
        CharacterOptions(
            EmbeddingOptions(sizes.characters), sizes.filters, n_highway=sizes.highways
        ),
        LstmOptions(
            dim=sizes.cells,
            projection_dim=sizes.projection,
            n_layers=sizes.layers,
            cell_clip=sizes.clip,
            proj_clip=sizes.clip,
            use_skip_connections=True,
        ),
    )


def _text(recipe: BidirectionalRecipe, lines: Sequence[str], *, width: int) -> Text:
    """Return the sentences of the lines; those held out are of other lines than those learned."""
    by_line = first_sentences(lines, longest=recipe.window, limit=recipe.rows)
    learned, held_out = (list(chain(*part)) for part in split_rows(by_line, seed=recipe.seed))
    if not learned or not held_out:
        raise CorpusError(
            f"too little to learn from in {', '.join(recipe.texts)}: expected two lines of text"
        )
    return numbered(learned, held_out, size=recipe.vocabulary, width=width)


def _arrays(batch: Sequence[Ints], text: Text) -> tuple[Tensor, Tensor]:
    """Return what the model is given of a batch: characters, and the words it is to guess."""
    places = pad(batch)
    characters = torch.from_numpy(text.characters[places].astype(np.int64))
    return characters, torch.from_numpy(text.targets[places])


def loss_of(text: Text) -> Callable[[nn.Module, list[Ints]], Tensor]:
    """Return the function that gives the mean cross-entropy of both directions on a batch."""

    def loss(model: nn.Module, batch: list[Ints]) -> Tensor:
        return -model(*_arrays(batch, text)).mean()

    return loss


def evaluation(text: Text) -> Callable[[nn.Module], Scores]:
    """Return the function that scores a model on the sentences held out."""

    def evaluate(model: nn.Module) -> Scores:
        assert isinstance(model, BidirectionalLanguageModel)
        right = count = 0
        entropy = torch.zeros(2)
        order = sorted(text.held_out, key=len)
        for start in range(0, len(order), 32):
            states, asked = model.asked(*_arrays(order[start : start + 32], text))
            said, words = states.flatten(0, 1), asked.flatten()
            entropy -= model.output(said, words).output.unflatten(0, (2, -1)).sum(dim=1)
            right += int((model.output.predict(said) == words).sum())
            count += asked.shape[1]
        return {
            "accuracy": round(right / (2 * count), 4),
            "entropy": round(float(entropy.mean()) / count, 4),
            "forward_perplexity": round(exp(float(entropy[0]) / count), 2),
            "backward_perplexity": round(exp(float(entropy[1]) / count), 2),
        }

    return evaluate
