"""A document from a text with its variants and genes marked, for tests of linking."""

import re
from collections.abc import Callable

import pytest

from bluered.documents.biored_types import GENE, VARIANT
from bluered.documents.document import Document, Entity, Passage, Span

MARK = re.compile(r"\[\[(?P<text>[^|\]]+)(?:\|(?P<gene>[^\]]*))?\]\]")


def marked(text: str) -> Document:
    """Read `[[C677T]]` as a variant and `[[MTHFR|4524]]` as a gene with its id."""
    plain = ""
    entities: list[Entity] = []
    last = 0
    for match in MARK.finditer(text):
        plain += text[last : match.start()]
        span = Span(len(plain), len(plain) + len(match["text"]))
        gene = match["gene"]
        concepts = tuple(gene.split(",")) if gene else ()
        kind = VARIANT if gene is None else GENE
        entities.append(Entity(kind, (span,), match["text"], concepts=concepts))
        plain += match["text"]
        last = match.end()
    plain += text[last:]
    passages = (Passage(type="abstract", start=0, end=len(plain)),)
    return Document(id="1", text=plain, passages=passages, entities=tuple(entities))


@pytest.fixture
def document() -> Callable[[str], Document]:
    return marked
