"""One training run: a recipe in, a folder with the best weights and how they came about out.

runs/<name>/recipe.toml        the recipe, as it was
runs/<name>/best.safetensors   the weights that scored best on dev
runs/<name>/result.json        dev scores, data checksums, library versions, seconds
runs/<name>/log.jsonl          one line per epoch
runs/<name>/state.pt           what a stopped run goes on from

A run of a language model also is a folder of its encoder (`training.adapt`); recipes that are
trained after it name it as their `encoder`.
"""

import logging
import shutil
import time
from collections.abc import Collection, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

import msgspec
import torch
from msgspec import Struct, structs
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import nn

from bluered.corpora.catalog import Task, task
from bluered.documents.examples import Example
from bluered.encoding.tokens import load_tokenizer
from bluered.errors import ModelError
from bluered.models.encoder import build_encoder, encoder_folder
from bluered.tasks.examples import examples
from bluered.training.adapt import adapt, adapted, check_texts
from bluered.training.batching import batches_of
from bluered.training.config import (
    AdaptRecipe,
    AnyRecipe,
    LinearRecipe,
    Recipe,
    TaskRecipe,
    WordsRecipe,
    load_recipe,
)
from bluered.training.data import checksums, files_of, trained_on
from bluered.training.kinds import KINDS
from bluered.training.linear import train_linear
from bluered.training.loop import WEIGHTS, Progress, Scores, fit, read_log
from bluered.training.types import types_of
from bluered.training.words import WEIGHTS as WORDS
from bluered.training.words import train_words

log = logging.getLogger(__name__)

RECIPE = "recipe.toml"
RESULT = "result.json"


class Result(Struct, frozen=True, kw_only=True):
    """What a run gave, and on what: `data` holds the sha256 of each split, corpus or text."""

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


def read_recipe(path: Path, *, runs: Path) -> AnyRecipe:
    """Read a recipe; types that it does not name are those of its task.

    Where `runs` holds an encoder of the name that it gives, that is the encoder.
    """
    recipe = load_recipe(path)
    if isinstance(recipe, LinearRecipe):
        task(recipe.task)
        return recipe
    if ((made := runs / recipe.encoder) / "config.json").is_file():
        recipe = structs.replace(recipe, encoder=str(made))
    if isinstance(recipe, AdaptRecipe):
        return recipe
    asked = task(recipe.task)
    if isinstance(recipe, WordsRecipe):
        return recipe
    if recipe.words:
        recipe = structs.replace(recipe, words=str(runs / recipe.words / WORDS))
    if recipe.types or asked.entry.type == "sentence-similarity":
        return recipe
    types = types_of(asked, _lazily(asked, recipe.train))
    if not types:
        raise ModelError(f"{path}: name the `types` to learn: {recipe.task} has none")
    return structs.replace(recipe, types=types)


def _lazily(asked: Task, split: str) -> Iterator[Example]:
    """Yield examples without asking for the corpus before the first is wanted."""
    yield from examples(asked, split)


def recipe_of(run: Path) -> TaskRecipe:
    """Return the recipe of a finished run of a task, or raise ModelError."""
    if not (run / RESULT).is_file():
        raise ModelError(f"{run} is not a finished run (train its recipe first)")
    recipe = read_recipe(run / RECIPE, runs=run.parent)
    if isinstance(recipe, AdaptRecipe):
        raise ModelError(f"{run} is an adapted encoder, which answers nothing: train a task on it")
    return recipe


def all_trained_on(run: Path) -> Iterator[str]:
    """Yield what a run was trained on, and the runs whose weights it started from.

    The texts that its encoder was adapted to have no answers and are not named.
    """
    for stage in stages_of(run):
        recipe = read_recipe(stage / RECIPE, runs=run.parent)
        if not isinstance(recipe, AdaptRecipe):
            yield from trained_on(recipe)


def stages_of(run: Path) -> Iterator[Path]:
    """Yield a run and then those that it was made of: weights, words, encoder, as far as kept."""
    yield run
    recipe = read_recipe(run / RECIPE, runs=run.parent)
    if not isinstance(recipe, Recipe):
        return
    names = (recipe.words and Path(recipe.words).parent.name, recipe.start_from)
    for before in [run.parent / name for name in names if name]:
        if (before / RECIPE).is_file() and before != run:
            yield from stages_of(before)
    if (Path(recipe.encoder) / RECIPE).is_file() and not recipe.start_from:
        yield Path(recipe.encoder)


def recipe_tokenizer(recipe: Recipe | WordsRecipe) -> Tokenizer:
    """Return the tokenizer of a recipe's encoder."""
    return load_tokenizer(encoder_folder(recipe.encoder) / "tokenizer.json")


