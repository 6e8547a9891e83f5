"""A document as a model of words reads it: sentence by sentence, each a sequence of words."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from bluered.documents.document import Document, Span
from bluered.documents.sentences import sentences
from bluered.encoding.surface import character_ids
from bluered.encoding.tokens import Ints, Tokens
from bluered.encoding.words import words


class WordSentences(Struct, frozen=True):
    """The words of a document, and where each sentence begins and ends among them.

    In `tokens` each word is a piece of its own, without an id.
    """

    tokens: Tokens
    bounds: tuple[slice, ...]


class WordSentence(Struct, frozen=True):
    """The words of a sentence and their characters, (words, width)."""

    words: tuple[str, ...]
    characters: Ints


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text, as they stand there."""
    return tuple(text[span.start : span.end] for span in words(text))


def split(document: Document) -> WordSentences:
    """Return a document's words by sentence; no word crosses a sentence, none is empty."""
    spans, bounds = list[Span](), list[slice]()
    for sentence in sentences(document):
        found = words(document.text[sentence.start : sentence.end])
        spans += [Span(s.start + sentence.start, s.end + sentence.start) for s in found]
        if found:
            bounds.append(slice(len(spans) - len(found), len(spans)))
    return WordSentences(_tokens(spans), tuple(bounds))


def word_sentences(document: Document, at: WordSentences) -> list[WordSentence]:
    """Return what a model reads of each sentence."""
    starts, ends = at.tokens.word_starts, at.tokens.word_ends
    characters = character_ids(document.text, starts, ends)
    texts = [document.text[s:e] for s, e in zip(starts.tolist(), ends.tolist(), strict=True)]
    return [WordSentence(tuple(texts[b]), characters[b]) for b in at.bounds]


def _tokens(spans: Sequence[Span]) -> Tokens:
    starts = np.asarray([span.start for span in spans], dtype=np.int64)
    ends = np.asarray([span.end for span in spans], dtype=np.int64)
    places = np.arange(len(spans), dtype=np.int64)
    return Tokens(np.zeros_like(places), starts, ends, starts, ends, places, places)
