"""Finding the mentions of a document with a model bundle."""

import numpy as np
from msgspec.structs import replace

from bluered.documents.document import Document, Entity, Span
from bluered.encoding.tags import TaggedSpan, decode_tags
from bluered.encoding.tokens import Tokens
from bluered.encoding.viterbi import Chain, Floats, best_path, marginals, valid_bio
from bluered.inference.agreement import one_type_per_name
from bluered.inference.reading import Reader


class Tagger:
    """Finds mentions in what a reader makes of a document; safe to share between threads."""

    def __init__(self, reader: Reader) -> None:
        """Take the reader of a bundle."""
        settings = reader.bundle.settings.tagger
        self._reader = reader
        self._settings = settings
        scores = (settings.starts, settings.ends, settings.transitions)
        self._chain = valid_bio(Chain(*(np.asarray(s, dtype=np.float32) for s in scores)))

    def tag(self, document: Document) -> tuple[Entity, ...]:
        """Return the mentions in the document's text, in order, with confidences but no ids.

        A mention never crosses a passage, and a name has one type. The confidence is how likely a
        mention of the least probability of its tags is right.
        """
        found = self.mentions(document)
        sure = self._settings.confidence.apply([e.confidence or 0.0 for e in found]).tolist()
        return tuple(
            replace(entity, confidence=round(chance, 4))
            for entity, chance in zip(found, sure, strict=True)
        )

    def mentions(self, document: Document) -> tuple[Entity, ...]:
        """Return the mentions with the least probability of their tags as confidence."""
        settings = self._settings
        reading = self._reader.read(document.text)
        tokens = reading.tokens
        entities: list[Entity] = []
        for first, end in _passages(document, tokens):
            scores = reading.emissions[first:end]
            tags = best_path(scores, self._chain)
            sure = marginals(scores, self._chain)[np.arange(len(tags)), tags]
            entities += [
                _entity(document.text, tokens, span, first, sure, settings.types)
                for span in decode_tags(tags)
            ]
        return one_type_per_name(entities)


def _passages(document: Document, tokens: Tokens) -> list[tuple[int, int]]:
    """Return the words `[first, end)` of each passage, or of the whole text without passages."""
    if not document.passages:
        return [(0, len(tokens.first))]
    bounds = [(passage.start, passage.end) for passage in document.passages]
    return [tuple(np.searchsorted(tokens.word_starts, bound).tolist()) for bound in bounds]


def _entity(
    text: str,
    tokens: Tokens,
    span: TaggedSpan,
    first: int,
    sure: Floats,
    types: tuple[str, ...],
) -> Entity:
    start = int(tokens.word_starts[first + span.first])
    end = int(tokens.word_ends[first + span.end - 1])
    return Entity(
        type=types[span.type_index],
        spans=(Span(start, end),),
        text=text[start:end],
        confidence=float(sure[span.first : span.end].min()),
    )
