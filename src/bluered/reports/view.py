"""What a reader is shown of a document: its concepts by name, its relations with their evidence."""

from bisect import bisect_right
from collections import Counter

from msgspec import Struct

from bluered.documents.checks import SEPARATORS
from bluered.documents.concepts import is_local
from bluered.documents.document import Document, Entity, Relation, Span, known_concepts
from bluered.documents.sentences import sentences
from bluered.normalize.linker import MATCH, NAME, SCORE
from bluered.reports.homes import home_of
from bluered.reports.kinds import OTHER, Kind, kind_of


class Concept(Struct, frozen=True):
    """A concept of a document: the name shown, all its names, its mentions and where it is at home.

    `number` counts from 1 in the order of the first mentions. `preferred` is what the terminology
    calls it, `match` how the name shown led to it and `score` how likely it is right; all three are
    empty where the id came with the document or is local.
    """

    number: int
    id: str
    name: str
    names: tuple[str, ...]
    kind: Kind
    mentions: tuple[Entity, ...]
    home: str | None
    preferred: str = ""
    match: str = ""
    score: str = ""

    @property
    def local(self) -> bool:
        """Whether the id holds in this document only."""
        return is_local(self.id)


class RelationView(Struct, frozen=True):
    """A relation with its two concepts and the sentences that support it, the best first."""

    relation: Relation
    head: Concept
    tail: Concept
    evidence: tuple[Span, ...]

    @property
    def core(self) -> tuple[Span, ...]:
        """The best sentence where it names both concepts, else the best two."""
        best = self.evidence[:1]
        named = (
            any(span.start <= mention.start < span.end for span in best for mention in end.mentions)
            for end in (self.head, self.tail)
        )
        return best if all(named) else self.evidence[:2]

    @property
    def label(self) -> str:
        """The type in words: "Positive correlation"."""
        return self.relation.type.replace("_", " ").capitalize()

    @property
    def novelty(self) -> str:
        """What the document says of its own news: "novel", "background" or "" when unknown."""
        return {True: "novel", False: "background", None: ""}[self.relation.novel]


class View(Struct, frozen=True):
    """A document as it is shown."""

    document: Document
    sentences: tuple[Span, ...]
    concepts: dict[str, Concept]
    relations: tuple[RelationView, ...]

    def concept_of(self, entity: Entity) -> Concept | None:
        """Return the concept a mention is linked to: its first, None where it has no id."""
        return next((self.concepts[c] for c in known_concepts(entity) if c in self.concepts), None)


def view(document: Document) -> View:
    """Return a document's concepts and relations, the surest relations first."""
    parts = tuple(sentences(document))
    concepts = _concepts(document)
    relations = [
        RelationView(
            relation=relation,
            head=concepts[relation.head],
            tail=concepts[relation.tail],
            evidence=relation.evidence
            or _evidence(concepts[relation.head], concepts[relation.tail], parts),
        )
        for relation in document.relations
    ]
    relations.sort(key=lambda r: -(r.relation.confidence or 0))
    return View(document, parts, concepts, tuple(relations))


def _concepts(document: Document) -> dict[str, Concept]:
    mentions: dict[str, list[Entity]] = {}
    for entity in sorted(document.entities, key=lambda e: (e.start, e.end)):
        for concept in known_concepts(entity):
            mentions.setdefault(concept, []).append(entity)
    for relation in document.relations:
        for end in (relation.head, relation.tail):
            if end not in mentions:
                mentions[end] = [e for e in document.entities if _is_joined(e, end)]
    return {
        concept: _concept(number, concept, found)
        for number, (concept, found) in enumerate(mentions.items(), start=1)
    }


def _is_joined(entity: Entity, name: str) -> bool:
    """Tell whether a relation's end is all of a mention's concepts, joined as its corpus does."""
    return len(entity.concepts) > 1 and any(s.join(entity.concepts) == name for s in SEPARATORS)


def _concept(number: int, concept: str, mentions: list[Entity]) -> Concept:
    counts = Counter(entity.text for entity in mentions)
    kind = kind_of(mentions[0].type) if mentions else OTHER
    name = max(counts, key=lambda n: counts[n]) if counts else concept
    found = next((e for e in mentions if e.text == name and MATCH in e.infons), None)
    return Concept(
        number=number,
        id=concept,
        name=name,
        names=tuple(counts),
        kind=kind,
        mentions=tuple(mentions),
        home=home_of(concept, kind.key),
        preferred=preferred_name(concept, found) if found else "",
        match=found.infons[MATCH] if found else "",
        score=_rounded(found.infons.get(SCORE, "")) if found else "",
    )


def preferred_name(concept: str, entity: Entity) -> str:
    """Return what the terminology calls a concept of a linked mention, "" if that is its id."""
    names = entity.infons.get(NAME, "").split("; ")
    if len(entity.concepts) == 1:
        names = ["; ".join(names)]
    if len(names) != len(entity.concepts):
        return ""
    name = dict(zip(entity.concepts, names, strict=True)).get(concept, "")
    return "" if name == concept else name


def _rounded(score: str) -> str:
    try:
        return f"{float(score):.2f}"
    except ValueError:  # infons of other programs may be called so too
        return ""


def _evidence(head: Concept, tail: Concept, parts: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the first sentence that mentions both concepts, where the relation names none."""
    shared = _places(head, parts) & _places(tail, parts)
    return (parts[min(shared)],) if shared else ()


def _places(concept: Concept, parts: tuple[Span, ...]) -> set[int]:
    """Return the numbers of the sentences in which mentions of a concept begin."""
    places = (bisect_right(parts, e.start, key=lambda s: s.start) - 1 for e in concept.mentions)
    return {place for place in places if place >= 0}
