"""Whether one system is better than another on BioRED, measure by measure."""

from collections.abc import Iterator

from bluered.metrics.counts import Counts
from bluered.metrics.significance import f1_difference
from bluered.tasks.comparison import Comparison
from bluered.tasks.scores import Path, Scores

MEASURES: tuple[Path, ...] = (
    ("ner", "overall"),
    ("relations", "pair"),
    ("relations", "type"),
    ("relations", "novelty"),
    ("relations", "all"),
)
"""What systems are compared by under our rule; under an original's rule by each of its own."""


def comparisons(one: Scores, other: Scores) -> dict[Path, Comparison]:
    """Return the comparison of two systems scored on the same gold, for each measure of both.

    F1 of the first minus that of the second, over all documents that either names: paired
    bootstrap and approximate randomization (`metrics.significance`).
    """
    documents = sorted({*one.documents, *other.documents})
    return {
        path: _compared(one, other, path, documents)
        for path in _measures(one)
        if path in other.counts
    }


def _measures(scores: Scores) -> Iterator[Path]:
    for path in scores.counts:
        if path in MEASURES or (scores.scorer != "correct" and len(path) == 1):
            yield path


def _compared(one: Scores, other: Scores, path: Path, documents: list[str]) -> Comparison:
    first, second = (_aligned(scores, path, documents) for scores in (other, one))
    found = f1_difference(first, second)
    return Comparison(
        score=one.total(*path).f1,
        against=other.total(*path).f1,
        difference=found.difference,
        interval=found.interval,
        p_value=found.p_value,
        units=len(documents),
        differing=sum(a != b for a, b in zip(first, second, strict=True)),
        notes=other.notes,
    )


def _aligned(scores: Scores, path: Path, documents: list[str]) -> list[Counts]:
    """Return the counts of the documents in their order; one not named here has nothing counted."""
    known = dict(zip(scores.documents, scores.counts[path], strict=True))
    return [known.get(document, Counts()) for document in documents]
