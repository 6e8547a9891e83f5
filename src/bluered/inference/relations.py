"""Finding the relations of a document's concepts, their novelty and their evidence."""

import numpy as np
from msgspec import Struct

from bluered.documents.document import Document, Relation, Span
from bluered.documents.sentences import sentences
from bluered.encoding.mention_kinds import MentionKinds, mention_kinds, mention_table
from bluered.encoding.pairs import Candidates, candidates, pair_features
from bluered.encoding.tokens import Ints
from bluered.encoding.viterbi import Floats
from bluered.inference.evidence import evidence
from bluered.inference.reading import Reader, Reading
from bluered.inference.session import open_session, run

_PAIRS_AT_ONCE = 512  # bounds memory where a full text has tens of thousands of pairs


class PairScores(Struct, frozen=True):
    """Raw scores of a document's candidate pairs: types (pairs, 1 + types), novelty (pairs, 2).

    `parts` are its sentences, `weights` (pairs, sentences) the attention each receives.
    """

    found: Candidates
    parts: tuple[Span, ...]
    types: Floats
    novelty: Floats
    weights: Floats


class Relater:
    """Finds relations in what a reader makes of a document; safe to share between threads."""

    def __init__(self, reader: Reader, *, threads: int | None = None) -> None:
        """Take the reader of a bundle, and open the bundle's other graphs."""
        folder = reader.bundle.folder
        self._reader = reader
        self._settings = reader.bundle.settings.relations
        self._upper = open_session(folder / "upper.onnx", threads=threads)
        self._pairs = open_session(folder / "pairs.onnx", threads=threads)

    def relate(self, document: Document) -> tuple[Relation, ...]:
        """Return the relations between the document's concepts, in text order.

        The document's own relations are not looked at. Concepts are the ids of its entities; those
        without one take no part. The confidence is how likely the relation with its type is right.
        """
        scored = self.scores(document)
        if scored is None:
            return ()
        settings = self._settings
        chances = softmax(scored.types)
        news = softmax(scored.novelty)[:, 1]
        sure = settings.confidence.apply(chances[:, 1:].max(axis=1))
        sure_news = settings.novelty.apply(np.maximum(news, 1 - news))
        relations: list[Relation] = []
        for row in np.flatnonzero(1 - chances[:, 0] >= settings.threshold).tolist():
            ends = [scored.found.concepts[index] for index in scored.found.pairs[row].tolist()]
            kind = int(chances[row, 1:].argmax())
            novel = bool(news[row] >= 0.5)
            relations.append(
                Relation(
                    type=settings.types[kind],
                    head=ends[0].id,
                    tail=ends[1].id,
                    novel=novel,
                    confidence=round(float(sure[row]), 4),
                    novelty_confidence=round(max(0.5, float(sure_news[row])), 4),
                    evidence=evidence(document, ends, scored.parts, scored.weights[row]),
                )
            )
        return tuple(relations)

    def scores(self, document: Document) -> PairScores | None:
        """Return the raw scores of all candidate pairs of a document, None where it has none."""
        found = candidates(document)
        if not len(found.pairs):
            return None
        reading = self._reader.read(document.text)
        marked = mention_kinds(reading.tokens, document.entities)
        parts = tuple(sentences(document))
        starts = np.asarray([part.start for part in parts])
        places = np.searchsorted(starts, reading.tokens.starts, side="right") - 1
        hidden = self._hidden(reading, marked)
        mentions = mention_table(marked.first, found)
        features = pair_features(document, found, parts)
        outputs = []
        for start in range(0, len(found.pairs), _PAIRS_AT_ONCE):
            chunk = slice(start, start + _PAIRS_AT_ONCE)
            types, novelty, attention = run(
                self._pairs,
                hidden=hidden,
                mentions=mentions,
                pairs=found.pairs[chunk],
                features=features[chunk],
            )
            weights = _sentence_weights(attention, np.maximum(places, 0), len(parts))
            outputs.append((types, novelty, weights))
        types, novelty, weights = (np.concatenate(each) for each in zip(*outputs, strict=True))
        return PairScores(found, parts, types, novelty, weights)

    def _hidden(self, reading: Reading, marked: MentionKinds) -> Floats:
        """Return the last states of the text's pieces, each from the window that decides it."""
        kept = []
        for window, states in zip(reading.windows, reading.states, strict=True):
            span = window.pieces
            kinds = np.pad(marked.kinds[span.start : span.end], 1)
            hidden = run(self._upper, states=states[None], kinds=kinds[None])[0][0]
            offset = 1 - span.start
            kept.append(hidden[span.keep_start + offset : span.keep_end + offset])
        return np.concatenate(kept)


def softmax(scores: Floats) -> Floats:
    """Return the probabilities that rows of scores stand for."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def _sentence_weights(attention: Floats, places: Ints, count: int) -> Floats:
    """Return the attention each sentence receives, (pairs, sentences); places: (pieces,)."""
    among = np.zeros((attention.shape[1], count), dtype=np.float32)
    among[np.arange(len(places)), places] = 1
    return attention @ among
