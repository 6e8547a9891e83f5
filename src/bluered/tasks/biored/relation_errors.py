"""Which relations are missed and invented: near and far, in short and long documents, which type.

Concepts stand where the gold mentions them; only of a pair with a concept that the gold does not
mention the prediction's own mentions decide, so that gold and prediction of a pair are in one
group.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest

from msgspec import Struct

from bluered.documents.document import Document, Entity, Span
from bluered.documents.sentences import sentences
from bluered.metrics.counts import Counts, compare
from bluered.tasks.biored.align import concept_names
from bluered.tasks.biored.correct import Claim, gold_claims, predicted_claims
from bluered.tasks.biored.labels import CONCEPT_PAIRS, UNKNOWN_PAIR
from bluered.tasks.scores import Paired, pair_documents

MEASURES = ("pair", "type", "all")

NO_RELATION = "none"
"""The other side of a pair in the confusion of types that only one side has."""

DISTANCES = (20, 50, 100, 200, 400)
"""Where classes of distance begin, in characters between the nearest mentions."""

TOGETHER, APART, NOWHERE = "one sentence", "several sentences", "not mentioned"

Ends = tuple[str, str]
Group = tuple[str, str]
"""A way to group relations, and a member of it: ("sentence", "one sentence")."""


class RelationErrors(Struct, frozen=True):
    """Counts of each group and measure, and how often a gold type was said to be another."""

    groups: dict[Group, dict[str, Counts]]
    confusion: dict[tuple[str, str], int]


def relation_errors(gold: Iterable[Document], predicted: Iterable[Document]) -> RelationErrors:
    """Return the errors of predicted relations by what is known of their pairs and documents."""
    pairs = pair_documents(gold, predicted)
    size = _thirds(pairs, lambda document: len(document.text))
    concepts = _thirds(pairs, lambda document: len(_places(document)))
    groups: dict[Group, dict[str, Counts]] = {}
    confusion: Counter[tuple[str, str]] = Counter()
    for pair in pairs:
        known, said = gold_claims(pair), predicted_claims(pair)
        whole = {"concepts": concepts(pair), "length": size(pair)}
        layouts = _Layouts(pair)
        sides: dict[Group, tuple[list[Claim], list[Claim]]] = {}
        for side, claims in enumerate((known, said)):
            for one in claims:
                for way, member in (layouts.of(one.ends) | {"pair": one.pair} | whole).items():
                    sides.setdefault((way, member), ([], []))[side].append(one)
        for group, (left, right) in sides.items():
            counts = groups.setdefault(group, dict.fromkeys(MEASURES, Counts()))
            for measure in MEASURES:
                counts[measure] += _compare(left, right, measure)
        confusion.update(_confused(known, said))
    return RelationErrors(_in_order(groups, size.members, concepts.members), dict(confusion))


class _Layouts:
    """Where the concepts of a document stand."""

    def __init__(self, pair: Paired) -> None:
        self._sides = [
            (_places(side), sentences(side)) for side in (pair.gold, pair.predicted) if side
        ]

    def of(self, ends: Ends) -> dict[str, str]:
        """Return the groups of a pair of concepts."""
        for places, parts in self._sides:
            if ends[0] in places and ends[1] in places:
                left, right = (places[end] for end in ends)
                shared = _numbers(left, parts) & _numbers(right, parts)
                gap = min(_gap(a, b) for a in left for b in right)
                return {"sentence": TOGETHER if shared else APART, "distance": _class(gap)}
        return {"sentence": NOWHERE, "distance": NOWHERE}


def _places(document: Document) -> dict[str, list[Entity]]:
    """Return the mentions of each concept by its key."""
    found: dict[str, list[Entity]] = {}
    for entity in document.entities:
        for name in concept_names(entity):
            found.setdefault(name, []).append(entity)
    return found


def _numbers(mentions: Iterable[Entity], parts: Sequence[Span]) -> set[int]:
    """Return the numbers of the sentences in which mentions begin."""
    return {bisect_right(parts, one.start, key=lambda part: part.start) - 1 for one in mentions}


def _gap(one: Entity, other: Entity) -> int:
    return max(0, other.start - one.end, one.start - other.end)


def _class(gap: int) -> str:
    number = bisect_right(DISTANCES, gap)
    if number == len(DISTANCES):
        return f"{DISTANCES[-1]} and more"
    return f"{DISTANCES[number - 1] if number else 0} to {DISTANCES[number] - 1}"


class _Thirds:
    """Sorts documents into three groups of about equal numbers; equal ones stay together."""

    def __init__(self, sizes: Sequence[int], of: Callable[[Document], int]) -> None:
        ranked = sorted(sizes)
        self._of = of
        self._cuts = sorted({ranked[len(ranked) * part // 3] for part in (1, 2)})
        classes = [bisect_right(self._cuts, size) for size in ranked]
        spans = {
            number: [s for s, c in zip(ranked, classes, strict=True) if c == number]
            for number in range(len(self._cuts) + 1)
        }
        self.members = tuple(
            f"{inside[0]} to {inside[-1]}" if inside else "" for inside in spans.values()
        )

    def __call__(self, pair: Paired) -> str:
        document = pair.gold or pair.predicted
        return self.members[bisect_right(self._cuts, self._of(document))] if document else ""


def _thirds(pairs: Iterable[Paired], of: Callable[[Document], int]) -> _Thirds:
    documents = [pair.gold or pair.predicted for pair in pairs]
    return _Thirds([of(document) for document in documents if document], of)


def _compare(left: Iterable[Claim], right: Iterable[Claim], measure: str) -> Counts:
    return compare({one.key(measure) for one in left}, {one.key(measure) for one in right})


def _confused(known: Iterable[Claim], said: Iterable[Claim]) -> Counter[tuple[str, str]]:
    """Count (gold type, said type) of each pair; of several types equal ones meet first."""
    types: dict[Ends, tuple[set[str], set[str]]] = {}
    for side, claims in enumerate((known, said)):
        for one in claims:
            types.setdefault(one.ends, (set(), set()))[side].add(one.type)
    found: Counter[tuple[str, str]] = Counter()
    for left, right in types.values():
        found.update((same, same) for same in left & right)
        rest = zip_longest(sorted(left - right), sorted(right - left), fillvalue=NO_RELATION)
        found.update(rest)
    return found


def _in_order(
    groups: Mapping[Group, dict[str, Counts]], sizes: Sequence[str], concepts: Sequence[str]
) -> dict[Group, dict[str, Counts]]:
    members = {
        "sentence": (TOGETHER, APART, NOWHERE),
        "distance": (*map(_class, (0, *DISTANCES)), NOWHERE),
        "length": sizes,
        "concepts": concepts,
        "pair": (*CONCEPT_PAIRS.values(), UNKNOWN_PAIR),
    }
    ordered = ((way, member) for way, names in members.items() for member in names)
    return {group: groups[group] for group in ordered if group in groups}
