"""Why each name of a document has its concept id.

What was chosen, how it was found, what came second, and why some names have a local id only.
"""

from collections.abc import Iterator, Sequence
from math import log

from msgspec.structs import replace

from bluered.documents.biored_types import ENTITY_TYPES, GENE, SPECIES, VARIANT
from bluered.documents.document import Document, Entity, Span, known_concepts
from bluered.normalize.decisions import Choice, Decision
from bluered.normalize.features import Features
from bluered.normalize.linker import Link, Linker, Links, explanations, match
from bluered.normalize.reasons import Topic, how, species_reason, topic_of, topic_words
from bluered.normalize.terminology import Terminology
from bluered.normalize.variants import VariantLink
from bluered.pipeline.concepts import add_local_concepts
from bluered.pipeline.explanation import (
    Considered,
    Explanation,
    Name,
    Part,
    Reading,
    Reason,
    Species,
)

_LEAST_ADDED = 0.05  # what adds less to a score is no reason
_SURE = 1e-9  # keeps the odds finite


def explain(
    document: Document, linker: Linker, *, given: Document | None = None, limit: int = 3
) -> Explanation:
    """Return why the mentions of a document get their ids; those they have are not looked at.

    `given` is the document whose ids are shown beside ours, this one by default; `limit` is how
    many candidates of each name are told of.
    """
    bare = replace(document, entities=tuple(map(_without_ids, document.entities)), relations=())
    linked, links = linker.link(bare)
    final = add_local_concepts(linked)
    told = _given_ids(given or document)
    explaining = _Explaining(linker, links, linked, final, limit)
    names = [
        replace(name, given=_distinct(told.get((name.type, span), ()) for span in name.mentions))
        for name in explaining.names()
    ]
    return Explanation(document.id, tuple(sorted(names, key=lambda name: name.mentions[0])))


def _without_ids(entity: Entity) -> Entity:
    return Entity(entity.type, entity.spans, entity.text, entity.id)


def _given_ids(document: Document) -> dict[tuple[str, Span], tuple[str, ...]]:
    """Return the ids that came with a document by type and first span of their mention."""
    return {(e.type, e.spans[0]): known_concepts(e) for e in document.entities}


def _distinct(ids: Iterator[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for some in ids for one in some))


