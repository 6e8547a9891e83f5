"""`--scorer correct`: what BioRED's paper means to count, each rule in one function.

Mentions and relations are sets per document, so a duplicate counts once; counts are summed over
documents (micro). A document that the prediction lacks is missed as a whole; what is predicted for
a document that the gold lacks is false. docs/scores.md lists the rules for readers.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set

from msgspec import Struct

from bluered.documents.biored_types import ENTITY_TYPES, RELATION_TYPES
from bluered.documents.concepts import concept_types
from bluered.documents.document import Document, Relation
from bluered.metrics.counts import Counts, compare
from bluered.tasks.biored.labels import (
    CONCEPT_PAIRS,
    UNKNOWN_PAIR,
    concept_key,
    entity_type,
    relation_type,
)
from bluered.tasks.scores import Paired, Path, Scores, collect, pair_documents

MEASURES = ("pair", "type", "novelty", "all")
"""What must agree besides the two concepts: nothing, the type, the novelty, or both."""

Mention = tuple[tuple[tuple[int, int], ...], str]


class Claim(Struct, frozen=True):
    """A relation as it is compared: unordered concept keys, their pair of types, its labels."""

    ends: tuple[str, str]
    pair: str
    type: str
    novel: bool | None

    def key(self, measure: str) -> tuple[object, ...]:
        """Return what must be equal for this measure."""
        match measure:
            case "pair":
                return (self.ends,)
            case "type":
                return (self.ends, self.type)
            case "novelty":
                return (self.ends, self.novel)
        return (self.ends, self.type, self.novel)


def score(gold: Iterable[Document], predicted: Iterable[Document]) -> Scores:
    """Score mentions and relations."""
    pairs = pair_documents(gold, predicted)
    notes: Counter[str] = Counter()
    counts = collect(_document(pair, notes) for pair in pairs)
    return Scores(
        task="biored",
        scorer="correct",
        documents=tuple(pair.id for pair in pairs),
        counts=_in_order(counts),
        notes=dict(notes),
    )


def mentions(document: Document | None) -> set[Mention]:
    """Return the document's mentions: all spans of each, exactly, and the type.

    Type names of other systems are brought to BioRED's (`labels.entity_type`). A discontinuous
    mention is right only with all of its spans.
    """
    if document is None:
        return set()
    return {
        (tuple((span.start, span.end) for span in entity.spans), entity_type(entity.type))
        for entity in document.entities
    }


def concept_pair(first: str | None, second: str | None) -> str | None:
    """Return the name of the pair two concept types make, or None for one BioRED does not relate.

    A concept that no mention names has no type: its pair is `unknown`.
    """
    if first is None or second is None:
        return UNKNOWN_PAIR
    return CONCEPT_PAIRS.get(frozenset({first, second}))


def types_of(document: Document | None) -> dict[str, str]:
    """Return each concept's type in BioRED's words, by the key that concepts are compared by."""
    if document is None:
        return {}
    types = concept_types(document).items()
    return {concept_key(concept): entity_type(name) for concept, name in types}


def claim(relation: Relation, types: Mapping[str, str]) -> Claim | None:
    """Return the relation as it is compared, or None if it is outside the eight concept pairs.

    The order of the two concepts does not count (BioRED's relations are undirected), a relation of
    a concept with itself stays. A relation outside the eight pairs (disease with disease, gene
    with variant, anything with a species or cell line) was no part of the annotation: it is
    neither right nor wrong, in gold and prediction alike.
    """
    head, tail = sorted((concept_key(relation.head), concept_key(relation.tail)))
    pair = concept_pair(types.get(head), types.get(tail))
    if pair is None:
        return None
    return Claim((head, tail), pair, relation_type(relation.type), relation.novel)


def gold_claims(pair: Paired, notes: Counter[str] | None = None) -> set[Claim]:
    """Return the gold relations of a document; the types are those of its first mentions."""
    return _claims(pair.gold, types_of(pair.gold), "gold", notes)


def predicted_claims(pair: Paired, notes: Counter[str] | None = None) -> set[Claim]:
    """Return the predicted relations of a document.

    A concept has the type the gold gives it; only of one that the gold does not mention the
    prediction's own mentions decide. Two types or novelties predicted for one pair are two claims:
    the pair counts once, and each label is judged. A prediction without novelty is wrong wherever
    the novelty counts.
    """
    types = types_of(pair.predicted) | types_of(pair.gold)
    return _claims(pair.predicted, types, "predicted", notes)


def _claims(
    document: Document | None, types: Mapping[str, str], side: str, notes: Counter[str] | None
) -> set[Claim]:
    found: set[Claim] = set()
    for relation in document.relations if document else ():
        one = claim(relation, types)
        if one is not None:
            found.add(one)
        elif notes is not None:
            notes[f"{side} relations outside the eight concept pairs, not judged"] += 1
    return found


def _document(pair: Paired, notes: Counter[str]) -> dict[Path, Counts]:
    gold, predicted = mentions(pair.gold), mentions(pair.predicted)
    measures: dict[Path, Counts] = {("ner", "overall"): compare(gold, predicted)}
    for name in {name for _, name in gold | predicted}:
        measures["ner", "by_type", name] = compare(
            {m for m in gold if m[1] == name}, {m for m in predicted if m[1] == name}
        )
    measures.update(relation_measures(gold_claims(pair, notes), predicted_claims(pair, notes)))
    return measures


def relation_measures(gold: Set[Claim], predicted: Set[Claim]) -> dict[Path, Counts]:
    """Compare two sets of claims: overall, by pair of concept types, by relation type."""
    measures: dict[Path, Counts] = {}
    for measure in MEASURES:
        measures["relations", measure] = _compare(gold, predicted, measure)
    for name in {one.pair for one in gold | predicted}:
        left = {one for one in gold if one.pair == name}
        right = {one for one in predicted if one.pair == name}
        for measure in MEASURES:
            path = ("relations", "by_concept_pair", name, measure)
            measures[path] = _compare(left, right, measure)
    for name in {one.type for one in gold | predicted}:
        left = {one for one in gold if one.type == name}
        right = {one for one in predicted if one.type == name}
        for measure in ("type", "all"):
            path = ("relations", "by_relation_type", name, measure)
            measures[path] = _compare(left, right, measure)
    return measures


def _compare(gold: Iterable[Claim], predicted: Iterable[Claim], measure: str) -> Counts:
    return compare({one.key(measure) for one in gold}, {one.key(measure) for one in predicted})


def _in_order(counts: Mapping[Path, list[Counts]]) -> dict[Path, list[Counts]]:
    """Put the measures in the order of the paper's tables; what never occurs is left out."""
    known = [path for path in _paths() if path in counts]
    return {path: counts[path] for path in [*known, *sorted(counts.keys() - set(known))]}


def _paths() -> Iterator[Path]:
    yield ("ner", "overall")
    for name in ENTITY_TYPES:
        yield ("ner", "by_type", name)
    for measure in MEASURES:
        yield ("relations", measure)
    for name in CONCEPT_PAIRS.values():
        for measure in MEASURES:
            yield ("relations", "by_concept_pair", name, measure)
    for name in RELATION_TYPES:
        for measure in ("type", "all"):
            yield ("relations", "by_relation_type", name, measure)
