"""Which concept a relation means when no mention has the id it writes."""

from collections.abc import Iterable

from bluered.documents.checks import concept_names
from bluered.documents.document import Document, Entity, Span
from bluered.formats.identifiers import split_identifier


def names_of(identifiers: Iterable[str]) -> set[str]:
    """Return all names by which relations may call the concepts of identifier columns."""
    entities = tuple(
        Entity("", (Span(0, 1),), "", concepts=split_identifier(identifier).concepts)
        for identifier in set(identifiers)
    )
    return {*identifiers, *concept_names(Document(id="", text="", entities=entities))}


def nearest_concept(concept: str, names: Iterable[str]) -> str | None:
    """Return the one name that differs only in a prefix (`MESH:`), case or spaces."""
    wanted = _bare(concept)
    found = {name for name in names if _bare(name) == wanted}
    return found.pop() if wanted and len(found) == 1 else None


def _bare(concept: str) -> str:
    return concept.rpartition(":")[2].strip().casefold()
