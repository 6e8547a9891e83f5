"""BLUE's candidate relations of the DDI corpus: the pairs of drugs that its files list.

After blue/bert/create_ddi_bert.py of ncbi-nlp/BLUE_Benchmark, and where the rows BLUE released are
of another mind, after these: they name every kind of drug `@DRUG$`, blind a discontinuous mention
from its first character to its last, and have a space for each line end and none around a sentence.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from bluered.corpora.ddi_document import UNTYPED
from bluered.documents.document import Document, Entity, MentionRelation, Passage, Span
from bluered.documents.examples import RelationExample
from bluered.errors import FormatError
from bluered.tasks.relations.blinding import blind

DRUG = "DRUG"
LINE_ENDS = str.maketrans("\r\n", "  ")


def examples(documents: Iterable[Document]) -> Iterator[RelationExample]:
    """Yield the pairs of each document, its sentences in the order of their ids (as text).

    An interaction whose type is not given has no label that counts and no place among the negative
    ones: it is left out (one pair of the training part, DDI-DrugBank.d236.s29.p0).
    """
    for document in documents:
        entities = {entity.id: entity for entity in document.entities}
        by_sentence = _by_sentence(document, entities)
        for passage in sorted(document.passages, key=lambda p: p.infons.get("id", "")):
            for relation in by_sentence.get(passage.start, ()):
                if relation.type != UNTYPED:
                    yield _example(document, passage, relation, entities)


def _example(
    document: Document, passage: Passage, relation: MentionRelation, entities: dict[str, Entity]
) -> RelationExample:
    raw = document.text[passage.start : passage.end].translate(LINE_ENDS)
    sentence = raw.strip()
    start = passage.start + raw.index(sentence)
    head, tail = (entities[end] for end in (relation.head, relation.tail))
    return RelationExample(
        id=relation.id,
        document=document.id,
        head=head.id,
        tail=tail.id,
        text=blind(
            sentence,
            _extent(head, start),
            _extent(tail, start),
            names=(DRUG, DRUG),
            joint=f"{DRUG}-{DRUG}",
        ),
        label=f"DDI-{relation.type}",
        sentence=sentence,
        head_spans=_shifted(head, start),
        tail_spans=_shifted(tail, start),
        head_type=head.type,
        tail_type=tail.type,
    )


def _extent(entity: Entity, start: int) -> Span:
    """Return the stretch from a mention's first character to its last, gaps included."""
    return Span(entity.start - start, max(span.end for span in entity.spans) - start)


def _shifted(entity: Entity, start: int) -> tuple[Span, ...]:
    return tuple(Span(span.start - start, span.end - start) for span in entity.spans)


def _by_sentence(
    document: Document, entities: dict[str, Entity]
) -> dict[int, list[MentionRelation]]:
    """Return the pairs by where their sentence begins."""
    starts = {
        entity.id: passage.start
        for passage in document.passages
        for entity in document.entities
        if passage.start <= entity.start and entity.end <= passage.end
    }
    found: dict[int, list[MentionRelation]] = defaultdict(list)
    for relation in document.mention_relations:
        head, tail = starts.get(relation.head), starts.get(relation.tail)
        if head is None or head != tail:
            message = f"pair {relation.id}: its two drugs do not stand in one sentence"
            raise FormatError(message, document=document.id)
        found[head].append(relation)
    return found
