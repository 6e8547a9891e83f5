"""Finding the relations of a document's concepts, their novelty and their evidence."""

from collections.abc import Sequence

import numpy as np

from bluered.documents.document import Document, Relation, Span
from bluered.documents.sentences import sentences
from bluered.encoding.marking import (
    MarkedText,
    mark,
    mention_table,
    sentence_of_piece,
    window_arrays,
)
from bluered.encoding.pairs import Concept, candidates, pair_features
from bluered.encoding.tokens import Ints, load_tokenizer
from bluered.encoding.viterbi import Floats
from bluered.inference.bundle import Bundle
from bluered.inference.session import open_session, run

_PAIRS_AT_ONCE = 512  # bounds memory where a full text has tens of thousands of pairs


class Relater:
    """The relation and novelty model of a bundle; safe to share between threads."""

    def __init__(self, bundle: Bundle, *, threads: int | None = None) -> None:
        self._settings = bundle.settings.relations
        self._tokenizer = load_tokenizer(bundle.folder / "tokenizer.json")
        self._encoder = open_session(bundle.folder / "encoder.onnx", threads=threads)
        self._pairs = open_session(bundle.folder / "pairs.onnx", threads=threads)

    def relate(self, document: Document) -> tuple[Relation, ...]:
        """Return the relations between the document's concepts, in text order.

        The document's own relations are not looked at. Concepts are the ids of its entities; those
        without one take no part.
        """
        found = candidates(document)
        if not len(found.pairs):
            return ()
        settings = self._settings
        text = mark(document, self._tokenizer, size=settings.window, overlap=settings.overlap)
        parts = sentences(document)
        features = pair_features(document, found, parts)
        hidden = self._hidden(text)
        mentions = mention_table(text, found)
        places = sentence_of_piece(text, [part.start for part in parts])
        relations: list[Relation] = []
        for start in range(0, len(found.pairs), _PAIRS_AT_ONCE):
            chunk = slice(start, start + _PAIRS_AT_ONCE)
            types, novelty, attention = run(
                self._pairs,
                hidden=hidden,
                mentions=mentions,
                pairs=found.pairs[chunk],
                features=features[chunk],
            )
            chances, news = _softmax(types), _softmax(novelty)[:, 1]
            for row in np.flatnonzero(1 - chances[:, 0] >= settings.threshold).tolist():
                pair = found.pairs[start + row].tolist()
                ends = [found.concepts[index] for index in pair]
                novel = bool(news[row] >= 0.5)
                relations.append(
                    Relation(
                        type=settings.types[int(chances[row, 1:].argmax())],
                        head=ends[0].id,
                        tail=ends[1].id,
                        novel=novel,
                        confidence=round(float(1 - chances[row, 0]), 4),
                        novelty_confidence=round(float(max(news[row], 1 - news[row])), 4),
                        evidence=_evidence(
                            document,
                            ends,
                            parts,
                            _sentence_weights(attention[row], places, len(parts)),
                        ),
                    )
                )
        return tuple(relations)

    def _hidden(self, text: MarkedText) -> Floats:
        kept = []
        for window in text.windows:
            ids, kinds = window_arrays(text, window)
            states = run(
                self._encoder,
                ids=ids[None],
                kinds=kinds[None],
            )[0][0]
            offset = 1 - window.start
            kept.append(states[window.keep_start + offset : window.keep_end + offset])
        return np.concatenate(kept)


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def _sentence_weights(attention: Floats, places: Ints, count: int) -> Floats:
    """Return the attention each sentence receives, shape (sentences,)."""
    return np.bincount(places, weights=attention, minlength=count).astype(np.float32)


def _evidence(
    document: Document,
    ends: Sequence[Concept],
    parts: Sequence[Span],
    weights: Floats,
) -> tuple[Span, ...]:
    """Return the sentence that supports a relation, or one for each end where none names both.

    Among the sentences that mention both concepts it is the one the model attends to most; without
    such a sentence, the most attended one that mentions each.
    """
    starts = np.asarray([part.start for part in parts])
    within: list[Ints] = []
    for concept in ends:
        places = np.asarray([document.entities[m].start for m in concept.mentions])
        within.append(np.unique(np.maximum(np.searchsorted(starts, places, side="right") - 1, 0)))
    shared = np.intersect1d(within[0], within[1])
    chosen = [shared] if len(shared) else within
    best = sorted({int(rows[weights[rows].argmax()]) for rows in chosen})
    return tuple(parts[index] for index in best)
