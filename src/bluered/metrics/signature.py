"""The line that says what a score is a score of: task, split, evaluator, its version, the gold."""

import hashlib
from collections.abc import Iterable, Mapping

import msgspec

from bluered.documents.document import Document

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


def gold_hash(documents: Iterable[Document]) -> str:
    """Return 12 hexadecimal digits that change with any id, text, mention or relation of the gold.

    Neither the order of documents, mentions and relations nor the file's format changes it.
    """
    digests = sorted(hashlib.sha256(_content(document)).digest() for document in documents)
    return hashlib.sha256(b"".join(digests)).hexdigest()[:12]


def _content(document: Document) -> bytes:
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
