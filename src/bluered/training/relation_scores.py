"""The four F1 of BioRED's relations on dev, at the threshold that serves them best."""

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
    novelty: Ints
    gold: Ints
    gold_novelty: Ints


def judge(chances: Floats, novelty: Floats, targets: PairTargets) -> Judged:
    """Return a document's pairs with BioRED's own labels; novelty: scores (pairs, 2)."""
    gold = targets.possible.argmax(axis=1)
    return Judged(chances, novelty.argmax(axis=1), gold, targets.novelty)


def relation_count(documents: Iterable[Document]) -> int:
    """Return how many pairs of concepts the documents relate."""
    return sum(len({frozenset((r.head, r.tail)) for r in d.relations}) for d in documents)


def relation_scores(judged: Sequence[Judged], gold: int) -> Scores:
    """Return pair, type, novelty and all F1 with their mean, at the threshold of the best mean.

    `gold` is the `relation_count` of the documents: relations between concepts that are no pair
    count too. The threshold is on the probability of any relation.
    """
    chances = np.concatenate([each.chances for each in judged])
    expected = np.concatenate([each.gold for each in judged])
    related = 1 - chances[:, 0]
    right_type = 1 + chances[:, 1:].argmax(axis=1) == expected
    right_novelty = np.concatenate([each.novelty == each.gold_novelty for each in judged])

    def f1(right: np.ndarray, threshold: float) -> float:
        said = related >= threshold
        return 2 * int((said & right).sum()) / max(1, int(said.sum()) + gold)

    def four(threshold: float) -> dict[str, float]:
        return {
            "pair": f1(expected > 0, threshold),
            "type": f1(right_type & (expected > 0), threshold),
            "novelty": f1(right_novelty & (expected > 0), threshold),
            "all": f1(right_type & right_novelty & (expected > 0), threshold),
        }

    threshold = max(THRESHOLDS.tolist(), key=lambda t: sum(four(t).values()))
    found = four(threshold)
    mean = sum(found.values()) / len(found)
    rounded = {k: round(v, 4) for k, v in found.items()}
    return {"mean": round(mean, 4), **rounded, "threshold": round(threshold, 2)}


def related(
    chances: Floats,
    novelty: Floats,
    targets: PairTargets,
    types: Sequence[str],
    threshold: float,
) -> Iterator[Relation]:
    """Yield the relations of a document whose probability of any type reaches a threshold.

    chances: (pairs, 1 + types), novelty: scores (pairs, 2).
    """
    concepts = targets.found.concepts
    for row, (a, b) in enumerate(targets.found.pairs.tolist()):
        if 1 - chances[row, 0] >= threshold:
            kind = int(chances[row, 1:].argmax())
            yield Relation(
                type=types[kind],
                head=concepts[a].id,
                tail=concepts[b].id,
                novel=bool(novelty[row].argmax()),
                confidence=round(float(chances[row, 1 + kind]), 4),
            )
