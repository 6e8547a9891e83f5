"""What must hold of predictions before they are scored, and what is merely wrong."""

import re
from collections.abc import Iterator

from bluered.documents.checks import concept_names, entity_fault
from bluered.documents.document import Document
from bluered.errors import FormatError
from bluered.formats.identifiers import split_identifier
from bluered.tasks.scores import Paired


def check_offsets(document: Document, *, source: str) -> None:
    """Raise FormatError for the first mention whose offsets do not match the document's text."""
    for entity in document.entities:
        fault = entity_fault(document.text, entity)
        if fault is not None:
            raise FormatError(fault, source=source, document=document.id)


def unknown_ends(pair: Paired) -> Iterator[str]:
    """Yield the ids in predicted relations that no mention has, in prediction or gold.

    Several ids joined are known if each of them is; of an id with `@` the part behind it suffices.
    """
    if pair.predicted is None:
        return
    sides = [side for side in (pair.gold, pair.predicted) if side is not None]
    names = {name for side in sides for name in concept_names(side)}
    known = names | {name.split("@")[-1] for name in names}
    for relation in pair.predicted.relations:
        for end in (relation.head, relation.tail):
            if not any(parts <= known for parts in _readings(end)):
                yield end


def _readings(end: str) -> Iterator[set[str]]:
    """Yield the ids an end of a relation may be read as."""
    yield {end}
    for parts in (split_identifier(end).concepts, re.split("[,;]", end)):
        yield {part.split("@")[-1] for part in parts}