class _Explaining:
    """What was decided about one document, put together name by name."""

    def __init__(
        self, linker: Linker, links: Links, linked: Document, final: Document, limit: int
    ) -> None:
        self._linker = linker
        self._terms: Terminology = linker.terms
        self._links = links
        self._linked = linked
        self._final = final
        self._limit = limit

    def names(self) -> Iterator[Name]:
        """Yield the names decided on, the variants, then those that are not linked at all."""
        for link in explanations(self._links):
            parts = tuple(self._part(link, decision) for decision in link.decisions)
            yield replace(self._name(link.group.mentions), parts=parts)
        for mentions in self._same_variants():
            reading = self._links.variants.get(mentions[0])
            name = self._name(mentions)
            if reading is None:
                yield replace(name, why_not="it could not be read as a sequence variant")
            else:
                yield replace(name, variant=self._reading(reading))
        others = [n for n, e in enumerate(self._final.entities) if e.type not in ENTITY_TYPES]
        for mentions in _by_text(self._final, others):
            why = f"mentions of the type {self._final.entities[mentions[0]].type} are not linked"
            yield replace(self._name(mentions), why_not=why)

    def _name(self, mentions: Sequence[int]) -> Name:
        entities = [self._final.entities[number] for number in mentions]
        linked = bool(known_concepts(self._linked.entities[mentions[0]]))
        ids = known_concepts(entities[0])
        lent_by = ""
        if not linked:
            lenders = (e for e in self._linked.entities if known_concepts(e) == ids)
            lent_by = next((e.text for e in lenders if e.type == entities[0].type), "")
        return Name(
            name=entities[0].text,
            type=entities[0].type,
            mentions=tuple(entity.spans[0] for entity in entities),
            ids=ids,
            local=not linked and not lent_by,
            lent_by=lent_by,
        )

    def _part(self, link: Link, decision: Decision) -> Part:
        asked, choices = decision.asked, decision.choices
        least = self._linker.ranker.least.get(asked.type, 0.0)
        chosen = decision.chosen(least)
        mentions = [self._linked.entities[number] for number in link.group.mentions]
        species = species_reason(mentions, asked, self._links.context)
        return Part(
            name=asked.name,
            id=self._linker.concept(chosen).id if chosen else "",
            candidates=tuple(self._considered(c, decision) for c in choices[: self._limit]),
            more=max(0, len(choices) - self._limit),
            because=self._because(decision),
            long_form=asked.long_form,
            species=Species(
                species.taxon, self._species(species.taxon), species.where, species.words
            )
            if species
            else None,
            why_not="" if chosen else _why_not(decision, least),
        )

    def _considered(self, choice: Choice, decision: Decision) -> Considered:
        concept = self._linker.concept(choice)
        return Considered(
            id=concept.id,
            name=concept.name,
            species=self._species(concept.taxon) if concept.type == GENE else "",
            match=match(choice),
            how=how(choice.candidate.best, decision.asked),
            probability=round(choice.probability, 4),
        )

    def _because(self, decision: Decision) -> tuple[Reason, ...]:
        """Return what the first candidate has over the second, by topic, the strongest first."""
        if len(decision.choices) < 2:
            return ()
        first, second = (choice.features for choice in decision.choices[:2])
        score = self._score(first, decision)
        reasons: list[Reason] = []
        topics: dict[Topic, None] = {topic_of(name): None for name in {**first, **second}}
        for topic in topics:
            kept = {name: value for name, value in first.items() if topic_of(name) != topic}
            like = {name: value for name, value in second.items() if topic_of(name) == topic}
            adds = score - self._score(kept | like, decision)
            if abs(adds) >= _LEAST_ADDED:
                words = topic_words(topic, for_first=adds > 0)
                reasons.append(Reason(topic, words, round(adds, 3)))
        return tuple(sorted(reasons, key=lambda reason: -abs(reason.adds)))

    def _score(self, features: Features, decision: Decision) -> float:
        """Return a candidate's score: the log odds that it is right, were it the only one."""
        (probability,) = self._linker.ranker.probabilities([features], type=decision.asked.type)
        probability = min(max(probability, _SURE), 1 - _SURE)
        return log(probability / (1 - probability))

    def _reading(self, link: VariantLink) -> Reading:
        gene = self._terms.number(link.gene, type=GENE) if link.gene else None
        return Reading(
            id=link.concepts[0],
            form=link.form,
            match=link.match,
            reason=link.reason,
            probability=link.score,
            gene=link.gene,
            gene_name=self._terms.name(gene) if gene is not None else "",
            runner_up=link.runner_up,
        )

    def _same_variants(self) -> list[list[int]]:
        variants = [n for n, e in enumerate(self._final.entities) if e.type == VARIANT]
        return _by_text(self._final, variants)

    def _species(self, taxon: str) -> str:
        """Return what a species is called, its number where it has no name."""
        number = self._terms.number(taxon, type=SPECIES) if taxon else None
        return self._terms.name(number) if number is not None else taxon


def _by_text(document: Document, numbers: Sequence[int]) -> list[list[int]]:
    """Return the mentions of one type, text and id together."""
    found: dict[tuple[str, str, tuple[str, ...]], list[int]] = {}
    for number in numbers:
        entity = document.entities[number]
        found.setdefault((entity.type, entity.text, entity.concepts), []).append(number)
    return list(found.values())


def _why_not(decision: Decision, least: float) -> str:
    """Return why a name has no id of its own."""
    if not decision.choices:
        return "no concept of the terminology has this name, or one like it"
    best = decision.choices[0].probability
    return f"the likeliest concept has a probability of {best:.2f}, under the least of {least:.2f}"
