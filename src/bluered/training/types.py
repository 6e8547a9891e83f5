"""What a model tells apart: the types or labels of its task, or those that its examples have."""

from collections.abc import Iterable

from bluered.corpora.catalog import Task
from bluered.documents.document import Document
from bluered.documents.examples import Example, LabelledText


def types_of(task: Task, examples: Iterable[Example]) -> tuple[str, ...]:
    """Return entity types for named entities, else labels without the negative one.

    Those of the task's entry in its order; if it names none, those that occur, by name.
    """
    entry = task.entry
    named = entry.entity_types if entry.type == "named-entities" else entry.labels
    if named:
        return named
    seen = {name for example in examples for name in _answers(example)}
    return tuple(sorted(seen - {entry.negative}))


def has_one_label(task: Task) -> bool:
    """Tell whether each text of a task has exactly one label: its metric is then accuracy."""
    return task.entry.metric == "accuracy"


def _answers(example: Example) -> Iterable[str]:
    if isinstance(example, Document):
        return (entity.type for entity in example.entities)
    if isinstance(example, LabelledText):
        return example.labels or ()
    label = example.label
    return () if label is None else (label,)
