"""The F1 of BioRED's relations on dev, at the threshold that serves them best."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from msgspec import Struct

from bluered.documents.document import Document, Relation
from bluered.encoding.tokens import Ints
from bluered.encoding.viterbi import Floats
from bluered.training.loop import Scores
from bluered.training.pair_targets import PairTargets

THRESHOLDS = np.arange(0.1, 0.9, 0.02)


class Judged(Struct, frozen=True):
    """A document's pairs: chances (pairs, 1 + types), the novelty said, gold type and novelty."""

    chances: Floats
    novelty: Ints | None
    gold: Ints
    gold_novelty: Ints


def judge(chances: Floats, novelty: Floats | None, targets: PairTargets) -> Judged:
    """Return a document's pairs with BioRED's own labels.

    novelty: scores (pairs, 2); None for a model that says nothing of it.
    """
    said = None if novelty is None else novelty.argmax(axis=1)
    return Judged(chances, said, targets.possible.argmax(axis=1), targets.novelty)


def relation_count(documents: Iterable[Document]) -> int:
    """Return how many pairs of concepts the documents relate."""
    return sum(len({frozenset((r.head, r.tail)) for r in d.relations}) for d in documents)


def relation_scores(judged: Sequence[Judged], gold: int) -> Scores:
    """Return pair, type, novelty and all F1 with their mean, at the threshold of the best mean.

    `gold` is the `relation_count` of the documents: relations between concepts that are no pair
    count too. The threshold is on the probability of any relation. Of a model that says nothing of
    novelty, pair and type are all.
    """
    chances = np.concatenate([each.chances for each in judged])
    expected = np.concatenate([each.gold for each in judged])
    chance = 1 - chances[:, 0]
    right = {"pair": expected > 0}
    right["type"] = right["pair"] & (1 + chances[:, 1:].argmax(axis=1) == expected)
    if all(each.novelty is not None for each in judged):
        same = np.concatenate([each.novelty == each.gold_novelty for each in judged])
        right |= {"novelty": right["pair"] & same, "all": right["type"] & same}

    def all_f1(threshold: float) -> dict[str, float]:
        said = chance >= threshold
        most = max(1, int(said.sum()) + gold)
        return {name: 2 * int((said & each).sum()) / most for name, each in right.items()}

    threshold = max(THRESHOLDS.tolist(), key=lambda t: sum(all_f1(t).values()))
    found = all_f1(threshold)
    mean = sum(found.values()) / len(found)
    rounded = {k: round(v, 4) for k, v in found.items()}
    return {"mean": round(mean, 4), **rounded, "threshold": round(threshold, 2)}


def related(
    chances: Floats,
    novelty: Floats | None,
    targets: PairTargets,
    types: Sequence[str],
    threshold: float,
) -> Iterator[Relation]:
    """Yield the relations of a document whose probability of any type reaches a threshold.

    chances: (pairs, 1 + types), novelty: scores (pairs, 2), or None where nothing is said of it.
    """
    concepts = targets.found.concepts
    for row, (a, b) in enumerate(targets.found.pairs.tolist()):
        if 1 - chances[row, 0] >= threshold:
            kind = int(chances[row, 1:].argmax())
            yield Relation(
                type=types[kind],
                head=concepts[a].id,
                tail=concepts[b].id,
                novel=None if novelty is None else bool(novelty[row].argmax()),
                confidence=round(float(chances[row, 1 + kind]), 4),
            )
