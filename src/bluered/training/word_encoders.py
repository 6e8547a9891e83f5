"""What is pre-trained under a model of words: a file of static vectors, ELMo's folder, or a run."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from torch import Tensor

from bluered.errors import ModelError
from bluered.models.elmo import Elmo, concatenated
from bluered.models.elmo_files import read_elmo
from bluered.training.config import BilstmCrfRecipe, ElmoRecipe
from bluered.training.loop import Progress

VECTORS = "vectors.txt"
OPTIONS, WEIGHTS = "options.json", "weights.hdf5"

_TOGETHER = 64
"""Sentences of similar length that ELMo reads at once."""

Words = tuple[str, ...]
Kept = TypeVar("Kept")
WordLevel = TypeVar("WordLevel", bound=BilstmCrfRecipe | ElmoRecipe)


def with_word_encoders(recipe: WordLevel, runs: Path) -> WordLevel:
    """Return a recipe with the encoders of `runs` where those have the names that it gives."""
    if recipe.elmo and ((made := runs / recipe.elmo) / OPTIONS).is_file():
        recipe = replace(recipe, elmo=str(made))
    if isinstance(recipe, BilstmCrfRecipe) and recipe.vectors:
        made = runs / recipe.vectors / VECTORS
        recipe = replace(recipe, vectors=str(made)) if made.is_file() else recipe
    return recipe


def encoder_folders(recipe: BilstmCrfRecipe | ElmoRecipe) -> list[Path]:
    """Return the folders in which the encoders of a recipe lie."""
    vectors = recipe.vectors if isinstance(recipe, BilstmCrfRecipe) else ""
    return [Path(vectors).parent] * bool(vectors) + [Path(recipe.elmo)] * bool(recipe.elmo)


def check_word_encoders(recipe: BilstmCrfRecipe | ElmoRecipe, made: Collection[str]) -> None:
    """Raise ModelError for an encoder that is not there and not among the runs in `made`."""
    vectors = recipe.vectors if isinstance(recipe, BilstmCrfRecipe) else ""
    if vectors and vectors not in made and not Path(vectors).is_file():
        raise ModelError(
            f"no word vectors at {vectors}: expected a file of them, or the run of a recipe that "
            "makes them"
        )
    if recipe.elmo and recipe.elmo not in made:
        elmo_files(recipe.elmo)


def elmo_files(folder: str) -> tuple[Path, Path]:
    """Return the paths of options and weights, or raise ModelError where one is not there."""
    files = Path(folder) / OPTIONS, Path(folder) / WEIGHTS
    if not all(file.is_file() for file in files):
        raise ModelError(
            f"no ELMo at {folder}: expected a folder with {OPTIONS} and {WEIGHTS}, or the run of a "
            "recipe that makes one"
        )
    return files


def load_elmo(folder: str) -> Elmo:
    """Return the ELMo of a folder."""
    return read_elmo(*elmo_files(folder))


def elmo_size(elmo: Elmo) -> int:
    """Return the width of what `embedded` gives for a word: that of all LSTM layers."""
    return (elmo.layers - 1) * elmo.size


def each_word(vectors: Tensor) -> NDArray[np.float16]:
    """Keep the vector of each word, (words, size), in half the memory."""
    return vectors.numpy().astype(np.float16)


def mean_word(vectors: Tensor) -> NDArray[np.float32]:
    """Keep the mean of a text's words, (size,), zero where there is none: a bag of embeddings."""
    return (vectors.sum(dim=0) / max(1, len(vectors))).numpy()


def embedded(
    elmo: Elmo,
    sentences: Sequence[Words],
    keep: Callable[[Tensor], Kept],
    *,
    progress: Progress = lambda items, _: items,
) -> list[Kept]:
    """Return what `keep` leaves of each sentence's vectors (words, size), read once if equal.

    A word's vector is the states of all LSTM layers side by side, as in BLUE.
    """
    distinct = sorted(set(sentences), key=lambda words: (len(words), words))
    starts = range(0, len(distinct), _TOGETHER)
    found: dict[Words, Kept] = {}
    for start in progress(starts, "reading with ELMo"):
        some = distinct[start : start + _TOGETHER]
        for words, layers in zip(some, elmo.embed(some, batch=_TOGETHER), strict=True):
            found[words] = keep(concatenated(layers[1:]))
    return [found[words] for words in sentences]
