"""Documents as models of words are trained on them and tag them: sentences with a tag per word."""

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bluered.documents.document import Document, Entity
from bluered.encoding.tags import encode_tags
from bluered.encoding.tokens import Ints
from bluered.encoding.word_sentences import WordSentence, WordSentences, split, word_sentences
from bluered.models.elmo import Elmo
from bluered.training.loop import Progress, Scores
from bluered.training.tagger import mentions_of, strict_scores
from bluered.training.word_encoders import each_word, embedded


class Row(Struct, frozen=True):
    """A sentence, what ELMo says of its words (words, size), and the tag of each."""

    sentence: WordSentence
    contextual: NDArray[np.float16]
    tags: Ints


class Read(Struct, frozen=True):
    """A document by sentence."""

    document: Document
    at: WordSentences
    rows: tuple[Row, ...]


Tag = Callable[[Sequence[Row]], list[Ints]]
"""Give the tags of each sentence's words."""


def read(
    documents: Sequence[Document], types: Sequence[str], elmo: Elmo | None, progress: Progress
) -> list[Read]:
    """Return the sentences of all documents with their tags; without ELMo `size` is 0."""
    splits = [split(document) for document in documents]
    texts = [word_sentences(d, at) for d, at in zip(documents, splits, strict=True)]
    words = [sentence.words for sentences in texts for sentence in sentences]
    if elmo is None:
        contextual = iter([np.zeros((len(w), 0), dtype=np.float16) for w in words])
    else:
        contextual = iter(embedded(elmo, words, each_word, progress=progress))
    made = []
    for document, at, sentences in zip(documents, splits, texts, strict=True):
        tags = encode_tags(at.tokens, document.entities, types)
        rows = [
            Row(sentence, next(contextual), tags[bounds])
            for sentence, bounds in zip(sentences, at.bounds, strict=True)
        ]
        made.append(Read(document, at, tuple(rows)))
    return made


def rows_of(documents: Sequence[Read]) -> list[Row]:
    """Return the sentences of all documents."""
    return [row for document in documents for row in document.rows]


def length(row: Row) -> int:
    """Return how many words a sentence has."""
    return len(row.tags)


def mentions(tag: Tag, read: Sequence[Read], types: Sequence[str]) -> list[tuple[Entity, ...]]:
    """Return the mentions that the tags of each document's words stand for."""
    tags = iter(tag(rows_of(read)))
    found = []
    for document in read:
        joined = np.concatenate([[], *(next(tags) for _ in document.rows)]).astype(np.int64)
        found.append(mentions_of(document.document.text, document.at.tokens, joined, types))
    return found


def scores(tag: Tag, read: Sequence[Read], types: Sequence[str]) -> Scores:
    """Return strict F1, precision and recall of what is found in documents."""
    return strict_scores([document.document for document in read], mentions(tag, read, types))
