"""The examples of a task: what a model is given and what is expected, made from the corpus."""

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from bluered.corpora import documents, load
from bluered.corpora.catalog import Task
from bluered.documents.document import Document
from bluered.documents.examples import Example, RelationExample
from bluered.errors import CorpusError, unknown_name
from bluered.tasks.relations import chemprot, ddi, i2b2_2010

RelationRule = Callable[[Iterable[Document]], Iterator[RelationExample]]
"""Make candidate relations of documents: which mentions pair, how text is shown, the label."""

RELATION_RULES: dict[str, RelationRule] = {
    "chemprot": chemprot.examples,
    "ddi": ddi.examples,
    "i2b2-2010": i2b2_2010.examples,
}
"""The rules by the name that `examples` in a task's entry gives."""


def examples(task: Task, split: str) -> Iterator[Example]:
    """Yield the examples of a split with their answers, in the order of the corpus.

    Named entities: documents with the mentions of the task's types only, without relations.
    """
    if task.entry.type == "named-entities":
        return (only_types(d, task.entry.entity_types) for d in documents(task.corpus.name, split))
    if task.entry.examples:
        rule = RELATION_RULES.get(task.entry.examples)
        if rule is None:
            known = list(RELATION_RULES)
            raise CorpusError(f"{task.name}: {unknown_name('rule', task.entry.examples, known)}")
        return rule(documents(task.corpus.name, split))
    return load(task.corpus.name, split)


def only_types(document: Document, types: tuple[str, ...]) -> Document:
    """Return a document with only its mentions of some types (all if none are named)."""
    kept = tuple(e for e in document.entities if not types or e.type in types)
    return replace(document, entities=kept, relations=(), mention_relations=())


def without_answers(example: Example) -> Example:
    """Return an example as a model may see it."""
    if isinstance(example, Document):
        return replace(example, entities=(), relations=(), mention_relations=())
    if isinstance(example, RelationExample):
        return replace(example, label=None)
    if hasattr(example, "labels"):
        return replace(example, labels=None)
    return replace(example, score=None, label=None)
