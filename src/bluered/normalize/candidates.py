"""Which concepts a mention may stand for, and by which route each was found."""

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from bluered.documents.biored_types import CHEMICAL, GENE
from bluered.normalize.names import name_key, word_key
from bluered.normalize.ngrams import NgramIndex
from bluered.normalize.shortenings import core, shortenings
from bluered.normalize.store import WORDS
from bluered.normalize.term import KINDS, Kind
from bluered.normalize.terminology import Bearer, Terminology

Route = Literal["exact", "long form", "word order", "longer", "shorter", "alike"]
"""How a concept was found: by the mention's own name (but for its writing), by the long form of an
abbreviation, by the same words in another order, by a name that goes on where
the mention ends, by a shorter name, by a name that looks alike."""

ROUTES: tuple[Route, ...] = ("exact", "long form", "word order", "longer", "shorter", "alike")
_SHORTER = 3  # of the shorter names that are known, so many are tried
_ALIKE = 8
_LEAST_ALIKE, _LEAST_ALIKE_SHORT = 0.5, 0.75
_SHORT = 6  # letters, up to which a look-alike must be nearer
_PREFIX = re.compile(r"[CDLNOPRS]-")
_LONGER = 4
_LONGER_BY = 14  # letters more than the mention's
_LONG_ENOUGH = 5


Names = frozenset[tuple[str, int]]
"""Names of concepts: a key and a concept's number."""


class Evidence(Struct, frozen=True):
    """One way in which a mention led to a concept.

    `key` is the name that was found, `covered` the share of the mention's letters (or, for "alike",
    the cosine) that it explains, `documents` in how many annotated documents the concept was called
    so. `ortholog` says that it was not this gene that was found so but one of the same symbol in
    another species.
    """

    route: Route
    kind: Kind
    key: str
    covered: float
    documents: int
    ortholog: bool = False


class Candidate(Struct):
    """A concept, by its number in the terminology, and what speaks for it."""

    concept: int
    evidence: list[Evidence] = field(default_factory=list)

    @property
    def best(self) -> Evidence:
        """The strongest way in which the concept was found: by route, then kind of name."""
        return min(
            self.evidence, key=lambda e: (ROUTES.index(e.route), KINDS.index(e.kind), -e.covered)
        )


