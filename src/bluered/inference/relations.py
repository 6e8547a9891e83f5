"""Finding the relations of a document's concepts, their novelty and their evidence."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from bluered.documents.document import Document, Relation, Span
from bluered.documents.sentences import sentences
from bluered.encoding.meetings import meetings
from bluered.encoding.pairs import Candidates, candidates, pair_features
from bluered.encoding.surroundings import (
    Surroundings,
    name_weights,
    surroundings,
    zone_weights,
)
from bluered.encoding.tokens import Ints
from bluered.encoding.viterbi import Floats
from bluered.encoding.wording import wording
from bluered.inference.evidence import evidence
from bluered.inference.reading import Reader, Reading
from bluered.inference.session import open_session, run
from bluered.inference.words import PairWords, together

_AT_ONCE = 1 << 20
"""Pairs times pieces that are looked at together: a full text has tens of thousands of pairs."""


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
        """Take the reader of a bundle, and open the bundle's pair head and words."""
        folder = reader.bundle.folder
        self._reader = reader
        self._settings = reader.bundle.settings.relations
        self._pairs = open_session(folder / "pairs.onnx", threads=threads)
        self._words = PairWords(folder / "words.npy")

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
        """Return the raw scores of all candidate pairs, None without pairs or words."""
        found = candidates(document)
        if not len(found.pairs):
            return None
        reading = self._reader.read(document.text)
        if not reading.windows:
            return None
        parts = tuple(sentences(document))
        met = meetings(document, found, parts)
        layout = pair_features(document, found, parts)
        types, novelty, weights = self._read(
            reading,
            found,
            around=surroundings(document, reading.tokens, met),
            layout=layout,
            parts=parts,
        )
        said = self._words.scores(wording(document, reading.tokens, found, met=met, layout=layout))
        share = self._settings.words
        return PairScores(
            found,
            parts,
            together(types, said[0], share),
            together(novelty, said[1], share),
            weights,
        )

    def _read(
        self,
        reading: Reading,
        found: Candidates,
        *,
        around: Surroundings,
        layout: Ints,
        parts: Sequence[Span],
    ) -> list[Floats]:
        """Return what the pair head makes of all pairs: types, novelty, weights of sentences."""
        hidden, names = _whole(reading), name_weights(found, around)
        starts = [part.start for part in parts]
        places = np.maximum(np.searchsorted(starts, reading.tokens.starts, side="right") - 1, 0)
        step = max(1, _AT_ONCE // max(1, around.pieces))
        outputs = []
        for start in range(0, len(found.pairs), step):
            chunk = slice(start, min(start + step, len(found.pairs)))
            types, novelty, attention = run(
                self._pairs,
                hidden=hidden,
                names=names,
                pairs=found.pairs[chunk],
                zones=zone_weights(around, chunk),
                features=layout[chunk],
            )
            outputs.append((types, novelty, _sentence_weights(attention, places, len(parts))))
        return [np.concatenate(each) for each in zip(*outputs, strict=True)]


def _whole(reading: Reading) -> Floats:
    """Return the states of the text's pieces, each from the window that decides it."""
    read = zip(reading.windows, reading.states, strict=True)
    return np.concatenate([states[window.pieces.kept] for window, states in read])


def softmax(scores: Floats) -> Floats:
    """Return the probabilities that rows of scores stand for."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def _sentence_weights(attention: Floats, places: Ints, count: int) -> Floats:
    """Return the attention each sentence receives, (pairs, sentences); places: (pieces,)."""
    among = np.zeros((attention.shape[1], count), dtype=np.float32)
    among[np.arange(len(places)), places] = 1
    return attention @ among
