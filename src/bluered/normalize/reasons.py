"""Why a name was linked as it was, in words.

How a concept was found, what spoke for it, and which species a gene was taken to be of.
"""

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from bluered.documents.biored_types import GENE
from bluered.documents.document import Entity
from bluered.normalize.candidates import Evidence
from bluered.normalize.context import HUMAN, Context, SpeciesMention
from bluered.normalize.features import Asked
from bluered.normalize.names import name_key
from bluered.normalize.shortenings import shortenings
from bluered.normalize.term import Kind

_NAMES: dict[Kind, tuple[str, str]] = {
    "name": ("one of its main names", "a main name"),
    "synonym": ("a synonym of it", "a synonym"),
    "description": ("a looser name of it", "a looser name"),
    "corpus": ("what annotated papers call it", "the name in annotated papers"),
}
_GENE_NAMES: dict[Kind, tuple[str, str]] = {
    "name": ("its symbol", "the symbol"),
    "synonym": ("an alias of it", "an alias"),
    "description": ("a full name of it", "a full name"),
    "corpus": ("what annotated papers call it", "the name in annotated papers"),
}
"""What each kind of name is to its concept; and, for "... of another gene", without it."""


def how(evidence: Evidence, asked: Asked) -> str:
    """Return how a name led to a concept: "'bleeding' is a synonym of it"."""
    own, bare = (_GENE_NAMES if asked.type == GENE else _NAMES)[evidence.kind]
    other = "of the gene with the same symbol in another species"
    named = f"{bare} {other}" if evidence.ortholog else own
    name = f"'{asked.name}'"
    match evidence.route:
        case "exact":
            said = f"{name} is {named}"
        case "long form":
            said = f"the text says that {name} is short for '{asked.long_form}', {named}"
        case "word order":
            said = f"'{_written(evidence, asked)}', its words in another order, is {named}"
        case "longer":
            said = f"{name} is how a longer name begins that is {named}"
        case "shorter":
            said = f"'{_part(evidence, asked)}', a part of {name}, is {named}"
        case "alike":
            said = f"{name} looks like {named} ({evidence.covered:.0%} alike)"
    if evidence.documents and evidence.route not in {"longer", "alike"}:
        papers = "paper" if evidence.documents == 1 else "papers"
        annotated = "" if evidence.kind == "corpus" else "so in annotated "
        said += f" ({annotated}{papers}: {evidence.documents})"
    return said


def _written(evidence: Evidence, asked: Asked) -> str:
    """Return the mention's name or its long form, whichever the evidence is about."""
    for full in (asked.name, asked.long_form):
        if name_key(full, kind=asked.type) == evidence.key:
            return full
    return asked.name


def _part(evidence: Evidence, asked: Asked) -> str:
    """Return the part of a name that is known, as it is written."""
    for full in filter(None, (asked.name, asked.long_form)):
        for short in shortenings(full, type=asked.type):
            if name_key(short, kind=asked.type) == evidence.key:
                return short
    return evidence.key


Topic = Literal["name", "species", "writing", "papers", "otherwise", "record"]
"""What a reason is about: how well the name fits, the species, how genes are written, what the
papers of annotated corpora say, the other names in the text, the kind of record."""

_TOPICS: tuple[tuple[re.Pattern[str], Topic], ...] = (
    (re.compile(r"species"), "species"),
    (re.compile(r"\bseen\b"), "papers"),
    (re.compile(r"named otherwise"), "otherwise"),
    (re.compile(r"OMIM|supplementary|accession"), "record"),
    (
        re.compile(r"of (human|mouse|rat|other|unknown)$|(capitals|title|small|mixed|words), "),
        "writing",
    ),
)
"""What features are about, by their names; the others are about the name that was found."""

_WORDS: dict[Topic, tuple[str, str]] = {
    "name": ("the name fits it well", "the name fits the second better"),
    "species": (
        "its species is the one that the text speaks of",
        "the text speaks of the second's species",
    ),
    "writing": (
        "genes of its species are the ones usually written so",
        "genes of the second's species are the ones usually written so",
    ),
    "papers": (
        "annotated papers use this name for it, or speak of it often",
        "annotated papers use this name for the second, or speak of it more often",
    ),
    "otherwise": (
        "the text also calls it by another of its names",
        "the text also calls the second by another of its names",
    ),
    "record": (
        "entries of its kind are the ones usually meant",
        "entries of the second's kind are the ones usually meant",
    ),
}


def topic_of(feature: str) -> Topic:
    """Return what a feature of a candidate is about."""
    for pattern, topic in _TOPICS:
        if pattern.search(feature):
            return topic
    return "name"


def topic_words(topic: Topic, *, for_first: bool) -> str:
    """Return a reason in words, for the first candidate or for the second."""
    return _WORDS[topic][not for_first]


class SpeciesReason(Struct, frozen=True):
    """The species that the mentions of a gene were taken to be of, and where the text names it.

    `where` is "beside" (in the mention or right before it), "sentence" (the same one), "document"
    (elsewhere: the species named most often) or "none" (no species is named: human); `mention` is
    how the text calls the species.
    """

    taxon: str
    where: Literal["beside", "sentence", "document", "none"]
    mention: str = ""

    @property
    def words(self) -> str:
        """Where the species comes from, in words."""
        return {
            "beside": f"'{self.mention}' stands in the mention or right before it",
            "sentence": f"'{self.mention}' stands in the same sentence",
            "document": f"the text names it most often ('{self.mention}')",
            "none": "the text names no species, so human is assumed",
        }[self.where]


def species_reason(
    mentions: Sequence[Entity], asked: Asked, context: Context
) -> SpeciesReason | None:
    """Return the species that a gene was taken to be of; None for names that are no genes."""
    if asked.type != GENE:
        return None
    taxon = asked.beside or asked.near
    if not taxon:
        return SpeciesReason(HUMAN, "none")
    for mention in mentions:
        if context.species_beside(mention) == taxon:
            return SpeciesReason(taxon, "beside", _called(context, taxon, near=mention))
    for mention in mentions:
        here = context.sentence(mention.start)
        if context.species_near(mention) == taxon and any(
            m.taxon == taxon and m.sentence == here for m in context.species.mentions
        ):
            return SpeciesReason(taxon, "sentence", _called(context, taxon, near=mention))
    return SpeciesReason(taxon, "document", _called(context, taxon))


def _called(context: Context, taxon: str, near: Entity | None = None) -> str:
    """Return how the text calls a species, at the place nearest to a mention."""

    def distance(mention: SpeciesMention) -> int:
        return abs(mention.start - near.start) if near else 0

    found = [m for m in context.species.mentions if m.taxon == taxon]
    nearest = min(found, key=distance, default=None)
    return context.text[nearest.start : nearest.end] if nearest else ""
