"""The document model: text, passages, entities and relations.

Every offset is a Unicode code point into `Document.text`, half open `[start, end)`, so
`document.text[span.start:span.end]` is the covered text. All types are frozen: a step that adds
something returns a new document (`msgspec.structs.replace`).

They hold no cycles, so the garbage collector need not look at them (`gc=False`). `Span`, `Entity`
and `Relation` take positional arguments too, for readers that build whole columns at once.
"""

from typing import Literal

from msgspec import Struct, field

Combination = Literal["alternatives", "composite"]
"""How several concept ids of one mention belong together.

`alternatives`: it stands for any of them (a gene of a family, or of two species; BioRED's comma).
`composite`: it names all of them ("ventricular tachycardia and fibrillation"; BioRED's bar).
"""


class Span(Struct, frozen=True, order=True, gc=False):
    """A stretch of a document's text, in code points, half open."""

    start: int
    end: int


class Passage(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A part of the document: `type` is "title", "abstract" or a section's name."""

    type: str
    start: int
    end: int
    infons: dict[str, str] = field(default_factory=dict)


class Entity(Struct, frozen=True, omit_defaults=True, gc=False):
    """A mention: one or more spans, in text order, with a type and its concept ids.

    `text` is the mention as its source writes it; for one span it equals the covered text, for
    several (discontinuous mentions) the pieces joined by one space. `concepts` may hold the
    placeholders `-`, `-1` or nothing at all for a mention without a known concept. `infons` keeps
    what one format knows and the model does not, so that the file can be written back unchanged.
    """

    type: str
    spans: tuple[Span, ...]
    text: str
    id: str = ""
    concepts: tuple[str, ...] = ()
    combination: Combination | None = None
    confidence: float | None = None
    infons: dict[str, str] = field(default_factory=dict)

    @property
    def start(self) -> int:
        """The first code point of the mention."""
        return self.spans[0].start

    @property
    def end(self) -> int:
        """One past the last code point of the mention."""
        return self.spans[-1].end


class Relation(Struct, frozen=True, omit_defaults=True, gc=False):
    """A document-level relation between two concepts.

    `head` and `tail` are concept ids as the document's entities write them. BioRED's relations are
    undirected, but the order in the file is kept; `roles` names the two ends where a corpus does
    (BC5CDR: Chemical and Disease). `novel` is None where the corpus does not say. `confidence` is
    the probability of the relation, `novelty_confidence` that of the novelty label.
    `evidence` are the spans of text that support it, the best first.
    """

    type: str
    head: str
    tail: str
    id: str = ""
    novel: bool | None = None
    roles: tuple[str, str] | None = None
    confidence: float | None = None
    novelty_confidence: float | None = None
    evidence: tuple[Span, ...] = ()
    infons: dict[str, str] = field(default_factory=dict)


class MentionRelation(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A sentence-level relation between two mentions, named by their entity ids."""

    type: str
    head: str
    tail: str
    id: str = ""
    roles: tuple[str, str] | None = None
    confidence: float | None = None
    infons: dict[str, str] = field(default_factory=dict)


class Document(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A text with its parts and what is annotated in it.

    Passages do not overlap and stand in text order; what lies between two of them is white space
    that belongs to neither.
    """

    id: str
    text: str
    passages: tuple[Passage, ...] = ()
    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    mention_relations: tuple[MentionRelation, ...] = ()
    infons: dict[str, str] = field(default_factory=dict)


PLACEHOLDERS = frozenset({"", "-", "-1", "None"})
"""What corpora write where a mention has no concept: BioRED `-`, BC5CDR `-1`."""


def known_concepts(entity: Entity) -> tuple[str, ...]:
    """Return the entity's concept ids without the placeholders for "no id"."""
    return tuple(c for c in entity.concepts if c not in PLACEHOLDERS)


def covered_text(text: str, spans: tuple[Span, ...]) -> str:
    """Return what the spans cover; the pieces of a discontinuous mention joined by one space."""
    return " ".join(text[span.start : span.end] for span in spans)


def simple_document(document_id: str, title: str, abstract: str = "") -> Document:
    """Return a document of a title and an abstract, one space between them, as PubTator joins them.

    An absent abstract still makes a passage (of length 0), since PubTator writes its line.
    """
    text = f"{title} {abstract}"
    passages = (
        Passage(type="title", start=0, end=len(title)),
        Passage(type="abstract", start=len(title) + 1, end=len(text)),
    )
    return Document(id=document_id, text=text, passages=passages)
