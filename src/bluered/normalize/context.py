"""What a document says that helps to link its mentions: abbreviations and species."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from bluered.documents.abbreviations import definitions
from bluered.documents.biored_types import GENE
from bluered.documents.document import Document, Entity, Span
from bluered.documents.sentences import sentences

HUMAN = "9606"
_NEAR = 20  # characters
_LONGEST = 200  # characters of a species mention
_ADJACENT = 2  # words between a species and the gene that it stands right before ("mouse Fgf2")
_OPENING = re.compile(r"\s*[(\[]\Z")
_SHORT = 6
_GENUS = re.compile(r"([A-Z])[a-z]?\. ?([a-z]{3,})")  # "A. fumigatus" of "Aspergillus fumigatus"
_NESTED = re.compile(r"\s*\([^()]*\)")


class SpeciesMention(Struct, frozen=True):
    """A mention of a species: where it stands, in which sentence, and its Taxonomy number."""

    start: int
    end: int
    sentence: int
    taxon: str


class Species(Struct, frozen=True):
    """The species of a document, in text order, and how often each is named."""

    mentions: tuple[SpeciesMention, ...]
    counts: Mapping[str, int]

    @property
    def usual(self) -> str:
        """The species named most often, the first of equals; human where none is named."""
        return max(self.counts, key=lambda taxon: self.counts[taxon], default=HUMAN)

    def share(self, taxon: str) -> float:
        """Return the share of the mentions that name a species."""
        return self.counts.get(taxon, 0) / max(1, len(self.mentions))


class Context(Struct, frozen=True):
    """What is known of a document before its mentions are linked."""

    text: str
    sentences: tuple[Span, ...]
    long_forms: Mapping[str, str]
    species: Species

    def spelt_out(self, name: str) -> str:
        """Return a name with the abbreviations that the text defines spelt out, "" if it has none.

        "MDR TB" is multidrug-resistant tuberculosis where both short forms are defined, and
        "A. fumigatus" is the Aspergillus fumigatus that the text names elsewhere.
        """
        if name in self.long_forms:
            return self.long_forms[name]
        if match := _GENUS.fullmatch(name):
            full = re.search(rf"\b{match[1]}[a-z]{{2,}} {match[2]}\b", self.text)
            return full[0] if full else ""
        words = name.split()
        if len(words) < 2:
            return ""
        spelt = " ".join(self.long_forms.get(word, word) for word in words)
        return spelt if spelt != name else ""

    def sentence(self, position: int) -> int:
        """Return the number of the sentence at a position."""
        return bisect_right(self.sentences, position, key=_start) - 1

    def species_near(self, entity: Entity) -> str:
        """Return the species that a mention most likely belongs to, "" if none is named.

        That is the species within the mention or right before it, else the nearest one before it in
        its sentence, else the first one behind it there, else the one named most often.
        """
        if beside := self.species_beside(entity):
            return beside
        sentence = self.sentence(entity.start)
        mentions = self.species.mentions
        here = mentions[
            bisect_left(mentions, sentence, key=_sentence) : bisect_right(
                mentions, sentence, key=_sentence
            )
        ]
        before = [m for m in here if m.end <= entity.start]
        if before:
            return before[-1].taxon
        if here:
            return here[0].taxon
        return self.species.usual if self.species.mentions else ""

    def species_beside(self, entity: Entity) -> str:
        """Return the species named within a mention or right before it, "" if there is none."""
        mentions = self.species.mentions
        first = bisect_left(mentions, entity.start - _NEAR - _LONGEST, key=_start)
        close = mentions[first : bisect_left(mentions, entity.end, key=_start)]
        for mention in close:
            if mention.start >= entity.start:
                return mention.taxon
        for mention in close:
            gap = self.text[mention.end : entity.start]
            if 0 <= entity.start - mention.end <= _NEAR and len(gap.split()) < _ADJACENT:
                return mention.taxon
        return ""


def _start(part: Span | SpeciesMention) -> int:
    return part.start


def _sentence(mention: SpeciesMention) -> int:
    return mention.sentence


def read_context(document: Document, species: Sequence[tuple[Entity, str]]) -> Context:
    """Return the context of a document, given its species mentions with their numbers."""
    spans = tuple(sentences(document))
    starts = [span.start for span in spans]
    mentions = tuple(
        SpeciesMention(e.start, e.end, bisect_right(starts, e.start) - 1, taxon)
        for e, taxon in sorted(species, key=lambda pair: (pair[0].spans, pair[1]))
    )
    counts = Counter(mention.taxon for mention in mentions)
    return Context(document.text, spans, long_forms(document), Species(mentions, counts))


def long_forms(document: Document) -> dict[str, str]:
    """Return the long form of each abbreviation that the text defines, the first one of each."""
    found: dict[str, str] = {}
    for one in definitions(document.text):
        short = document.text[one.short.start : one.short.end]
        long = document.text[one.long.start : one.long.end]
        found.setdefault(short, _NESTED.sub("", long).strip())
    for long_form, short_form in _in_brackets(document):
        found.setdefault(short_form.text, long_form.text)
    return found


def _in_brackets(document: Document) -> Iterator[tuple[Entity, Entity]]:
    """Yield two mentions of one type, the second, short, in brackets behind the first.

    The letters need not agree, as those of "lead (Pb)" and "otilonium bromide (OB, ...)" do not. Of
    genes this holds too seldom: "a chemokine (CCL2)".
    """
    entities = sorted(document.entities, key=lambda e: e.spans)
    by_end = {(e.end, e.type): e for e in entities if e.type != GENE}
    for short in entities:
        opening = _OPENING.search(document.text, max(0, short.start - 3), short.start)
        if opening is None or len(short.text) > _SHORT or " " in short.text:
            continue
        long = by_end.get((opening.start(), short.type))
        closed = document.text[short.end : short.end + 1] in {")", "]", ";", ","}
        if long is not None and closed and len(long.text) > len(short.text):
            yield long, short
