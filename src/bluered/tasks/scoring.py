"""The score of any task but BioRED's, by its type: BLUE's and the user's own alike."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypeVar, get_args

import numpy as np

from bluered.corpora.catalog import Task
from bluered.corpora.entry import METRICS as METRICS_OF_TYPES
from bluered.documents.document import Document
from bluered.documents.examples import Example, LabelledText, RelationExample, TextPair
from bluered.errors import BlueredError, unknown_name
from bluered.metrics.resampling import difference, interval
from bluered.metrics.significance import Difference
from bluered.metrics.sums import Array
from bluered.tasks.blue.scripts import SCRIPTS
from bluered.tasks.correct import documents, entities, inference, relations, similarity
from bluered.tasks.correct.measured import Measured
from bluered.tasks.quirks import Shift, walk_figures
from bluered.tasks.results import Result

Scorer = Literal["correct", "blue"]
SCORERS: tuple[Scorer, ...] = get_args(Scorer)

Measure = Callable[[Task, Sequence[Any], Sequence[Any]], Measured]

CORRECT: dict[str, tuple[type, Measure]] = {
    "sentence-similarity": (TextPair, similarity.score),
    "named-entities": (Document, entities.score),
    "relation-extraction": (RelationExample, relations.score),
    "document-classification": (LabelledText, documents.score),
    "inference": (TextPair, inference.score),
}
"""For each type of task what its examples are, and the stated rule by which they are scored."""

METRICS = {kind: metrics for kind, metrics in METRICS_OF_TYPES.items() if kind in CORRECT}
"""The metrics that make sense for each type of task."""


def score(
    task: Task,
    gold: Iterable[Example],
    predicted: Iterable[Example],
    *,
    scorer: Scorer = "correct",
    with_interval: bool = False,
) -> Result:
    """Score predictions of a task; examples of both sides as bluered.tasks.examples gives them.

    `with_interval` adds the 95% bootstrap interval over documents or pairs. A gold or a prediction
    that cannot be scored is a BlueredError; what is missing, unknown or repeated is counted by the
    rule that the task's module in bluered.tasks.correct states, with its number in the notes.
    """
    measured = measure(task, gold, predicted, scorer=scorer)
    return Result(
        task=task.name,
        scorer=scorer,
        metric=measured.metric,
        score=measured.score,
        units=len(measured.units),
        interval=interval(measured.table, measured.statistic) if with_interval else None,
        details=measured.details,
        notes=measured.notes,
    )


def measure(
    task: Task, gold: Iterable[Example], predicted: Iterable[Example], *, scorer: Scorer = "correct"
) -> Measured:
    """Return the score with the sums it depends on."""
    check_metric(task)
    if scorer not in SCORERS:
        raise BlueredError(unknown_name("scorer", scorer, list(SCORERS)))
    kind, rule = CORRECT[task.entry.type]
    if scorer == "blue":
        rule = SCRIPTS[task.entry.type].score
    return rule(task, _of_kind(kind, gold, side="gold"), _of_kind(kind, predicted))


def shifts(task: Task, gold: Iterable[Example], predicted: Iterable[Example]) -> list[Shift]:
    """Return how far each quirk of BLUE's script moves each figure away from the stated rule."""
    check_metric(task)
    kind, script = CORRECT[task.entry.type][0], SCRIPTS[task.entry.type]
    golds, answers = _of_kind(kind, gold, side="gold"), _of_kind(kind, predicted)
    return walk_figures(script.quirks, lambda on: script.figures(task, golds, answers, on))


def compare(
    task: Task,
    gold: Sequence[Example],
    first: Iterable[Example],
    second: Iterable[Example],
    *,
    scorer: Scorer = "correct",
) -> Difference:
    """Return how much better the second system is: difference, paired interval, p-value."""
    one = measure(task, gold, first, scorer=scorer)
    two = measure(task, gold, second, scorer=scorer)
    return difference(*paired_tables(task, one, two), one.statistic)


def paired_tables(task: Task, first: Measured, second: Measured) -> tuple[Array, Array]:
    """Return the tables of two systems with the same units in the same order, a row each."""
    if first.table.shape[1] != second.table.shape[1]:
        raise BlueredError(
            f"{task.name} names no labels, and the two predictions have different ones: name them "
            "in the entry of the task"
        )
    units = tuple(dict.fromkeys((*first.units, *second.units)))
    return _rows_of(units, first), _rows_of(units, second)


def _rows_of(units: Sequence[str], measured: Measured) -> Array:
    """Return the row of each unit; zeros for a document that only the other system speaks of."""
    place = {name: number for number, name in enumerate(measured.units)}
    table = np.zeros((len(units), measured.table.shape[1]))
    for number, name in enumerate(units):
        if name in place:
            table[number] = measured.table[place[name]]
    return table


def check_metric(task: Task) -> None:
    """Raise BlueredError if a task's metric makes no sense for its type."""
    kind, metric = task.entry.type, task.entry.metric
    if kind not in METRICS:
        raise BlueredError(f"{task.name}: {kind} is scored by `bluered score biored`")
    if metric not in METRICS[kind]:
        raise BlueredError(
            f"{task.name}: the metric {metric} does not suit {kind}: one of "
            f"{', '.join(METRICS[kind])}"
        )


Kind = TypeVar("Kind")


def _of_kind(
    kind: type[Kind], examples: Iterable[Example], *, side: str = "prediction"
) -> list[Kind]:
    """Return the examples, each of the type that the task is made of."""
    found: list[Kind] = []
    for example in examples:
        if not isinstance(example, kind):
            raise BlueredError(
                f"{example.id} in the {side} is a {type(example).__name__}, but the task is one of "
                f"{kind.__name__}"
            )
        found.append(example)
    return found
