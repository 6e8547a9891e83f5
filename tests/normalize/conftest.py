"""Fixtures of the tests of linking: small invented terminologies."""

from collections.abc import Callable, Iterable

import pytest

from bluered.documents.document import Document, Entity, Span, simple_document
from bluered.normalize.store import write_terminology
from bluered.normalize.term import Term
from bluered.normalize.terminology import Terminology


@pytest.fixture
def made(tmp_path_factory) -> Callable[[Iterable[Term]], Terminology]:
    """Give a terminology of some terms."""

    def made(terms: Iterable[Term]) -> Terminology:
        folder = tmp_path_factory.mktemp("terms")
        write_terminology(terms, folder, name="invented", built="2026-01-01", sources=())
        return Terminology(folder)

    return made


@pytest.fixture
def mentioning() -> Callable[..., Document]:
    """Give a document of a text with mentions given as (text, type) in the order they stand in."""

    def mentioning(text: str, *mentions: tuple[str, str]) -> Document:
        document = simple_document("1", text)
        entities: list[Entity] = []
        at = 0
        for name, kind in mentions:
            start = text.index(name, at)
            at = start + len(name)
            entities.append(Entity(kind, (Span(start, at),), name))
        return Document(
            id="1", text=document.text, passages=document.passages, entities=tuple(entities)
        )

    return mentioning
