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
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import torch
from msgspec import Struct, structs
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import nn

from bluered.corpora.catalog import Task, task
from bluered.corpora.locate import split_paths
from bluered.documents.examples import Example
from bluered.encoding.tokens import load_tokenizer
from bluered.errors import ModelError
from bluered.models.encoder import build_encoder, encoder_folder
from bluered.tasks.examples import examples
from bluered.training.batching import batches_of
from bluered.training.config import LinearRecipe, Recipe, load_recipe
from bluered.training.kinds import KINDS
from bluered.training.linear import train_linear
from bluered.training.loop import LOG, WEIGHTS, Progress, Scores, fit
from bluered.training.types import types_of

log = logging.getLogger(__name__)

RECIPE = "recipe.toml"
RESULT = "result.json"


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
    encoder = build_encoder(folder, pretrained=pretrained, layers=recipe.layers)
    return KINDS[recipe.model].build(recipe, encoder)


def read_recipe(path: Path) -> Recipe | LinearRecipe:
    """Read a recipe; types that it does not name are those of its task."""
    recipe = load_recipe(path)
    asked = task(recipe.task)
    if isinstance(recipe, LinearRecipe) or recipe.types or recipe.model == "similarity":
        return recipe
    types = types_of(asked, _lazily(asked, recipe.train))
    if not types:
        raise ModelError(f"{path}: name the `types` to learn: {recipe.task} has none")
    return structs.replace(recipe, types=types)


def _lazily(asked: Task, split: str) -> Iterator[Example]:
    """Yield examples without asking for the corpus before the first is wanted."""
    yield from examples(asked, split)


def recipe_of(run: Path) -> Recipe | LinearRecipe:
    """Return the recipe of a finished run, or raise ModelError."""
    if not (run / RESULT).is_file():
        raise ModelError(f"{run} is not a finished run (train its recipe first)")
    return read_recipe(run / RECIPE)


def trained_on(recipe: Recipe | LinearRecipe) -> str:
    """Return what a model has seen the answers of, as a model card names it ("biored:train")."""
    return f"{task(recipe.task).corpus.name}:{recipe.train}"


def all_trained_on(run: Path) -> Iterator[str]:
    """Yield what a run was trained on, and the runs whose weights it started from."""
    recipe = read_recipe(run / RECIPE)
    yield trained_on(recipe)
    if isinstance(recipe, Recipe) and recipe.start_from:
        before = run.parent / recipe.start_from
        if (before / RECIPE).is_file() and before != run:
            yield from all_trained_on(before)


def recipe_tokenizer(recipe: Recipe) -> Tokenizer:
    """Return the tokenizer of a recipe's encoder."""
    return load_tokenizer(encoder_folder(recipe.encoder) / "tokenizer.json")


def load_run(folder: Path) -> tuple[Recipe, nn.Module]:
    """Return the recipe and the trained model of a finished run."""
    recipe = recipe_of(folder)
    if isinstance(recipe, LinearRecipe):
        raise ModelError(f"{folder} is a linear baseline: expected a run of an encoder")
    model = build_model(recipe, pretrained=False)
    model.load_state_dict(load_file(folder / WEIGHTS))
    return recipe, model.eval()


def train(recipe_path: Path, runs: Path, *, progress: Progress = lambda items, _: items) -> Result:
    """Train a recipe into `runs/<name of the recipe>`; a finished run is not done again.

    A stopped run goes on where it was; a folder with another recipe is refused.
    """
    recipe, name = read_recipe(recipe_path), recipe_path.stem
    folder = runs / name
    kept = folder / RECIPE
    if kept.exists() and read_recipe(kept) != recipe:
        raise ModelError(
            f"{folder} holds a run of another recipe: remove it or name another folder"
        )
    if (folder / RESULT).exists():
        return msgspec.json.decode((folder / RESULT).read_bytes(), type=Result)
    _check(recipe, runs)
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(recipe_path, kept)
    if isinstance(recipe, LinearRecipe):
        began = time.monotonic()
        dev, used = train_linear(recipe), ("scikit-learn", "numpy")
        seconds = round(time.monotonic() - began, 1)
    else:
        torch.manual_seed(recipe.seed)
        model = build_model(recipe, pretrained=True)
        if recipe.start_from:
            _take_weights(model, runs / recipe.start_from / WEIGHTS)
        dev = _fit(recipe, model, folder, progress)
        used, seconds = ("torch", "transformers", "tokenizers", "numpy"), _seconds(folder / LOG)
    result = Result(
        name=name,
        dev=dev,
        data={split: _hash(recipe, split) for split in (recipe.train, recipe.dev)},
        versions={package: version(package) for package in used},
        seconds=seconds,
    )
    (folder / RESULT).write_bytes(msgspec.json.format(msgspec.json.encode(result)) + b"\n")
    return result


def _check(recipe: Recipe | LinearRecipe, runs: Path) -> None:
    """Raise the error of the first thing a run needs and lacks, before anything is made."""
    for split in (recipe.train, recipe.dev):
        split_paths(task(recipe.task).corpus, split)
    if isinstance(recipe, LinearRecipe):
        return
    encoder_folder(recipe.encoder)
    if recipe.start_from and not (weights := runs / recipe.start_from / WEIGHTS).is_file():
        raise ModelError(f"no weights at {weights}: train that recipe first")


def _fit(recipe: Recipe, model: nn.Module, folder: Path, progress: Progress) -> Scores:
    kind, tokenizer, asked = KINDS[recipe.model], recipe_tokenizer(recipe), task(recipe.task)
    rows = kind.rows(list(examples(asked, recipe.train)), tokenizer, recipe)
    log.info("training %s on %d rows", folder.name, len(rows))
    return fit(
        model,
        batches=batches_of(
            rows,
            [kind.length(row) for row in rows],
            size=recipe.optimisation.batch,
            seed=recipe.seed,
        ),
        loss=kind.loss,
        evaluate=kind.evaluation(list(examples(asked, recipe.dev)), tokenizer, recipe),
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


def _hash(recipe: Recipe | LinearRecipe, split: str) -> str:
    digest = hashlib.sha256()
    for path in split_paths(task(recipe.task).corpus, split):
        digest.update(path.read_bytes())
    return digest.hexdigest()
