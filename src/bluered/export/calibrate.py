"""What a bundle's scores mean, found out on dev: the threshold of relations, and temperatures."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from bluered.corpora.catalog import task
from bluered.documents.document import Document
from bluered.inference.bundle import Settings, load_bundle
from bluered.inference.reading import Reader
from bluered.inference.relations import Relater, softmax
from bluered.inference.tagger import Tagger
from bluered.metrics.calibration import fit_temperature
from bluered.pipeline.load import reader_of
from bluered.tasks.examples import examples
from bluered.training.config import Recipe
from bluered.training.pair_targets import IGNORED, PairTargets, biored
from bluered.training.relation_scores import Judged, relation_scores


def calibrated(folder: Path, recipe: Recipe) -> Settings:
    """Return the bundle's settings with threshold and temperatures fitted to dev documents.

    Temperatures are those of the greatest likelihood (Guo et al. 2017): of the pairs' types, of the
    novelty of related pairs, and of which mentions are right; the threshold gives the best mean of
    the four F1 of relations.
    """
    bundle = load_bundle(folder)
    documents = [d for d in examples(task(recipe.task), recipe.dev) if isinstance(d, Document)]
    reader = reader_of(bundle)
    scored = list(_scored(Relater(reader, threads=1), documents, recipe))
    types = np.concatenate([types for _, types, _ in scored])
    novelty = np.concatenate([novelty for _, _, novelty in scored])
    gold = np.concatenate([targets.possible.argmax(axis=1) for targets, _, _ in scored])
    news = np.concatenate([targets.novelty for targets, _, _ in scored])
    temperature = fit_temperature(types, gold)
    judged = [
        Judged(
            softmax(types / temperature),
            novelty.argmax(axis=1),
            targets.possible.argmax(axis=1),
            targets.novelty,
        )
        for targets, types, novelty in scored
    ]
    pairs = sum(len({frozenset((r.head, r.tail)) for r in d.relations}) for d in documents)
    settings = bundle.settings
    known = news != IGNORED
    return replace(
        settings,
        tagger=replace(settings.tagger, temperature=_mention_temperature(reader, documents)),
        relations=replace(
            settings.relations,
            threshold=relation_scores(judged, pairs)["threshold"],
            temperature=round(temperature, 3),
            novelty_temperature=round(fit_temperature(novelty[known], news[known]), 3),
        ),
    )


def _scored(
    relater: Relater, documents: Sequence[Document], recipe: Recipe
) -> Iterator[tuple[PairTargets, np.ndarray, np.ndarray]]:
    for document in documents:
        if (scored := relater.scores(document)) is not None:
            yield biored(document, recipe.relations), scored.types, scored.novelty


TEMPERATURES = (0.8, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)


def _mention_temperature(reader: Reader, documents: Sequence[Document]) -> float:
    """Return the temperature at which the mentions' confidences best foretell which are right."""
    surprise = np.zeros(len(TEMPERATURES))
    for index, temperature in enumerate(TEMPERATURES):
        tagger = Tagger(reader, temperature=temperature)
        for document in documents:
            gold = {(e.start, e.end, e.type) for e in document.entities}
            for mention in tagger.tag(document):
                right = (mention.start, mention.end, mention.type) in gold
                chance = mention.confidence or 0.0
                surprise[index] -= np.log(max(chance if right else 1 - chance, 1e-4))
    return TEMPERATURES[int(surprise.argmin())]
