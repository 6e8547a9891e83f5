"""The document model and what must hold of it."""

from bluered.documents.document import (
    Document,
    Entity,
    MentionRelation,
    Passage,
    Relation,
    Span,
    simple_document,
)

__all__ = [
    "Document",
    "Entity",
    "MentionRelation",
    "Passage",
    "Relation",
    "Span",
    "simple_document",
]
