"""Answers in BLUE's own layouts, without any of the corpus's text: they can be passed on.

BioRED's are whole documents, which every scorer of relations reads.
"""

from collections.abc import Iterable, Iterator

import msgspec

from bluered.documents.document import Document, Entity
from bluered.documents.examples import Example, LabelledText, RelationExample, TextPair
from bluered.errors import BlueredError

ENDINGS = {"named-entities": "jsonl", "document-relations": "jsonl"}
"""What a file of answers ends in, where it is not a table (tsv)."""


def answer_lines(examples: Iterable[Example]) -> Iterator[str]:
    """Yield the lines of a file of answers, with their ends.

    Named entities are JSON lines with `docid`, `type` and `locations`; all others a table with a
    header: `index score`, `index label`, `index labels` or `docid id arg1 arg2 label`.
    """
    header = ""
    for example in examples:
        if isinstance(example, Document):
            yield from (_annotation(example, entity) for entity in example.entities)
            continue
        row = _row(example)
        if not header:
            header = "\t".join(row)
            yield header + "\n"
        for value in row.values():
            if set(value) & set("\t\r\n"):
                raise BlueredError(f"{example.id}: a table cannot hold {value!r}")
        yield "\t".join(row.values()) + "\n"


def document_lines(examples: Iterable[Example]) -> Iterator[str]:
    """Yield whole documents as JSON lines, with their text: the answers to a task of relations."""
    for example in examples:
        yield msgspec.json.encode(example).decode() + "\n"


def _annotation(document: Document, entity: Entity) -> str:
    places = [{"start": span.start, "end": span.end} for span in entity.spans]
    line = {"docid": document.id, "type": entity.type, "locations": places}
    return msgspec.json.encode(line).decode() + "\n"


def _row(example: Example) -> dict[str, str]:
    match example:
        case TextPair() if example.score is not None:
            return {"index": example.id, "score": f"{example.score:.6g}"}
        case TextPair():
            return {"index": example.id, "label": example.label or ""}
        case LabelledText():
            return {"index": example.id, "labels": ",".join(example.labels or ())}
        case RelationExample():
            ends = {"arg1": example.head, "arg2": example.tail, "label": example.label or ""}
            return {"docid": example.document, "id": example.id, **ends}
        case _:
            raise BlueredError(f"{example.id}: no table of answers holds whole documents")
