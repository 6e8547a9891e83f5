"""Whether a bundle finds what the torch model it was made of finds, on real documents."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from msgspec import Struct
from msgspec.structs import replace

from bluered.corpora.catalog import task
from bluered.documents.document import Document, Entity
from bluered.errors import ModelError
from bluered.inference.bundle import load_bundle
from bluered.inference.relations import Relater, softmax
from bluered.inference.tagger import Tagger
from bluered.models.reader import Reader
from bluered.pipeline.load import reader_of
from bluered.tasks.examples import examples
from bluered.training import reader as training
from bluered.training.known_names import KnownNames
from bluered.training.run import load_run, recipe_tokenizer


class Agreement(Struct, frozen=True):
    """What a bundle and its torch model find in the same documents, and what both do.

    Relations are between gold concepts, with type and novelty. `difference` is the greatest of the
    two models' probabilities of any relation, over all pairs.
    """

    documents: int
    mentions: tuple[int, int, int]
    relations: tuple[int, int, int]
    difference: float


def verify(run: Path, folder: Path, *, most: int = 100) -> Agreement:
    """Compare a bundle with the reader's run it was made of, on dev documents of its task.

    Both read with the bundle's overlap of windows and decide by its threshold.
    """
    bundle = load_bundle(folder, verify=True)
    recipe, model = load_run(run)
    if not isinstance(model, Reader):
        raise ModelError(f"{run} is a run of a {recipe.model}: expected a reader's")
    settings = bundle.settings
    recipe = replace(recipe, overlap=settings.overlap)
    found = (d for d in examples(task(recipe.task), recipe.dev) if isinstance(d, Document))
    documents = [document for document, _ in zip(found, range(most), strict=False)]
    reader = reader_of(bundle)
    tagger, relater = Tagger(reader), Relater(reader, threads=1)
    tokenizer, names = recipe_tokenizer(recipe), KnownNames(documents)
    given = training.Given(recipe, tokenizer, names, training.words_of(recipe))
    mentions, relations, difference = np.zeros(3, int), np.zeros(3, int), 0.0
    for document in documents:
        with torch.inference_mode():
            theirs = training.chances(model, document, given)
        mentions += _shared(_spans(tagger.mentions(document)), _spans(theirs.mentions))
        scored = relater.scores(document)
        if scored is not None and theirs.types is not None:
            ours = softmax(scored.types)
            difference = max(difference, float(np.abs(ours - theirs.types)[:, 0].max()))
            relations += _shared(
                _told(ours, scored.novelty, settings.relations.threshold),
                _told(theirs.types, theirs.novelty, settings.relations.threshold),
            )
    return Agreement(
        len(documents), tuple(mentions.tolist()), tuple(relations.tolist()), round(difference, 4)
    )


def _spans(entities: Sequence[Entity]) -> set[object]:
    return {(e.start, e.end, e.type) for e in entities}


def _told(chances: np.ndarray, novelty: np.ndarray, threshold: float) -> set[object]:
    said = np.flatnonzero(1 - chances[:, 0] >= threshold).tolist()
    kinds, news = chances[:, 1:].argmax(axis=1), novelty.argmax(axis=1)
    return {(row, int(kinds[row]), int(news[row])) for row in said}


def _shared(ours: set[object], theirs: set[object]) -> np.ndarray:
    return np.asarray([len(ours), len(theirs), len(ours & theirs)])
