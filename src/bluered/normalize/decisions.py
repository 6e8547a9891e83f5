"""From a document's mentions to a decision for each name: the candidates, weighed."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from bluered.documents.biored_types import GENE, SPECIES
from bluered.documents.document import Document
from bluered.normalize.candidates import Candidate, Finder, Names, Route
from bluered.normalize.composites import parts
from bluered.normalize.context import Context, read_context
from bluered.normalize.features import Asked, Features, Seen, features
from bluered.normalize.grouping import LINKED_TYPES, Group, given, groups, most_frequent
from bluered.normalize.names import name_key
from bluered.normalize.ranker import Ranker
from bluered.normalize.terminology import Terminology

_BY_LONG_FORM: dict[Route, Route] = {"exact": "long form"}
_SURE = {"exact", "long form", "word order"}
_OTHER_TYPES = tuple(kind for kind in LINKED_TYPES if kind != SPECIES)


class Choice(Struct, frozen=True):
    """A candidate with its features and probability."""

    candidate: Candidate
    features: Features
    probability: float


class Decision(Struct, frozen=True):
    """What a name stands for: its candidates, best first.

    `asked` is the name that was looked up: the group's own, or a part of a composite mention.
    """

    asked: Asked
    choices: tuple[Choice, ...]

    def chosen(self, least: float = 0.0) -> Choice | None:
        """Return the best candidate, if it is likely enough."""
        if self.choices and self.choices[0].probability >= least:
            return self.choices[0]
        return None


class Decider:
    """Decides on the mentions of documents with a terminology, its seen names and a ranker."""

    def __init__(self, terms: Terminology, finder: Finder, ranker: Ranker) -> None:
        """Take what the decisions rest on."""
        self._terms = terms
        self._finder = finder
        self._ranker = ranker
        self._totals = terms.seen_totals()

    def context(self, document: Document) -> Context:
        """Return the context of a document, its species linked first."""
        plain = read_context(document, ())
        found = list(given(document, SPECIES))
        for group, decisions in self.decide(document, plain, (SPECIES,)):
            if choice := decisions[0].chosen():
                taxon = self._terms.concept(choice.candidate.concept).id
                found += [(document.entities[number], taxon) for number in group.mentions]
        return read_context(document, found)

    def decide(
        self,
        document: Document,
        context: Context,
        types: Sequence[str] = LINKED_TYPES,
        *,
        less: Names = frozenset(),
    ) -> list[tuple[Group, list[Decision]]]:
        """Return the decisions for each group: one, or one for each part of a composite mention.

        `less` are the names (key and concept) that this document itself adds to the seen ones.
        """
        found = groups(document, types)
        seen = Seen(self._totals, less)
        finder = self._finder.without(less)
        candidates = [_candidates(finder, group, context) for group in found]
        others = _named_otherwise(found, candidates)
        decisions: list[tuple[Group, list[Decision]]] = []
        for number, (group, some) in enumerate(zip(found, candidates, strict=True)):
            asked = self._asked(document, group, context, others[number])
            split = [] if _is_sure(some) else self._split(finder, asked, context, seen)
            decisions.append((group, split or [self._decision(asked, some, context, seen)]))
        return _as_defined(decisions, context)

    def _asked(
        self, document: Document, group: Group, context: Context, others: Mapping[int, int]
    ) -> Asked:
        near = beside = ""
        if group.type == GENE:
            mentions = [document.entities[number] for number in group.mentions]
            near = most_frequent(context.species_near(mention) for mention in mentions)
            beside = most_frequent(filter(None, map(context.species_beside, mentions)))
        long_form = context.spelt_out(group.name)
        return Asked(group.name, group.type, long_form, near, beside, others)

    def _decision(
        self, asked: Asked, candidates: list[Candidate], context: Context, seen: Seen
    ) -> Decision:
        weighed = features(candidates, asked, context=context, terms=self._terms, seen=seen)
        probabilities = self._ranker.probabilities(weighed, type=asked.type)
        choices = [Choice(*row) for row in zip(candidates, weighed, probabilities, strict=True)]
        choices.sort(key=lambda choice: -choice.probability)
        return Decision(asked, tuple(choices))

    def _split(self, finder: Finder, asked: Asked, context: Context, seen: Seen) -> list[Decision]:
        """Return a decision for each part of a composite mention, if every part is a known name."""
        for names in parts(asked.long_form or asked.name, type=asked.type):
            found = [finder.find(name, type=asked.type) for name in names]
            if all(map(_is_sure, found)):
                return [
                    self._decision(Asked(name, asked.type, "", asked.near, asked.beside), some,
                                   context, seen)
                    for name, some in zip(names, found, strict=True)
                ]  # fmt: skip
        return []


def _candidates(finder: Finder, group: Group, context: Context) -> list[Candidate]:
    long_form = context.spelt_out(group.name)
    return finder.find(group.name, type=group.type, long_form=long_form)


def _as_defined(
    decisions: list[tuple[Group, list[Decision]]], context: Context
) -> list[tuple[Group, list[Decision]]]:
    """Return the decisions, an abbreviation and its long form having one.

    Of genes it is the surer one, since a symbol often says more than a name; of other types that of
    the long form, if that is a known name.
    """
    place = {
        (group.type, name_key(group.name, kind=group.type)): n
        for n, (group, _) in enumerate(decisions)
    }
    found = list(decisions)
    for number, (group, own) in enumerate(decisions):
        long_form = context.long_forms.get(group.name)
        other = place.get((group.type, name_key(long_form, kind=group.type))) if long_form else None
        if other is None or other == number:
            continue
        one = found[other][1]
        if group.type == GENE:
            one = max(own, one, key=_sureness)
        elif not all(_is_sure([c.candidate for c in decision.choices]) for decision in one):
            continue
        found[other] = (found[other][0], one)
        found[number] = (group, one if one is own else _by_long_form(own, one))
    return found


def _by_long_form(own: list[Decision], long: list[Decision]) -> list[Decision]:
    """Return the decisions on a long form as those on its abbreviation: found by the long form."""
    if len(long) != 1 or len(own) != 1:
        return long
    choices: list[Choice] = []
    for choice in long[0].choices:
        found = [
            replace(e, route=_BY_LONG_FORM.get(e.route, e.route)) for e in choice.candidate.evidence
        ]
        choices.append(replace(choice, candidate=Candidate(choice.candidate.concept, found)))
    asked = replace(own[0].asked, long_form=long[0].asked.name)
    return [Decision(asked, tuple(choices))]


def _sureness(decisions: Sequence[Decision]) -> float:
    return min(d.choices[0].probability if d.choices else 0.0 for d in decisions)


def _is_sure(candidates: Sequence[Candidate]) -> bool:
    """Tell whether a name is known as it is written, or by its long form."""
    return any(e.route in _SURE for candidate in candidates for e in candidate.evidence)


def _named_otherwise(
    found: Sequence[Group], candidates: Sequence[Sequence[Candidate]]
) -> list[dict[int, int]]:
    """Return for each group how many other names of the document each concept is known by."""
    bearing: defaultdict[int, set[str]] = defaultdict(set)
    keys: list[set[tuple[int, str]]] = []
    for some in candidates:
        own = {(c.concept, e.key) for c in some for e in c.evidence if e.route in _SURE}
        keys.append(own)
        for concept, key in own:
            bearing[concept].add(key)
    counts: list[dict[int, int]] = []
    for some, own in zip(candidates, keys, strict=True):
        mine = Counter(concept for concept, _ in own)
        counts.append(
            {
                c.concept: len(bearing[c.concept]) - mine[c.concept]
                for c in some
                if bearing[c.concept]
            }
        )
    return counts
