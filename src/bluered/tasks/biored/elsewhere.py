"""Documents of other corpora under BioRED's types, to score ids there by the same rules."""

from collections.abc import Mapping

from msgspec.structs import replace

from bluered.documents.document import Document


def renamed(document: Document, types: Mapping[str, str]) -> Document:
    """Return a document with the mentions of some types only, under other names of these types.

    Relations are left out.
    """
    kept = (replace(e, type=types[e.type]) for e in document.entities if e.type in types)
    return replace(document, entities=tuple(kept), relations=(), mention_relations=())


def mentioned_by(document: Document, other: Document | None) -> Document:
    """Return a document with the mentions that another one has too, by spans and type."""
    known = {(e.spans, e.type) for e in other.entities} if other else set()
    kept = (e for e in document.entities if (e.spans, e.type) in known)
    return replace(document, entities=tuple(kept), relations=(), mention_relations=())
