"""A document of the DDI corpus 2013, read from its XML file.

The sentences become passages, one below the other in the text. Offsets (`charOffset`) count code
points of the sentence; the second is that of the last character, and the pieces of a discontinuous
mention stand between semicolons. A pair of drugs becomes a relation of its type, or of the type
"false" if the two do not interact: all pairs of a sentence are annotated.
"""

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO, NoReturn

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue] - lxml has no types

from bluered.documents.document import (
    Document,
    Entity,
    MentionRelation,
    Passage,
    Span,
    covered_text,
)
from bluered.errors import FormatError

SENTENCE = "sentence"
"""The type of the passages; the sentence's id is the infon `id`."""

NO_INTERACTION = "false"
UNTYPED = "untyped"
"""The type of an interaction for which the file names none (there is one in the training files)."""

_OFFSETS = re.compile(r"\d+-\d+(?:;\d+-\d+)*")


def read_document(
    stream: BinaryIO, source: str, *, wanted: Callable[[str], bool] = lambda _: True
) -> Document:
    """Return the document with its `wanted` sentences (by id); `source` is for messages.

    Sentences of white space alone, of which the training files have 71, are left out.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True)
    try:
        root = etree.parse(stream, parser).getroot()
    except etree.XMLSyntaxError as error:
        message = f"not well-formed XML: {error.msg}"
        raise FormatError(message, source=source, line=error.lineno) from None
    if root.tag != "document":
        raise FormatError(f"expected <document>, found <{root.tag}>", source=source)
    reading = _Reading(source, _attribute(root, "id", source))
    for element in root.iterfind("sentence"):
        empty = not (_attribute(element, "text", source).strip() or len(element))
        if not empty and wanted(_attribute(element, "id", source)):
            reading.add(element)
    return reading.document()


def _attribute(element: etree._Element, name: str, source: str) -> str:
    value = element.get(name)
    if value is None:
        message = f"<{element.tag}> has no attribute {name!r}"
        raise FormatError(message, source=source, line=element.sourceline)
    return value


class _Reading:
    """A document that grows sentence by sentence."""

    def __init__(self, source: str, name: str) -> None:
        self.source = source
        self.name = name
        self.text = ""
        self.passages: list[Passage] = []
        self.entities: dict[str, Entity] = {}
        self.relations: list[MentionRelation] = []

    def document(self) -> Document:
        return Document(
            id=self.name,
            text=self.text,
            passages=tuple(self.passages),
            entities=tuple(self.entities.values()),
            mention_relations=tuple(self.relations),
        )

    def add(self, sentence: etree._Element) -> None:
        if self.text:
            self.text += "\n"
        start = len(self.text)
        self.text += self.value(sentence, "text")
        infons = {"id": self.value(sentence, "id")}
        passage = Passage(type=SENTENCE, start=start, end=len(self.text), infons=infons)
        self.passages.append(passage)
        known: set[str] = set()
        for element in sentence.iterfind("entity"):
            entity = self.entity(element, passage)
            if entity.id in self.entities:
                self.fail(element, f"entity {entity.id} stands twice")
            self.entities[entity.id] = entity
            known.add(entity.id)
        self.relations.extend(self.relation(e, known) for e in sentence.iterfind("pair"))

    def entity(self, element: etree._Element, sentence: Passage) -> Entity:
        name, written = self.value(element, "id"), self.value(element, "text")
        offsets = self.value(element, "charOffset")
        if not _OFFSETS.fullmatch(offsets):
            self.fail(element, f"{name}: expected charOffset like 0-7 or 0-3;9-12, not {offsets!r}")
        spans = tuple(
            Span(sentence.start + int(first), sentence.start + int(last) + 1)
            for first, _, last in (piece.partition("-") for piece in offsets.split(";"))
        )
        if any(span.end > sentence.end or span.start >= span.end for span in spans):
            self.fail(element, f"{name}: charOffset {offsets} lies outside its sentence")
        spans = tuple(sorted(spans))
        covered = next((s for s in _readings(spans) if self.covers(s, written)), None)
        if covered is None:
            found = covered_text(self.text, spans)
            self.fail(element, f"{name}: the text at {offsets} is {found!r}, not {written!r}")
        kind = self.value(element, "type")
        return Entity(kind, covered, covered_text(self.text, covered), id=name)

    def covers(self, spans: tuple[Span, ...], written: str) -> bool:
        """Tell whether the spans cover a mention as it is written, white space aside.

        Between the pieces of a discontinuous mention the corpus writes a space, or nothing.
        """
        return _solid(covered_text(self.text, spans)) == _solid(written)

    def relation(self, element: etree._Element, known: set[str]) -> MentionRelation:
        name, interacts = self.value(element, "id"), self.value(element, "ddi")
        ends = self.value(element, "e1"), self.value(element, "e2")
        for end in ends:
            if end not in known:
                self.fail(element, f"{name}: the sentence has no entity {end}")
        if interacts not in ("true", "false"):
            self.fail(element, f"{name}: expected ddi='true' or ddi='false', found {interacts!r}")
        kind = element.get("type", UNTYPED) if interacts == "true" else NO_INTERACTION
        return MentionRelation(type=kind, head=ends[0], tail=ends[1], id=name)

    def value(self, element: etree._Element, name: str) -> str:
        return _attribute(element, name, self.source)

    def fail(self, element: etree._Element, message: str) -> NoReturn:
        raise FormatError(message, source=self.source, line=element.sourceline, document=self.name)


def _solid(text: str) -> str:
    return "".join(text.split())


def _readings(spans: tuple[Span, ...]) -> Iterator[tuple[Span, ...]]:
    """Yield the spans as the file gives them, then one character on.

    So stands one mention of the training files, DDI-DrugBank.d216.s16.e2.
    """
    yield spans
    yield tuple(Span(span.start + 1, span.end + 1) for span in spans)
