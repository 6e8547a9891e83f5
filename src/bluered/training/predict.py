"""What a trained run answers on the examples of a task."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import torch
from msgspec.structs import replace

from bluered.documents.document import Document
from bluered.documents.examples import Example
from bluered.errors import ModelError
from bluered.tasks.examples import without_answers
from bluered.training.config import (
    LinearRecipe,
    TextRecipe,
    WordLevelRecipe,
    WordsRecipe,
    load_recipe,
)
from bluered.training.kinds import KINDS
from bluered.training.linear import linear_answers
from bluered.training.run import (
    RECIPE,
    RESULT,
    Result,
    load_run,
    recipe_of,
    recipe_tokenizer,
)
from bluered.training.word_level import answers_on_words
from bluered.training.words import words_answers


def predict(run: Path, examples: Sequence[Example]) -> Iterator[Example]:
    """Yield the examples with the answers of a finished run; what they hold is not looked at.

    Models of relations are given the entities of a document.
    """
    settings = recipe_of(run)
    dev = msgspec.json.decode((run / RESULT).read_bytes(), type=Result).dev
    if isinstance(settings, LinearRecipe):
        yield from linear_answers(settings, examples, dev)
        return
    asked = [_asked(example, settings.model) for example in examples]
    if isinstance(settings, WordsRecipe):
        documents = [example for example in asked if isinstance(example, Document)]
        yield from words_answers(run, documents, recipe_tokenizer(settings), settings, dev)
        return
    if isinstance(settings, WordLevelRecipe):
        yield from answers_on_words(run, asked, settings)
        return
    recipe, model = load_run(run)
    tokenizer = recipe_tokenizer(recipe)
    with torch.inference_mode():
        yield from KINDS[recipe.model].answers(model, asked, tokenizer, recipe, dev)


def _asked(example: Example, model: str) -> Example:
    """Return an example as a model may see it: relations are between given entities."""
    if isinstance(example, Document) and model in _RELATE:
        return replace(example, relations=(), mention_relations=())
    return without_answers(example)


_RELATE = ("reader", "relations", "pair-words")


def find_run(folder: Path, task: str) -> Path | None:
    """Return the finished run for a task in a folder of runs; two of them are an error."""
    found = [
        path.parent for path in sorted(folder.glob(f"*/{RESULT}")) if _task(path.parent) == task
    ]
    if len(found) > 1:
        names = " and ".join(path.name for path in found)
        raise ModelError(f"{folder} holds several runs for {task} ({names}): keep one there")
    return found[0] if found else None


def _task(run: Path) -> str | None:
    """Return the task of a run, None for one on texts alone."""
    recipe = load_recipe(run / RECIPE)
    return None if isinstance(recipe, TextRecipe) else recipe.task
