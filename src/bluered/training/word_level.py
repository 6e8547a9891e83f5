"""The models on vectors of words, by the recipe that asks for one."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from bluered.corpora.catalog import Task, task
from bluered.documents.document import Document
from bluered.documents.examples import Example
from bluered.errors import ModelError
from bluered.tasks.examples import examples
from bluered.training.bilstm_crf import bilstm_crf_answers, train_bilstm_crf
from bluered.training.config import BilstmCrfRecipe, WordLevelRecipe
from bluered.training.elmo_tagger import elmo_tagger_answers, train_elmo_tagger
from bluered.training.elmo_texts import elmo_texts_answers, train_elmo_texts
from bluered.training.loop import Progress, Scores

_OF_DOCUMENTS = ("named-entities", "document-relations")
"""Types of task whose examples are documents, in which a model of words finds the mentions."""


def train_on_words(recipe: WordLevelRecipe, folder: Path, progress: Progress) -> Scores:
    """Train a recipe into a run's folder; return the dev scores of the best epoch."""
    asked = task(recipe.task)
    if isinstance(recipe, BilstmCrfRecipe):
        parts = _documents_of(asked, recipe)
        return train_bilstm_crf(recipe, parts, folder, progress)
    if asked.entry.type in _OF_DOCUMENTS:
        return train_elmo_tagger(recipe, _documents_of(asked, recipe), folder, progress)
    texts = list(examples(asked, recipe.train)), list(examples(asked, recipe.dev))
    return train_elmo_texts(recipe, asked, texts, folder, progress)


def answers_on_words(
    run: Path, asked: Sequence[Example], recipe: WordLevelRecipe
) -> Iterator[Example]:
    """Yield the examples with the answers of a finished run."""
    about = task(recipe.task)
    documents = [example for example in asked if isinstance(example, Document)]
    if isinstance(recipe, BilstmCrfRecipe):
        yield from bilstm_crf_answers(run, documents, recipe)
    elif about.entry.type in _OF_DOCUMENTS:
        yield from elmo_tagger_answers(run, documents, recipe)
    else:
        yield from elmo_texts_answers(run, about, asked, recipe)


def _documents_of(asked: Task, recipe: WordLevelRecipe) -> tuple[list[Document], list[Document]]:
    if asked.entry.type not in _OF_DOCUMENTS:
        raise ModelError(
            f"{asked.name} is a task of {asked.entry.type}: {recipe.model} finds named entities"
        )
    train, dev = (
        [example for example in examples(asked, part) if isinstance(example, Document)]
        for part in (recipe.train, recipe.dev)
    )
    return train, dev
