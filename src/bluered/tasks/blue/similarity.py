"""eval_sts.py: Pearson's correlation as pandas calculates it."""

from collections.abc import Sequence

import numpy as np

from bluered.corpora.catalog import Task
from bluered.documents.examples import TextPair
from bluered.metrics.sums import Array, pearson, pearson_terms
from bluered.tasks.blue.stops import by_stated_rule, row_fault, with_printed
from bluered.tasks.correct import similarity
from bluered.tasks.correct.measured import Measured
from bluered.tasks.quirks import Quirk

_SCRIPT = "eval_sts.py"
QUIRKS = (
    Quirk(
        "same_rows",
        "gold and prediction must have the same ids in the same order, or it stops",
        f"{_SCRIPT}, assertions",
    ),
    Quirk(
        "missing_scores",
        "pairs without a score on either side are left out",
        f"{_SCRIPT}, pandas.Series.corr",
    ),
    Quirk(
        "constant",
        "where one side is constant it prints nan, or a correlation of rounding errors",
        f"{_SCRIPT}, pandas.Series.corr",
    ),
)


def figures(
    task: Task, gold: Sequence[TextPair], predicted: Sequence[TextPair], quirks: frozenset[str]
) -> dict[str, float]:
    """Return the score with some of the quirks."""
    if row_fault(gold, predicted) or not quirks - {"same_rows"}:
        found = similarity.score(task, gold, predicted).score
        return {"score": np.nan if found is None else found}
    x, y = _known(gold, predicted)
    if "constant" not in quirks and any(np.all(side == side[0]) for side in (x, y)):
        return {"score": np.nan}
    return {"score": correlation(x, y)}


def score(task: Task, gold: Sequence[TextPair], predicted: Sequence[TextPair]) -> Measured:
    """Return what the script prints."""
    fault = row_fault(gold, predicted)
    if fault:
        return by_stated_rule(lambda: similarity.score(task, gold, predicted), _SCRIPT, fault)
    x, y = _known(gold, predicted)
    found = correlation(x, y)
    kept = [p for p, q in zip(gold, predicted, strict=True) if None not in (p.score, q.score)]
    lost = len(gold) - len(kept)
    measured = Measured(
        metric="pearson",
        score=None if np.isnan(found) else found,
        units=tuple(pair.id for pair in kept),
        table=pearson_terms(x, y),
        statistic=pearson,
        details={"pairs": len(kept), "pearson": None if np.isnan(found) else found},
        notes={"pairs without a score, left out": lost} if lost else {},
    )
    return with_printed(measured, _SCRIPT, [["Pearson", "correlation:", str(found)]], [])


def correlation(x: Array, y: Array) -> float:
    """Return what pandas' corr gives: numpy's corrcoef, nan for nothing.

    So with the overflow of scores that are too large, which the stated rule has not.
    """
    if len(x) < 2:
        return np.nan
    with np.errstate(all="ignore"):
        return float(np.corrcoef(x, y)[0, 1])


def _known(gold: Sequence[TextPair], predicted: Sequence[TextPair]) -> tuple[Array, Array]:
    """Return the scores of the pairs that have one on both sides."""
    rows = [(p.score, q.score) for p, q in zip(gold, predicted, strict=True)]
    kept = np.array([row for row in rows if None not in row], dtype=float).reshape(-1, 2)
    return kept[:, 0], kept[:, 1]
