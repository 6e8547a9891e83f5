"""The step that gives a document's mentions their concept ids.

Species come first, since genes are told apart by them, then genes, diseases, chemicals and cell
lines by their names, then variants, which belong to genes. A mention that has an id keeps it; one
that nothing is known of stays without, and the pipeline gives it a local id.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from bluered.documents.biored_types import VARIANT
from bluered.documents.document import Document, Entity, known_concepts
from bluered.normalize.candidates import Finder
from bluered.normalize.context import Context
from bluered.normalize.decisions import Choice, Decider, Decision
from bluered.normalize.grouping import Group
from bluered.normalize.locate import find_terminology
from bluered.normalize.ngrams import NgramIndex
from bluered.normalize.ranker import Ranker, shipped_ranker
from bluered.normalize.terminology import Concept, Terminology
from bluered.normalize.variants import VariantLink, link_variants

NAME, MATCH, SCORE = "concept_name", "match", "score"
"""The infons of a linked entity: preferred name(s) of its concept(s), how it was found, and the
probability that the id is right (of several ids, the least)."""


class Link(Struct, frozen=True):
    """Why the mentions of a name have their ids: one decision for each part of the name."""

    group: Group
    decisions: tuple[Decision, ...]


class Links(Struct, frozen=True):
    """Everything decided about a document; variants by the number of their entity."""

    context: Context
    names: tuple[Link, ...]
    variants: Mapping[int, VariantLink]


class Linker:
    """Links documents with a terminology; may be used by several threads at once."""

    def __init__(self, terms: Terminology, ranker: Ranker) -> None:
        """Take the terminology and the ranker's weights."""
        self.terms = terms
        self.ranker = ranker
        self._decider = Decider(terms, Finder(terms, _index(terms)), ranker)

    def __call__(self, document: Document) -> Document:
        """Return the document with concept ids at the mentions that were linked."""
        return self.link(document)[0]

    def link(self, document: Document) -> tuple[Document, Links]:
        """Return the linked document, and everything that was decided."""
        context = self._decider.context(document)
        names = tuple(
            Link(group, tuple(decisions))
            for group, decisions in self._decider.decide(document, context)
        )
        entities = list(document.entities)
        for link in names:
            choices = self.chosen(link)
            for number in link.group.mentions if choices else ():
                entities[number] = self._linked(entities[number], choices)
        named = replace(document, entities=tuple(entities))
        variants = {
            number: link
            for number, link in link_variants(named).items()
            if not known_concepts(entities[number])
        }
        for number, link in variants.items():
            entities[number] = _variant(entities[number], link)
        return replace(document, entities=tuple(entities)), Links(context, names, variants)

    def chosen(self, link: Link) -> list[Choice]:
        """Return what a name was decided to stand for, one choice for each part; none is no id."""
        least = self.ranker.least.get(link.group.type, 0.0)
        choices = [decision.chosen(least) for decision in link.decisions]
        return [choice for choice in choices if choice is not None]

    def knows(self, kind: str, concept: str) -> bool:
        """Tell whether an id of an entity type can be found at all; any variant's can."""
        return kind == VARIANT or self.terms.holds(kind, concept)

    def _linked(self, entity: Entity, choices: list[Choice]) -> Entity:
        concepts = list(dict.fromkeys(self.concept(choice) for choice in choices))
        score = min(choice.probability for choice in choices)
        infons = {
            NAME: "; ".join(concept.name for concept in concepts),
            MATCH: "; ".join(dict.fromkeys(match(choice) for choice in choices)),
            SCORE: f"{score:.3f}",
        }
        return replace(
            entity,
            concepts=tuple(concept.id for concept in concepts),
            # as BioRED does: 367 of train's 370 such mentions, and relations name single ids
            combination="alternatives" if len(concepts) > 1 else None,
            infons=entity.infons | infons,
        )

    def concept(self, choice: Choice) -> Concept:
        """Return the concept of a choice."""
        return self.terms.concept(choice.candidate.concept)


def match(choice: Choice) -> str:
    """Return how a concept was found, by its best evidence: "exact synonym", "shorter name"."""
    best = choice.candidate.best
    return f"{best.route} {best.kind}"


def _variant(entity: Entity, link: VariantLink) -> Entity:
    infons = {NAME: link.form or link.concepts[0], MATCH: link.match, SCORE: f"{link.score:.3f}"}
    if link.gene:
        infons["gene"] = link.gene
    return replace(entity, concepts=link.concepts, infons=entity.infons | infons)


def _index(terms: Terminology) -> NgramIndex | None:
    return NgramIndex(terms.folder) if terms.has_index else None


def load_linker(terms: str | None = None) -> Linker:
    """Return the linker of a terminology: the shipped one, or by name or folder."""
    return Linker(Terminology(find_terminology(terms)), shipped_ranker())


def explanations(links: Links) -> Iterator[Link]:
    """Yield the decisions on names in the order of their first mention."""
    yield from sorted(links.names, key=lambda link: link.group.mentions[0])
