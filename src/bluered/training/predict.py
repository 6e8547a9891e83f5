"""What a trained run answers on the examples of a task."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
import torch
from msgspec.structs import replace

from bluered.documents.document import Document
from bluered.documents.examples import Example
from bluered.errors import ModelError
from bluered.tasks.examples import without_answers
from bluered.training.config import (
    PAIR_MODELS,
    LinearRecipe,
    Recipe,
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

    Models of relations are given the entities of a document. Of a model of types alone that names a
    run for novelty, that run says which of the relations are novel.
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
    if settings.decides == "novelty":
        raise ModelError(
            f"{run} decides which relations are novel, and finds none: name it as `novelty_run` in "
            "the recipe of a model of types"
        )
    recipe, model = load_run(run)
    told = novelty_of(recipe, run) if recipe.novelty_run else None
    with torch.inference_mode():
        tokenizer = recipe_tokenizer(recipe)
        for found in KINDS[recipe.model].answers(model, asked, tokenizer, recipe, dev):
            yield from [found] if told is None else told(found)


def novelty_of(settings: Recipe, run: Path) -> Callable[[Example], Iterator[Example]]:
    """Return the function that says which relations of a document are novel."""
    recipe, model = load_run(Path(settings.novelty_run))
    if recipe.decides != "novelty":
        raise ModelError(
            f"{run} names {settings.novelty_run} for novelty: expected a run of a recipe with "
            'decides = "novelty"'
        )
    tokenizer, answers = recipe_tokenizer(recipe), KINDS[recipe.model].answers
    return lambda document: answers(model, [document], tokenizer, recipe, {})


def _asked(example: Example, model: str) -> Example:
    """Return an example as a model may see it: relations are between given entities."""
    if isinstance(example, Document) and model in _RELATE:
        return replace(example, relations=(), mention_relations=())
    return without_answers(example)


_RELATE = ("reader", "pair-words", *PAIR_MODELS)


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
    """Return the task of a run, None for one that answers none: of texts, of novelty alone."""
    recipe = load_recipe(run / RECIPE)
    if isinstance(recipe, TextRecipe):
        return None
    return None if getattr(recipe, "decides", "") == "novelty" else recipe.task
