"""BLUE's candidate relations of i2b2/VA 2010: every two concepts of the same line, of any types.

After blue/bert/create_i2b2_bert.py of ncbi-nlp/BLUE_Benchmark: the pairs stand in the order of the
record's file of concepts, a relation counts in either direction, a pair that has none is `false`,
and one that has several stands once for each, the last one of the file of relations first.
"""

import logging
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations

from bluered.documents.document import Document, Entity, Span
from bluered.documents.examples import RelationExample
from bluered.tasks.relations.blinding import blind

NEGATIVE = "false"

logger = logging.getLogger(__name__)


def examples(documents: Iterable[Document]) -> Iterator[RelationExample]:
    """Yield the candidate pairs of each record with their labels; index `<record>.<con1>.<con2>`.

    A relation over two lines makes no example, as in BLUE, which prints it; here it is logged by
    its ids.
    """
    for document in documents:
        yield from _of_document(document)


def _of_document(document: Document) -> Iterator[RelationExample]:
    labels = _labels(document)
    lines = _lines(document.text)
    starts = [line.start for line in lines]
    on_line = {e.id: lines[bisect_right(starts, e.start) - 1] for e in document.entities}
    for head, tail in combinations(document.entities, 2):
        if on_line[head.id] == on_line[tail.id]:
            for label in labels.pop(frozenset((head.id, tail.id)), (NEGATIVE,)):
                yield _example(document, on_line[head.id], (head, tail), label)
    for ends in labels:
        logger.warning("%s: the relation of %s is not within one line", document.id, sorted(ends))


def _labels(document: Document) -> dict[frozenset[str], list[str]]:
    """Return the labels of each pair, whatever its direction, those of the last line first."""
    labels: dict[frozenset[str], list[str]] = defaultdict(list)
    for relation in reversed(document.mention_relations):
        labels[frozenset((relation.head, relation.tail))].append(relation.type)
    return labels


def _lines(text: str) -> list[Span]:
    lines, start = [], 0
    for line in text.split("\n"):
        lines.append(Span(start, start + len(line)))
        start += len(line) + 1
    return lines


def _example(
    document: Document, line: Span, pair: tuple[Entity, Entity], label: str
) -> RelationExample:
    sentence = document.text[line.start : line.end]
    head, tail = (Span(e.start - line.start, e.end - line.start) for e in pair)
    types = pair[0].type, pair[1].type
    return RelationExample(
        id=f"{document.id}.{pair[0].id}.{pair[1].id}",
        document=document.id,
        head=pair[0].id,
        tail=pair[1].id,
        text=blind(sentence, head, tail, names=types, joint="-".join(types)),
        label=label,
        sentence=sentence,
        head_spans=(head,),
        tail_spans=(tail,),
        head_type=types[0],
        tail_type=types[1],
    )
