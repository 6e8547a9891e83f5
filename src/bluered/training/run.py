"""One training run: a recipe in, a folder with the best weights and how they came about out.

runs/<name>/recipe.toml        the recipe, as it was
runs/<name>/best.safetensors   the weights that scored best on dev
runs/<name>/result.json        dev scores, data checksums, library versions, seconds
runs/<name>/log.jsonl          one line per epoch
runs/<name>/state.pt           what a stopped run goes on from
"""

import hashlib
import json
import logging
import shutil
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import torch
from msgspec import Struct
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import nn

from bluered import corpora
from bluered.corpora.catalog import corpus
from bluered.corpora.locate import split_paths
from bluered.encoding.marking import KINDS
from bluered.encoding.tags import tag_count
from bluered.encoding.tokens import load_tokenizer
from bluered.errors import ModelError
from bluered.models.encoder import TypedEncoder, build_encoder, encoder_folder
from bluered.models.relations import RelationModel
from bluered.models.tagger import Tagger
from bluered.training import relations, tagger
from bluered.training.config import Recipe, load_recipe
from bluered.training.loop import LOG, WEIGHTS, Scores, fit

log = logging.getLogger(__name__)

RECIPE = "recipe.toml"
RESULT = "result.json"
Progress = Callable[[Iterable[Any], str], Iterable[Any]]


class Result(Struct, frozen=True, kw_only=True):
    """What a run gave, and on what: `data` holds the sha256 of each split's file."""

    name: str
    dev: Scores
    data: dict[str, str]
    versions: dict[str, str]
    seconds: float


def build_model(recipe: Recipe, *, pretrained: bool) -> nn.Module:
    """Return the untrained model of a recipe on its encoder."""
    folder = encoder_folder(recipe.encoder)
    base = build_encoder(folder, pretrained=pretrained, layers=recipe.layers)
    if recipe.model == "tagger":
        encoder = TypedEncoder(base, kinds=0)
        return Tagger(encoder, tags=tag_count(recipe.types), dropout=recipe.dropout)
    if recipe.model == "relations":
        encoder = TypedEncoder(base, kinds=KINDS)
        return RelationModel(encoder, types=len(recipe.types), dropout=recipe.dropout)
    raise ModelError(f"no model '{recipe.model}': expected 'tagger' or 'relations'")


def recipe_tokenizer(recipe: Recipe) -> Tokenizer:
    """Return the tokenizer of a recipe's encoder."""
    return load_tokenizer(encoder_folder(recipe.encoder) / "tokenizer.json")


def load_run(folder: Path) -> tuple[Recipe, nn.Module]:
    """Return the recipe and the trained model of a finished run."""
    if not (folder / RESULT).is_file():
        raise ModelError(f"{folder} is not a finished run (train its recipe first)")
    recipe = load_recipe(folder / RECIPE)
    model = build_model(recipe, pretrained=False)
    model.load_state_dict(load_file(folder / WEIGHTS))
    return recipe, model.eval()


def train(recipe_path: Path, runs: Path, *, progress: Progress = lambda items, _: items) -> Result:
    """Train a recipe into `runs/<name of the recipe>`; a finished run is not done again.

    A stopped run goes on where it was; a folder with another recipe is refused.
    """
    recipe, name = load_recipe(recipe_path), recipe_path.stem
    folder = runs / name
    kept = folder / RECIPE
    if kept.exists() and load_recipe(kept) != recipe:
        raise ModelError(
            f"{folder} holds a run of another recipe: remove it or name another folder"
        )
    if (folder / RESULT).exists():
        return msgspec.json.decode((folder / RESULT).read_bytes(), type=Result)
    _check(recipe, runs)
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(recipe_path, kept)
    torch.manual_seed(recipe.seed)
    model = build_model(recipe, pretrained=True)
    if recipe.start_from:
        _take_weights(model, runs / recipe.start_from / WEIGHTS)
    dev = _fit(recipe, model, folder, progress)
    result = Result(
        name=name,
        dev=dev,
        data={split: _hash(recipe.corpus, split) for split in (recipe.train, recipe.dev)},
        versions={p: version(p) for p in ("torch", "transformers", "tokenizers", "numpy")},
        seconds=_seconds(folder / LOG),
    )
    (folder / RESULT).write_bytes(msgspec.json.format(msgspec.json.encode(result)) + b"\n")
    return result


def _check(recipe: Recipe, runs: Path) -> None:
    """Raise the error of the first thing a run needs and lacks, before anything is made."""
    for split in (recipe.train, recipe.dev):
        split_paths(corpus(recipe.corpus), split)
    encoder_folder(recipe.encoder)
    if recipe.start_from and not (weights := runs / recipe.start_from / WEIGHTS).is_file():
        raise ModelError(f"no weights at {weights}: train that recipe first")


def _fit(recipe: Recipe, model: nn.Module, folder: Path, progress: Progress) -> Scores:
    tokenizer = recipe_tokenizer(recipe)
    documents = list(corpora.documents(recipe.corpus, recipe.train))
    dev = list(corpora.documents(recipe.corpus, recipe.dev))
    log.info("training %s on %d documents", folder.name, len(documents))
    if recipe.model == "tagger":
        examples = tagger.examples(documents, tokenizer, recipe)
        return fit(
            model,
            batches=tagger.batches_of(examples, recipe),
            loss=tagger.loss,
            evaluate=tagger.evaluation(dev, tokenizer, recipe),
            settings=recipe.optimisation,
            folder=folder,
            progress=progress,
        )
    rows = [relations.example(document, tokenizer, recipe) for document in documents]
    return fit(
        model,
        batches=relations.batches_of(rows, recipe),
        loss=relations.loss,
        evaluate=relations.evaluation(dev, tokenizer, recipe),
        settings=recipe.optimisation,
        folder=folder,
        progress=progress,
    )


def _take_weights(model: nn.Module, weights: Path) -> None:
    """Give the model the weights of another run that it has by the same name and shape.

    A relation model takes a tagger's encoder so; a model of fewer layers all but the upper ones.
    """
    if not weights.is_file():
        raise ModelError(f"no weights at {weights}: train that recipe first")
    own = model.state_dict()
    given = load_file(weights)
    taken = {k: v for k, v in given.items() if k in own and own[k].shape == v.shape}
    if not any(key.startswith("encoder.encoder.") for key in taken):
        raise ModelError(f"{weights} holds no encoder that fits this recipe's")
    model.load_state_dict(taken, strict=False)


def _seconds(path: Path) -> float:
    """Return how long the epochs took, those before an interruption too."""
    with path.open(encoding="utf-8") as file:
        return round(sum(json.loads(line)["seconds"] for line in file), 1)


def _hash(name: str, split: str) -> str:
    digest = hashlib.sha256()
    for path in split_paths(corpus(name), split):
        digest.update(path.read_bytes())
    return digest.hexdigest()
