"""Adapting an encoder to a field: masked-language modelling on its texts, with its words as pieces.

What comes out is a folder like the one that went in, for `encoder` in a recipe or any program that
reads Hugging Face's layout:

    config.json  model.safetensors  tokenizer.json  adapted.json

with the run's own files (recipe.json, log.jsonl, state.pt) beside them.
"""

import logging
from collections.abc import Sequence
from pathlib import Path

import torch
from msgspec import Struct
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch import Tensor
from transformers import PreTrainedModel

from bluered.encoding.tokens import Ints
from bluered.errors import CorpusError, ModelError
from bluered.models.encoder import TypedEncoder, build_encoder, encoder_folder
from bluered.models.language_model import LanguageModel
from bluered.models.tokenizer import encoder_tokenizer
from bluered.training.batching import batches_of
from bluered.training.config import AdaptRecipe
from bluered.training.language_model import Masking, evaluation, loss_of, rows, split_rows
from bluered.training.loop import Progress, Scores, fit
from bluered.training.records import RECIPE, RECORD, check_same, put, taken
from bluered.training.texts import lines_of
from bluered.training.vocabulary import Vocabulary, fitted, fitted_embeddings, pieces_per_word

log = logging.getLogger(__name__)


class Adapted(Struct, frozen=True, kw_only=True):
    """What an adaptation did: `data` holds the sha256 of each text, scores are on held-out rows."""

    recipe: AdaptRecipe
    dev: Scores
    rows: int
    dropped: int
    pieces: int
    pieces_per_word: tuple[float, float]
    data: dict[str, str]


def adapt(
    recipe: AdaptRecipe, folder: Path, *, progress: Progress = lambda items, _: items
) -> Scores:
    """Adapt an encoder into `folder`; a stopped run goes on, a finished one is not done again.

    CorpusError for a text that is not there, ModelError for a folder that holds anything else.
    Text of BioRED's dev and test is dropped line by line.
    """
    check_folder(recipe, folder)
    if (folder / RECORD).is_file():
        return adapted(folder).dev
    start = encoder_folder(recipe.encoder)
    lines, data, dropped = lines_of(recipe.texts)
    if not lines:
        raise CorpusError(f"nothing to learn from in {', '.join(recipe.texts)}: no line of text")
    folder.mkdir(parents=True, exist_ok=True)
    put(folder / RECIPE, recipe)
    old = encoder_tokenizer(start)
    vocabulary = _vocabulary(old, lines, recipe.vocabulary)
    tokenizer = old if vocabulary is None else vocabulary.tokenizer
    whole = rows(lines, tokenizer, window=recipe.window)[: recipe.rows or None]
    made, held_out = split_rows(whole, seed=recipe.seed)
    torch.manual_seed(recipe.seed)
    model = _model(start, recipe, vocabulary)
    masking = Masking(tokenizer)
    log.info("adapting to %d rows, %d lines dropped", len(made), dropped)
    dev = fit(
        model,
        batches=_batches(made, recipe),
        loss=loss_of(masking),
        evaluate=evaluation(held_out, masking),
        settings=recipe.optimisation,
        folder=folder,
        progress=progress,
    )
    _write(model, tokenizer, folder)
    sample = lines[:: max(1, len(lines) // 2000)]
    record = Adapted(
        recipe=recipe,
        dev=dev,
        rows=len(made),
        dropped=dropped,
        pieces=tokenizer.get_vocab_size(),
        pieces_per_word=(
            round(pieces_per_word(old, sample), 3),
            round(pieces_per_word(tokenizer, sample), 3),
        ),
        data=data,
    )
    put(folder / RECORD, record)
    return dev


def adapted(folder: Path) -> Adapted:
    """Return the record of a finished adaptation."""
    return taken(folder / RECORD, Adapted)


def check_folder(recipe: AdaptRecipe, folder: Path) -> None:
    """Raise ModelError where a folder holds what this recipe did not make."""
    if (folder / RECORD).is_file():
        kept = adapted(folder).recipe
    elif (folder / RECIPE).is_file():
        kept = taken(folder / RECIPE, AdaptRecipe)
    elif (folder / "config.json").exists():
        raise ModelError(f"{folder} holds an encoder already: name another folder")
    else:
        return
    check_same(kept, recipe, folder)


def _batches(made: Sequence[Ints], recipe: AdaptRecipe):  # noqa: ANN202 - as `batches_of`
    lengths = [len(row) for row in made]
    return batches_of(made, lengths, size=recipe.optimisation.batch, seed=recipe.seed)


def _vocabulary(old: Tokenizer, lines: Sequence[str], new: int) -> Vocabulary | None:
    return fitted(old, lines, new=new) if new else None


def _model(start: Path, recipe: AdaptRecipe, vocabulary: Vocabulary | None) -> LanguageModel:
    encoder = build_encoder(start, pretrained=True, layers=recipe.layers)
    if vocabulary is not None:
        weights = fitted_embeddings(_embeddings(encoder).detach(), vocabulary)
        encoder.resize_token_embeddings(len(weights), mean_resizing=False)
        with torch.no_grad():
            _embeddings(encoder).copy_(weights)
    return LanguageModel(TypedEncoder(encoder, kinds=0))


def _embeddings(encoder: PreTrainedModel) -> Tensor:
    return encoder.get_input_embeddings().get_parameter("weight")


def _write(model: LanguageModel, tokenizer: Tokenizer, folder: Path) -> None:
    """Write the encoder in Hugging Face's layout, without the part that guesses."""
    encoder = model.encoder.encoder
    encoder.config.save_pretrained(folder)
    weights = {k: v.detach().clone().contiguous() for k, v in encoder.state_dict().items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    tokenizer.save(str(folder / "tokenizer.json"))


def base_of(encoder: str) -> str:
    """Return the encoder that one is in the end made of, whatever it was adapted to on the way."""
    while (Path(encoder) / RECORD).is_file():
        encoder = adapted(Path(encoder)).recipe.encoder
    return encoder
