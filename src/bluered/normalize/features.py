"""What speaks for and against a candidate, as numbers: the features that the ranker weighs.

Every feature has a name that can be read, so that the reasons for a link can be told.
"""

import re
from collections.abc import Mapping, Sequence
from math import log1p

from msgspec import Struct

from bluered.documents.biored_types import GENE
from bluered.normalize.candidates import Candidate, Evidence, Names
from bluered.normalize.context import HUMAN, Context
from bluered.normalize.term import KINDS
from bluered.normalize.terminology import Terminology

Features = dict[str, float]

_TITLE = re.compile(r"[A-Z][a-z]+\d*[a-z]?\d*\Z")
_RODENTS = {"10090": "mouse", "10116": "rat"}
_SHORT = 4


class Asked(Struct, frozen=True):
    """A mention to be linked: its writing, type, long form, and what its surroundings say.

    `near` is the species it most likely belongs to, `beside` the one that stands right before it or
    in it; `others` says of each concept how many other names of the document may stand for it.
    """

    name: str
    type: str
    long_form: str = ""
    near: str = ""
    beside: str = ""
    others: Mapping[int, int] = {}


class Seen(Struct, frozen=True):
    """In how many annotated documents each concept was named, without the document at hand.

    `less` are the names of the document at hand (key and concept), which training leaves out.
    """

    totals: Mapping[int, int]
    less: Names = frozenset()

    def documents(self, evidence: Evidence, concept: int) -> int:
        """Return in how many documents the concept was called so."""
        return max(0, evidence.documents - ((evidence.key, concept) in self.less))

    def total(self, concept: int) -> int:
        """Return in how many documents the concept was named, by the sum of its names."""
        return self.totals.get(concept, 0) - sum(c == concept for _, c in self.less)


def features(
    candidates: Sequence[Candidate],
    asked: Asked,
    *,
    context: Context,
    terms: Terminology,
    seen: Seen,
) -> list[Features]:
    """Return the features of each candidate of a mention."""
    counts = [
        max((seen.documents(e, c.concept) for e in c.evidence), default=0) for c in candidates
    ]
    totals = [max(0, seen.total(c.concept)) for c in candidates]
    fits = [asked.type == GENE and terms.taxon(c.concept) == asked.near for c in candidates]
    ids = [terms.concept_id(c.concept) for c in candidates]
    found: list[Features] = []
    for number, candidate in enumerate(candidates):
        some = _by_evidence(candidate, asked, seen)
        some["candidates"] = float(len(candidates))
        some["letters"] = float(len(asked.name))
        some["seen so"] = log1p(counts[number])
        some["share of what is seen so"] = counts[number] / (sum(counts) + 1)
        some["seen"] = log1p(totals[number])
        some["seen behind the most seen"] = log1p(max(totals)) - log1p(totals[number])
        some["also named otherwise"] = log1p(asked.others.get(candidate.concept, 0))
        some["others named otherwise"] = log1p(
            max(
                (asked.others.get(c.concept, 0) for c in candidates if c is not candidate),
                default=0,
            )
        )
        if asked.type == GENE:
            some |= _by_species(terms.taxon(candidate.concept), asked, context)
            some["another fits the species"] = float(any(fits) and not fits[number])
        else:
            some |= _by_source(ids[number])
            some["another is a descriptor"] = float(
                any(other[:1] == "D" for other in ids if other != ids[number])
            )
        found.append(some)
    return found


def _by_evidence(candidate: Candidate, asked: Asked, seen: Seen) -> Features:
    """Return one feature for each route and kind of name, as strong as it covers the mention.

    A name known from corpora alone counts only where other documents than this one have it.
    """
    found: Features = {}
    for evidence in candidate.evidence:
        if evidence.kind == KINDS[-1] and seen.documents(evidence, candidate.concept) < 1:
            continue
        if evidence.ortholog:
            found["by its ortholog"] = 1.0
        name = f"{evidence.route}, {evidence.kind}"
        found[name] = max(found.get(name, 0.0), evidence.covered)
        if evidence.route == "exact" and len(asked.name) < _SHORT:
            found[f"short {evidence.kind}"] = 1.0
    return found


def _by_source(concept: str) -> Features:
    """Return which kind of record a concept is: a supplementary one of MeSH, one of OMIM.

    Or one of Cellosaurus's first, whose accessions are numbers: they are the best known.
    """
    if concept.startswith("OMIM"):
        return {"of OMIM": 1.0}
    if concept.startswith("CVCL_"):
        return {"early accession": float(concept[5:].isdigit())}
    return {"supplementary": 1.0} if concept.startswith("C") else {}


def _by_species(taxon: str, asked: Asked, context: Context) -> Features:
    """Return how a gene's species fits what the document speaks of and how the gene is written."""
    found: Features = {}
    if asked.beside:
        found["species beside" if taxon == asked.beside else "other species beside"] = 1.0
    near = asked.near or HUMAN
    if taxon == near:
        found["species near"] = 1.0
        found["species near, named"] = float(bool(asked.near))
    found["species in document"] = context.species.share(taxon)
    found["species in document at all"] = float(taxon in context.species.counts)
    if context.species.mentions:
        found["usual species"] = float(taxon == context.species.usual)
        found["species not in document"] = float(taxon not in context.species.counts)
        found["only species in document"] = float([*context.species.counts] == [taxon])
    group = {HUMAN: "human", "": "unknown"}.get(taxon) or _RODENTS.get(taxon, "other")
    found[f"of {group}"] = 1.0
    found[f"{_writing(asked.name)}, {group}"] = 1.0
    return found


def _writing(name: str) -> str:
    """Return how a symbol is written: "CAPITALS" as of man, "Title" as of rodents, or otherwise."""
    letters = "".join(c for c in name if c.isalpha())
    if len(name.split()) > 1 or len(name) > 10:
        return "words"
    if letters.isupper():
        return "capitals"
    if _TITLE.match(name):
        return "title"
    return "small" if letters.islower() else "mixed"
