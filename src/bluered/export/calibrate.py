"""What a bundle's scores mean, found out on dev: the threshold of relations, and confidences."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from bluered.corpora.catalog import task
from bluered.documents.document import Document
from bluered.encoding.viterbi import Floats
from bluered.inference.bundle import Settings, load_bundle
from bluered.inference.reading import Reader
from bluered.inference.relations import Relater, softmax
from bluered.inference.tagger import Tagger
from bluered.metrics.calibration import Scaling, fit_scaling
from bluered.pipeline.load import reader_of
from bluered.tasks.examples import examples
from bluered.training.config import Recipe
from bluered.training.pair_targets import biored
from bluered.training.relation_scores import Judged, judge, relation_count, relation_scores


def calibrated(folder: Path, recipe: Recipe) -> Settings:
    """Return the bundle's settings with threshold and confidences fitted to dev documents.

    The threshold gives the best mean of the four F1 of relations. Confidences are scaled (Platt
    1999) to how often what has them is right: a mention its borders and type, a relation its pair
    and type, the novelty of a right pair.
    """
    bundle = load_bundle(folder)
    documents = [d for d in examples(task(recipe.task), recipe.dev) if isinstance(d, Document)]
    reader = reader_of(bundle)
    scored = list(_judged(Relater(reader, threads=1), documents, recipe))
    judged = [each for each, _ in scored]
    gold = relation_count(documents)
    threshold = relation_scores(judged, gold)["threshold"]
    settings = bundle.settings
    return replace(
        settings,
        tagger=replace(settings.tagger, confidence=_of_mentions(reader, documents)),
        relations=replace(
            settings.relations,
            threshold=threshold,
            confidence=_of_relations(judged, threshold),
            novelty=_of_novelty(scored, threshold),
        ),
    )


def _judged(
    relater: Relater, documents: Sequence[Document], recipe: Recipe
) -> Iterator[tuple[Judged, Floats]]:
    """Yield what is said of each document's pairs, and how probable the novelty that is said."""
    for document in documents:
        if (scored := relater.scores(document)) is not None:
            targets = biored(document, recipe.relations)
            judged = judge(softmax(scored.types), scored.novelty, targets)
            yield judged, softmax(scored.novelty).max(axis=1)


def _of_relations(judged: Sequence[Judged], threshold: float) -> Scaling:
    chances = np.concatenate([each.chances for each in judged])
    gold = np.concatenate([each.gold for each in judged])
    said = 1 - chances[:, 0] >= threshold
    typed = chances[said, 1:]
    return fit_scaling(typed.max(axis=1), 1 + typed.argmax(axis=1) == gold[said])


def _of_novelty(scored: Sequence[tuple[Judged, Floats]], threshold: float) -> Scaling:
    confidences, right = list[float](), list[bool]()
    for judged, chances in scored:
        found = (1 - judged.chances[:, 0] >= threshold) & (judged.gold > 0)
        confidences += chances[found].tolist()
        right += (judged.novelty == judged.gold_novelty)[found].tolist()
    return fit_scaling(confidences, right)


def _of_mentions(reader: Reader, documents: Sequence[Document]) -> Scaling:
    tagger = Tagger(reader)
    confidences, right = list[float](), list[bool]()
    for document in documents:
        gold = {(e.start, e.end, e.type) for e in document.entities}
        for mention in tagger.mentions(document):
            confidences.append(mention.confidence or 0.0)
            right.append((mention.start, mention.end, mention.type) in gold)
    return fit_scaling(confidences, right)