class Finder:
    """Finds candidates in a terminology."""

    def __init__(
        self, terminology: Terminology, alike: NgramIndex | None, *, less: Names = frozenset()
    ) -> None:
        """Take the terminology and its index of look-alikes, where it has one.

        `less` are names (key and concept) of which one annotated document is not counted: training
        leaves out the document at hand.
        """
        self._terms = terminology
        self._alike = alike
        self._less = less

    def without(self, less: Names) -> "Finder":
        """Return a finder that does not count one document of these names."""
        return Finder(self._terms, self._alike, less=less) if less else self

    def find(self, name: str, *, type: str, long_form: str = "") -> list[Candidate]:
        """Return the candidates of a mention; `long_form` is what the text says it abbreviates.

        Shorter names are tried only where the mention's own name and its long form are unknown,
        look-alikes only where those are unknown too or cover little of the mention.
        """
        found: dict[int, Candidate] = {}
        for bearer, evidence in self._known(name, type, long_form):
            _add(found, bearer, evidence)
        if not found:
            for full in filter(None, (long_form, name)):
                for bearer, evidence in self._longer(full, type):
                    _add(found, bearer, evidence)
                for bearer, evidence in self._shorter(full, type):
                    _add(found, bearer, evidence)
                if found:
                    break
        if type == GENE:
            for bearer, evidence in list(self._orthologs(found)):
                _add(found, bearer, evidence)
        elif self._alike is not None and not _explained(found):
            for bearer, evidence in self._like(self._alike, long_form or name, type):
                _add(found, bearer, evidence)
        return list(found.values())

    def _bearers(self, key: str, type: str) -> list[Bearer]:
        """Return the concepts that bear a name, without what only the document at hand knows."""
        bearers = self._terms.bearers(key, type=type)
        if not self._less:
            return bearers
        own = [
            b.kind == "corpus" and b.documents <= 1 and (key, b.concept) in self._less
            for b in bearers
        ]
        return [bearer for bearer, alone in zip(bearers, own, strict=True) if not alone]

    def _in_any_order(self, name: str, type: str) -> list[Bearer]:
        """Return the concepts that bear a name of the same words in another order."""
        words = word_key(name, kind=type)
        return self._bearers(WORDS + words, type) if words else []

    def _known(self, name: str, type: str, long_form: str) -> Iterator[tuple[Bearer, Evidence]]:
        key = "" if _is_prefix(name, type) else name_key(name, kind=type)
        for bearer in self._bearers(key, type):
            yield bearer, _evidence("exact", bearer, key, 1.0)
        if long_form:
            key = name_key(long_form, kind=type)
            for bearer in self._bearers(key, type):
                yield bearer, _evidence("long form", bearer, key, 1.0)
        for full in filter(None, (name, long_form)):
            for bearer in self._in_any_order(full, type):
                yield bearer, _evidence("word order", bearer, name_key(full, kind=type), 1.0)

    def _shorter(self, name: str, type: str) -> Iterator[tuple[Bearer, Evidence]]:
        known = 0
        length = max(1, len(name_key(name, kind=type)))
        for short in shortenings(name, type=type):
            key = name_key(short, kind=type)
            bearers = self._bearers(key, type) if len(key) > 1 else []
            bearers = bearers or self._in_any_order(short, type)
            for bearer in bearers:
                yield bearer, _evidence("shorter", bearer, key, min(1.0, len(key) / length))
            known += bool(bearers)
            if known == _SHORTER:
                return

    def _orthologs(self, found: dict[int, Candidate]) -> Iterator[tuple[Bearer, Evidence]]:
        """Yield the genes of other species whose symbol is that of a gene which was found.

        Symbols are given by orthology: Adipoq of the mouse is ADIPOQ of man, "adiponectin" of both.
        """
        for candidate in list(found.values()):
            symbol = name_key(self._terms.name(candidate.concept), kind=GENE)
            for bearer in self._bearers(symbol, GENE):
                if bearer.concept not in found and bearer.kind == "name":
                    best = candidate.best
                    yield bearer, replace(best, documents=0, ortholog=True)

    def _longer(self, name: str, type: str) -> Iterator[tuple[Bearer, Evidence]]:
        """Yield the concepts of the shortest names that begin with a mention's."""
        key = name_key(name, kind=type)
        if len(key) < _LONG_ENOUGH:
            return
        known = 0
        for _, longer in self._terms.beginning(key, most=len(key) + _LONGER_BY):
            bearers = self._bearers(longer, type)
            for bearer in bearers:
                yield bearer, _evidence("longer", bearer, longer, len(key) / len(longer))
            known += bool(bearers)
            if known == _LONGER:
                return

    def _like(self, index: NgramIndex, name: str, type: str) -> Iterator[tuple[Bearer, Evidence]]:
        key = name_key(core(name, type=type), kind=type)
        least = _LEAST_ALIKE if len(key) > _SHORT else _LEAST_ALIKE_SHORT
        for like in index.like(key, best=_ALIKE, least=least):
            found = self._terms.key(like.key)
            for bearer in self._bearers(found, type):
                yield bearer, _evidence("alike", bearer, found, like.cosine)


def _is_prefix(name: str, type: str) -> bool:
    """Tell whether a mention is the start of a chemical's name, "S-" of "S-warfarin": no sulfur."""
    return type == CHEMICAL and _PREFIX.fullmatch(name) is not None


def _explained(found: dict[int, Candidate]) -> bool:
    """Tell whether some name that was found covers most of the mention."""
    return any(e.covered > 0.75 for candidate in found.values() for e in candidate.evidence)


def _evidence(route: Route, bearer: Bearer, key: str, covered: float) -> Evidence:
    return Evidence(route, bearer.kind, key, covered, bearer.documents)


def _add(found: dict[int, Candidate], bearer: Bearer, evidence: Evidence) -> None:
    found.setdefault(bearer.concept, Candidate(bearer.concept)).evidence.append(evidence)
