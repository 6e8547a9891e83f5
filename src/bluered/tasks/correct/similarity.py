"""Sentence similarity: Pearson's correlation over pairs of sentences (MedSTS, BIOSSES).

Every gold pair needs one predicted score: a score cannot be guessed for a pair that is missing, and
a pair that the gold lacks is of another split, so both are errors. The correlation does not exist
where all scores of one side are equal; the result is then None, with a note.
"""

from collections.abc import Sequence

import numpy as np

from bluered.corpora.catalog import Task
from bluered.documents.examples import TextPair
from bluered.errors import BlueredError
from bluered.metrics.sums import Array, centred, pearson, pearson_terms
from bluered.tasks.correct.matching import by_id, matched
from bluered.tasks.correct.measured import Measured

CONSTANT = "sides on which all scores are equal, so that there is no correlation"


def score(task: Task, gold: Sequence[TextPair], predicted: Sequence[TextPair]) -> Measured:
    """Correlate predicted with gold scores."""
    golds = by_id(gold, side="gold")
    answers = matched(golds, by_id(predicted, side="prediction"), absent=None)
    x = values([golds[name] for name in golds], side="gold")
    y = values([answers[name] for name in golds], side="prediction")
    constant = sum(bool(np.all(side == side[0])) for side in (x, y))
    correlation = None if constant else float(np.corrcoef(centred(x), centred(y))[0, 1])
    return Measured(
        metric="pearson",
        score=correlation,
        units=tuple(golds),
        table=pearson_terms(x, y),
        statistic=pearson,
        details={"pairs": len(golds), "pearson": correlation},
        notes={CONSTANT: constant} if constant else {},
    )


def values(pairs: Sequence[TextPair], *, side: str) -> Array:
    """Return the scores, each a finite number, or raise BlueredError that names the pair."""
    for pair in pairs:
        if pair.score is None or not np.isfinite(pair.score):
            raise BlueredError(f"pair {pair.id} has no score in the {side}: found {pair.score}")
    return np.array([pair.score for pair in pairs], dtype=float)