def load_run(folder: Path) -> tuple[Recipe, nn.Module]:
    """Return the recipe and the trained model of a finished run."""
    recipe = recipe_of(folder)
    if not isinstance(recipe, Recipe):
        raise ModelError(f"{folder} is a linear model: expected a run of an encoder")
    model = build_model(recipe, pretrained=False)
    model.load_state_dict(load_file(folder / WEIGHTS))
    return recipe, model.eval()


def train(recipe_path: Path, runs: Path, *, progress: Progress = lambda items, _: items) -> Result:
    """Train a recipe into `runs/<name of the recipe>`; a finished run is not done again.

    A stopped run goes on where it was; a folder with another recipe is refused.
    """
    check([recipe_path], runs)
    recipe, folder = read_recipe(recipe_path, runs=runs), runs / recipe_path.stem
    if (folder / RESULT).exists():
        return msgspec.json.decode((folder / RESULT).read_bytes(), type=Result)
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / RECIPE).exists():
        shutil.copyfile(recipe_path, folder / RECIPE)
    began = time.monotonic()
    if isinstance(recipe, LinearRecipe):
        dev = train_linear(recipe)
    elif isinstance(recipe, AdaptRecipe):
        dev = adapt(recipe, folder, progress=progress)
    elif isinstance(recipe, WordsRecipe):
        dev = train_words(recipe, recipe_tokenizer(recipe), folder)
    else:
        dev = _train(recipe, runs, folder, progress)
    by_epoch = [record["seconds"] for record in read_log(folder)]  # those before a stop too
    result = Result(
        name=recipe_path.stem,
        dev=dev,
        data=adapted(folder).data if isinstance(recipe, AdaptRecipe) else checksums(recipe),
        versions={package: version(package) for package in _packages(recipe)},
        seconds=round(sum(by_epoch) if by_epoch else time.monotonic() - began, 1),
    )
    (folder / RESULT).write_bytes(msgspec.json.format(msgspec.json.encode(result)) + b"\n")
    return result


def check(recipes: Sequence[Path], runs: Path) -> None:
    """Raise the error of the first thing that recipes need and lack, before hours of training.

    What an earlier one of them makes need not be there. Finished runs are left as they are.
    """
    made: set[str] = set()
    for path in recipes:
        recipe, folder = read_recipe(path, runs=runs), runs / path.stem
        kept = folder / RECIPE
        if kept.exists() and read_recipe(kept, runs=runs) != recipe:
            raise ModelError(
                f"{folder} holds a run of another recipe: remove it or name another folder"
            )
        if not (folder / RESULT).exists():
            _check(recipe, runs, made)
        made.add(path.stem)


def _check(recipe: AnyRecipe, runs: Path, made: Collection[str]) -> None:
    if isinstance(recipe, AdaptRecipe):
        check_texts(recipe.texts)
    else:
        files_of(recipe)
    if isinstance(recipe, LinearRecipe):
        return
    if recipe.encoder not in made:
        encoder_folder(recipe.encoder)
    if not isinstance(recipe, Recipe):
        return
    needed = [runs / recipe.start_from / WEIGHTS] if recipe.start_from else []
    needed += [Path(recipe.words)] if recipe.words else []
    for weights in needed:
        if weights.parent.name not in made and not weights.is_file():
            raise ModelError(f"no weights at {weights}: train that recipe first")
    if recipe.words and (words := Path(recipe.words).with_name(RECIPE)).is_file():
        _check_words(recipe, words)


def _check_words(recipe: Recipe, path: Path) -> None:
    """Raise ModelError unless the words say of pairs what the reader says, in the same order."""
    words = load_recipe(path)
    if not isinstance(words, WordsRecipe) or words.relations != recipe.relations:
        raise ModelError(f"{path}: expected pair words of {', '.join(recipe.relations)}")


def _packages(recipe: AnyRecipe) -> tuple[str, ...]:
    if isinstance(recipe, LinearRecipe):
        return ("scikit-learn", "numpy")
    if isinstance(recipe, WordsRecipe):
        return ("scipy", "tokenizers", "numpy")
    return ("torch", "transformers", "tokenizers", "numpy")


def _train(recipe: Recipe, runs: Path, folder: Path, progress: Progress) -> Scores:
    torch.manual_seed(recipe.seed)
    model = build_model(recipe, pretrained=True)
    if recipe.start_from:
        _take_weights(model, runs / recipe.start_from / WEIGHTS)
    return _fit(recipe, model, folder, progress)


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
