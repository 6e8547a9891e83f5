"""The line that says what a score is a score of: task, split, evaluator, its version, the gold."""

import hashlib
from collections.abc import Iterable, Mapping

import msgspec

from bluered.documents.document import Document
from bluered.documents.examples import Example, LabelledText, RelationExample, TextPair

ABSENT = "-"


def signature(fields: Mapping[str, str | int | None]) -> str:
    """Return `key:value|key:value|...` in the order given; what is not known is left out.

    >>> signature({"task": "biored", "split": "test", "seed": None})
    'task:biored|split:test'
    """
    parts = [f"{key}:{_plain(str(value))}" for key, value in fields.items() if value is not None]
    return "|".join(parts)


def _plain(value: str) -> str:
    return value.replace("|", "_").replace(" ", "_") or ABSENT


def gold_hash(gold: Iterable[Example]) -> str:
    """Return 12 hexadecimal digits that change with any id, document or answer of the gold.

    Of documents with any text, mention or relation too. The order does not change it, nor the
    file's format as long as that holds all of this; of examples that are not documents the texts
    do not count, since many files of answers are without.
    """
    digests = sorted(hashlib.sha256(_content(one)).digest() for one in gold)
    return hashlib.sha256(b"".join(digests)).hexdigest()[:12]


def _content(example: Example) -> bytes:
    match example:
        case Document():
            return _document(example)
        case TextPair():
            return msgspec.json.encode((example.id, example.score, example.label))
        case LabelledText():
            return msgspec.json.encode((example.id, example.document, sorted(example.labels or ())))
        case RelationExample():
            return msgspec.json.encode((example.id, example.document, example.label))


def _document(document: Document) -> bytes:
    entities = sorted(
        (
            [(span.start, span.end) for span in entity.spans],
            entity.type,
            sorted(entity.concepts),
        )
        for entity in document.entities
    )
    relations = sorted(
        (r.type, *sorted((r.head, r.tail)), str(r.novel)) for r in document.relations
    )
    return msgspec.json.encode((document.id, document.text, entities, relations))
