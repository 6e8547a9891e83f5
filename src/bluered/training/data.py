"""What a recipe learns from: the names that a model card gives, and the checksums of the files."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from bluered.corpora.catalog import task
from bluered.corpora.leakage import without
from bluered.corpora.locate import split_paths
from bluered.training.config import Recipe, TaskRecipe
from bluered.training.held_out import HELD_OUT
from bluered.training.sources import paths_of, source


def trained_on(recipe: TaskRecipe) -> Iterator[str]:
    """Yield what a model has seen the answers of, as a model card names it ("biored:train").

    Of a reader's further corpora the documents that stand in BioRED dev or test are dropped, and
    the names say so.
    """
    yield f"{task(recipe.task).corpus.name}:{recipe.train}"
    for name in further_corpora(recipe):
        yield without(name, HELD_OUT)


def further_corpora(recipe: TaskRecipe) -> tuple[str, ...]:
    """Return the corpora that a recipe names beside its task's."""
    return recipe.corpora if isinstance(recipe, Recipe) else ()


def files_of(recipe: TaskRecipe) -> dict[str, tuple[Path, ...]]:
    """Return the files of each split and further corpus, or raise CorpusError for one not here."""
    entry = task(recipe.task).corpus
    files = {split: split_paths(entry, split) for split in (recipe.train, recipe.dev)}
    return files | {name: paths_of(source(name)) for name in further_corpora(recipe)}


def checksums(recipe: TaskRecipe) -> dict[str, str]:
    """Return the sha256 of the files of each split and further corpus."""
    return {name: _sha256(paths) for name, paths in files_of(recipe).items()}


def _sha256(paths: tuple[Path, ...]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()
