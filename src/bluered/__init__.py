"""BlueRED: benchmark and tool for reading biomedical literature."""

from bluered.documents.document import (
    Document,
    Entity,
    MentionRelation,
    Passage,
    Relation,
    Span,
)

__all__ = ["Document", "Entity", "MentionRelation", "Passage", "Relation", "Span", "__version__"]

__version__ = "0.1.0"
