"""Where the relations from text are lost: at mentions, ids, pairs, types or novelty.

Every error is charged to the first stage that made it. A link of the chain is the F1 that is left
when the errors of all stages up to it stay and those of later stages are repaired:

- mentions: a gold pair is missed if one of its concepts has no mention; a predicted pair is false
  through a concept whose mentions touch no gold mention of their type.
- ids: a gold pair is missed if no id names one of its concepts; a predicted pair is false through
  a concept whose mentions all stand for other ones in the gold.
- pair: all other missed and false pairs. This link is the official F1 of pairs.
- type: pairs with another type. This link is the official F1 of pair and type.
- novelty: pairs with another novelty. This link is the official F1 of "all".

What a link lies lower than the one before is what its stage has lost; the losses sum to 100 minus
the final F1. A predicted mention stands for the gold mention of its type with which it shares most
characters, so that an id can be right where a border is not. A concept that the prediction names
without such a mention counts as reached all the same. Two labels for one pair can make a later
link the higher one, since they are one pair and two claims.
"""

from collections.abc import Iterable, Mapping, Set

from msgspec.structs import replace

from bluered.documents.document import Document, Entity
from bluered.metrics.counts import Counts
from bluered.tasks.biored.align import concept_names
from bluered.tasks.biored.correct import (
    Claim,
    gold_claims,
    predicted_claims,
    relation_measures,
)
from bluered.tasks.biored.labels import concept_key, entity_type
from bluered.tasks.scores import Paired, Path, Scores, collect, pair_documents

WATERFALL = "waterfall"

Ends = tuple[str, str]

STAGES = ("mentions", "ids", "pair", "type", "novelty")
"""The links of the chain in their order; the last one is the finished relations."""


def score(gold: Iterable[Document], predicted: Iterable[Document]) -> Scores:
    """Score each link of the chain, under "waterfall"; the prediction was made from text."""
    pairs = pair_documents(gold, predicted)
    return _scores(pairs, collect(map(_links, pairs)))


def score_alone(gold: Iterable[Document], related: Iterable[Document]) -> Scores:
    """Score types and novelties of the right pairs among relations of given entities.

    Of each right pair the label is right or wrong, so F1 is the accuracy; of several predicted
    labels all must be the gold's. The measures stand under "right_pairs".
    """
    pairs = pair_documents(gold, related)
    return _scores(pairs, collect(map(_right_pairs, pairs)))


def with_gold_ids(gold: Document, predicted: Document) -> Document:
    """Return predicted mentions with the ids a perfect linker would give them, and no relations.

    Each has those of the gold mention it stands for; one that stands for none has none.
    """
    entities = []
    for entity in predicted.entities:
        other = counterpart(entity, gold)
        ids = other.concepts if other else ()
        combination = other.combination if other else None
        entities.append(replace(entity, concepts=ids, combination=combination))
    return replace(predicted, entities=tuple(entities), relations=())


def counterpart(entity: Entity, gold: Document) -> Entity | None:
    """Return the gold mention that a predicted one stands for.

    It has the same type and shares most characters; of equals it is the shorter, then the first.
    """
    kind = entity_type(entity.type)
    ranked = [
        (-shared, _length(other), number)
        for number, other in enumerate(gold.entities)
        if entity_type(other.type) == kind and (shared := _overlap(entity, other))
    ]
    return gold.entities[min(ranked)[-1]] if ranked else None


def _overlap(one: Entity, other: Entity) -> int:
    """Return how many characters two mentions share."""
    return sum(
        max(0, min(a.end, b.end) - max(a.start, b.start)) for a in one.spans for b in other.spans
    )


def _length(entity: Entity) -> int:
    return sum(span.end - span.start for span in entity.spans)


def _links(pair: Paired) -> dict[Path, Counts]:
    gold, predicted = gold_claims(pair), predicted_claims(pair)
    measures = relation_measures(gold, predicted)
    sought, found = {claim.ends for claim in gold}, {claim.ends for claim in predicted}
    named = _named(pair.predicted)
    possible = named
    if pair.gold and pair.predicted:
        possible = named | _named(with_gold_ids(pair.gold, pair.predicted))
    stages = _stages_of_concepts(pair)
    blamed = [_blamed(ends, stages) for ends in found - sought]
    return {
        (WATERFALL, "mentions"): _reached(sought, possible, blamed.count("mentions")),
        (WATERFALL, "ids"): _reached(sought, named, len(blamed) - blamed.count("pair")),
        (WATERFALL, "pair"): measures["relations", "pair"],
        (WATERFALL, "type"): measures["relations", "type"],
        (WATERFALL, "novelty"): measures["relations", "all"],
    }


def _named(document: Document | None) -> set[str]:
    """Return the concepts that a document's mentions or relations name."""
    if document is None:
        return set()
    ends = {concept_key(end) for r in document.relations for end in (r.head, r.tail)}
    return ends.union(*map(concept_names, document.entities))


def _reached(sought: Set[Ends], named: Set[str], false: int) -> Counts:
    """Count the gold pairs that can be found between named concepts, and some false ones."""
    reached = sum(named >= set(ends) for ends in sought)
    return Counts(tp=reached, fp=false, fn=len(sought) - reached)


def _blamed(ends: Ends, stages: Mapping[str, str]) -> str:
    """Return the stage that is charged with a false pair: the first that went wrong at an end."""
    return min((stages.get(end, "pair") for end in ends), key=STAGES.index)


def _stages_of_concepts(pair: Paired) -> dict[str, str]:
    """Return for each predicted concept the stage that went wrong: "pair" is none before that.

    The best of its mentions decides: one that stands for a gold mention of the concept, one that
    stands for another, one that stands for none.
    """
    found: dict[str, str] = {}
    for entity in pair.predicted.entities if pair.predicted else ():
        other = counterpart(entity, pair.gold) if pair.gold else None
        right = concept_names(other) if other else set()
        for name in concept_names(entity):
            stage = "pair" if name in right else "ids" if other else "mentions"
            found[name] = max(stage, found.get(name, stage), key=STAGES.index)
    return found


def _right_pairs(pair: Paired) -> dict[Path, Counts]:
    gold, predicted = _labels(gold_claims(pair)), _labels(predicted_claims(pair))
    measures: dict[Path, Counts] = {}
    for ends in gold.keys() & predicted.keys():
        for place, name in enumerate(("type", "novelty")):
            wanted, found = ({labels[place] for labels in side[ends]} for side in (gold, predicted))
            outcome = Counts(tp=1) if found <= wanted else Counts(fp=1, fn=1)
            path = ("right_pairs", name)
            measures[path] = measures.get(path, Counts()) + outcome
    return measures


def _labels(claims: Iterable[Claim]) -> dict[Ends, set[tuple[str, bool | None]]]:
    found: dict[Ends, set[tuple[str, bool | None]]] = {}
    for claim in claims:
        found.setdefault(claim.ends, set()).add((claim.type, claim.novel))
    return found


def _scores(pairs: Iterable[Paired], counts: dict[Path, list[Counts]]) -> Scores:
    documents = tuple(pair.id for pair in pairs)
    return Scores(task="biored", scorer="correct", documents=documents, counts=counts)
