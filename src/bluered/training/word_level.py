"""The models on vectors of words, by the recipe that asks for one."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from bluered.documents.document import Document
from bluered.documents.examples import Example
from bluered.training.bilstm_crf import bilstm_crf_answers, train_bilstm_crf
from bluered.training.config import BilstmCrfRecipe, WordLevelRecipe
from bluered.training.loop import Progress, Scores


def train_on_words(recipe: WordLevelRecipe, folder: Path, progress: Progress) -> Scores:
    """Train a recipe into a run's folder; return the dev scores of the best epoch."""
    if isinstance(recipe, BilstmCrfRecipe):
        return train_bilstm_crf(recipe, folder, progress)
    raise NotImplementedError


def answers_on_words(
    run: Path, asked: Sequence[Example], recipe: WordLevelRecipe, dev: Scores
) -> Iterator[Example]:
    """Yield the examples with the answers of a finished run, given the scores chosen on dev."""
    if isinstance(recipe, BilstmCrfRecipe):
        documents = [example for example in asked if isinstance(example, Document)]
        yield from bilstm_crf_answers(run, documents, recipe)
