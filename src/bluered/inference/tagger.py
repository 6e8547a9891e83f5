"""Finding the mentions of a document with a model bundle."""

import numpy as np

from bluered.documents.document import Document, Entity, Span
from bluered.encoding.tagging import TaggerWindow, tagger_batch, tagger_windows
from bluered.encoding.tags import TaggedSpan, decode_tags, tag_count
from bluered.encoding.tokens import Tokens, load_tokenizer
from bluered.encoding.viterbi import Chain, Floats, best_path, marginals, valid_bio
from bluered.inference.agreement import one_type_per_name
from bluered.inference.bundle import Bundle
from bluered.inference.session import open_session, run


class Tagger:
    """The tagger of a bundle; safe to share between threads."""

    def __init__(self, bundle: Bundle, *, threads: int | None = None) -> None:
        settings = bundle.settings.tagger
        self._settings = settings
        self._tokenizer = load_tokenizer(bundle.folder / "tokenizer.json")
        self._session = open_session(bundle.folder / "tagger.onnx", threads=threads)
        scores = (settings.starts, settings.ends, settings.transitions)
        self._chain = valid_bio(Chain(*(np.asarray(s, dtype=np.float32) for s in scores)))

    def tag(self, document: Document) -> tuple[Entity, ...]:
        """Return the mentions in the document's text, in order, with confidences but no ids.

        A mention never crosses a passage, and a name has one type. The confidence is the least
        probability of its tags.
        """
        settings = self._settings
        tokens, rows = tagger_windows(
            document.text, self._tokenizer, size=settings.window, overlap=settings.overlap
        )
        emissions = np.zeros((len(tokens.first), tag_count(settings.types)), dtype=np.float32)
        for row in rows:
            kept = slice(row.keep_start - row.word_start, row.keep_end - row.word_start)
            emissions[row.keep_start : row.keep_end] = self._emissions(row)[kept]
        entities: list[Entity] = []
        for first, end in _passages(document, tokens):
            scores = emissions[first:end]
            tags = best_path(scores, self._chain)
            sure = marginals(scores, self._chain)[np.arange(len(tags)), tags]
            entities += [
                _entity(document.text, tokens, span, first, sure, settings.types)
                for span in decode_tags(tags)
            ]
        return one_type_per_name(entities)

    def _emissions(self, row: TaggerWindow) -> Floats:
        batch = tagger_batch([row])
        return run(
            self._session,
            ids=batch.ids,
            first=batch.first,
            last=batch.last,
            characters=batch.characters,
        )[0][0]


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
        confidence=round(float(sure[span.first : span.end].min()), 4),
    )
