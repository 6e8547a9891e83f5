"""What there is to find in each split of a task, beside what is expected and what was published."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from bluered.corpora.catalog import Task
from bluered.corpora.entry import Corpus, TaskType
from bluered.corpora.locate import counted_splits
from bluered.documents.document import Document
from bluered.documents.examples import Example, LabelledText, RelationExample, TextPair
from bluered.tasks.examples import examples

COUNTED: dict[TaskType, str] = {
    "sentence-similarity": "pairs",
    "named-entities": "mentions",
    "relation-extraction": "positive examples",
    "document-classification": "documents with labels",
    "inference": "pairs",
    "document-relations": "relations",
}
"""What BLUE's table counts for each type of task."""


class TaskCount(Struct, frozen=True):
    """The count of one split; `expected` and `published` are None where the entry has none."""

    split: str
    found: int
    expected: int | None
    published: int | None


class TaskCounts(Struct, frozen=True):
    """The counts of a task; `difference` says why published ones are not those expected."""

    task: str
    what: str
    splits: tuple[TaskCount, ...]
    difference: str

    def deviations(self) -> Iterator[str]:
        """Yield one line for each split whose count is not the expected one."""
        for count in self.splits:
            if count.expected not in (None, count.found):
                yield (
                    f"{self.task}, {count.split}: {self.what}: expected {count.expected}, "
                    f"found {count.found}"
                )


def task_counts(entry: Corpus) -> Iterator[TaskCounts]:
    """Yield the counts of each task of a corpus on this machine."""
    for name, described in entry.tasks.items():
        task = Task(name, entry, described)
        counts = tuple(_count(task, split) for split in counted_splits(entry))
        yield TaskCounts(name, COUNTED[described.type], counts, described.difference)


def to_find(task: Task, split: str) -> int:
    """Return how much there is to find in a split, by the count usual for the type of task."""
    return to_find_in(task, examples(task, split))


def to_find_in(task: Task, gold: Iterable[Example]) -> int:
    """Return how much there is to find in the examples of a split."""
    number = 0
    documents: set[str] = set()
    for example in gold:
        match example:
            case Document() if task.entry.type == "named-entities":
                number += len(example.entities)
            case Document():
                number += len(example.relations)
            case LabelledText():
                documents.update([example.document] if example.labels else [])
            case RelationExample():
                number += example.label is not None and example.label != task.entry.negative
            case TextPair():
                number += 1
    return number or len(documents)


def _count(task: Task, split: str) -> TaskCount:
    expected = task.entry.counts.get(split)
    published = task.entry.published_counts.get(split, expected)
    return TaskCount(split, to_find(task, split), expected, published)
