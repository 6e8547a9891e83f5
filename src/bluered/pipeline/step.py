"""What a step of the pipeline is: a function from a document to a document with more in it."""

from typing import Protocol

from bluered.documents.document import Document, Entity, Relation


class Step(Protocol):
    """Return the document with one kind of annotation put in or replaced."""

    def __call__(self, document: Document, /) -> Document:
        """Return the document after the step."""
        ...


class Tagger(Protocol):
    """What finds mentions in a document of any length."""

    def tag(self, document: Document, /) -> tuple[Entity, ...]:
        """Return the mentions, with type and confidence, without ids."""
        ...


class Linker(Protocol):
    """What finds the concept ids of a document's mentions; it may leave some without."""

    def __call__(self, document: Document, /) -> Document:
        """Return the document with ids at the mentions that could be linked."""
        ...

    def knows(self, kind: str, concept: str, /) -> bool:
        """Tell whether a concept id of an entity type can be found at all."""
        ...


class Relater(Protocol):
    """What finds relations between the concepts of a document of any length."""

    def relate(self, document: Document, /) -> tuple[Relation, ...]:
        """Return the relations, with confidence, novelty and evidence."""
        ...
