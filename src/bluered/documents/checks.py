"""What must hold of every document that enters: spans inside the text, mentions equal to it."""

from collections.abc import Iterator

from bluered.documents.document import Document, Entity, covered_text
from bluered.errors import FormatError

SEPARATORS = (",", "|", ";", "+")
"""What corpora put between the concept ids of one mention."""


def entity_fault(text: str, entity: Entity) -> str | None:
    """Return what is wrong with an entity's spans, or None.

    The mention of a discontinuous entity is compared piece by piece without white space, since
    corpora join the pieces in different ways.
    """
    if not entity.spans:
        return f"mention {entity.text!r} has no span"
    previous = 0
    for span in entity.spans:
        if not previous <= span.start < span.end <= len(text):
            return (
                f"span {span.start}-{span.end} of mention {entity.text!r} is empty, out of order "
                f"or outside the text of {len(text)} characters"
            )
        previous = span.start
    covered = covered_text(text, entity.spans)
    if covered == entity.text:
        return None
    if len(entity.spans) > 1 and "".join(covered.split()) == "".join(entity.text.split()):
        return None
    return (
        f"offsets {entity.start}-{entity.end} cover {covered!r}, but the mention is "
        f"{entity.text!r} (bluered doctor --fix can repair shifted offsets)"
    )


def concept_names(document: Document) -> Iterator[str]:
    """Yield every name a relation may call a concept by.

    That is each single concept id and, for a mention of several, all of them joined: BioRED's
    `D007859|D008569` (learning and memory deficits) is the end of a relation as a whole.
    """
    for entity in document.entities:
        yield from entity.concepts
        if len(entity.concepts) > 1:
            for separator in SEPARATORS:
                yield separator.join(entity.concepts)


def faults(document: Document) -> Iterator[str]:
    """Yield every breach of the model's promises, in words: spans, passages, relation ends."""
    previous = 0
    for passage in document.passages:
        if not previous <= passage.start <= passage.end <= len(document.text):
            yield (
                f"passage {passage.type!r} at {passage.start}-{passage.end} overlaps the one "
                f"before or leaves the text of {len(document.text)} characters"
            )
        previous = passage.end
    text, size = document.text, len(document.text)
    for entity in document.entities:
        spans = entity.spans
        if len(spans) == 1:  # nearly all of them: the short way
            start, end = spans[0].start, spans[0].end
            if 0 <= start < end <= size and text[start:end] == entity.text:
                continue
        fault = entity_fault(text, entity)
        if fault is not None:
            yield fault
    if document.relations:
        yield from _unknown_concepts(document)
    if not document.mention_relations:
        return
    mentions = {entity.id for entity in document.entities}
    for relation in document.mention_relations:
        for mention in (relation.head, relation.tail):
            if mention not in mentions:
                yield f"relation {relation.type} names the unknown mention {mention!r}"


def _unknown_concepts(document: Document) -> Iterator[str]:
    concepts = {concept for entity in document.entities for concept in entity.concepts}
    if all(r.head in concepts and r.tail in concepts for r in document.relations):
        return
    concepts.update(concept_names(document))
    for relation in document.relations:
        for concept in (relation.head, relation.tail):
            if concept not in concepts:
                yield f"relation {relation.type} names the unknown concept {concept!r}"


def validate(document: Document, *, source: str | None = None, line: int | None = None) -> Document:
    """Return the document, or raise FormatError with its first fault."""
    for fault in faults(document):
        raise FormatError(fault, source=source, line=line, document=document.id)
    return document
