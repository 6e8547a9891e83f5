"""Sentences as a bidirectional language model learns from them: numbers of different words.

Every different word has a number and is written in characters once: `Text.characters` and
`Text.targets` say of each number how it is read and what is guessed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bluered.documents.sentences import sentence_spans
from bluered.encoding.elmo_characters import character_ids
from bluered.encoding.tokens import Ints
from bluered.encoding.words import words

MARKS = ("<S>", "</S>", "<UNK>")
"""What heads a vocabulary, as in bilm-tf's files: begin and end of a sentence, any other word."""

_BEGIN, _END, _FIRST = 1, 2, 3
"""Numbers of the marks around a sentence and of the first word; 0 is past its end."""

Sentence = list[str]


class Text(Struct, frozen=True):
    """Sentences and what their numbers mean.

    `rows` are the sentences to learn from, `held_out` others, each the numbers of a begin, its
    words and an end. `characters` (numbers, width) are ids of `encoding.elmo_characters`,
    `targets` (numbers,) places in `vocabulary`, -1 for what is past an end.
    """

    rows: list[Ints]
    held_out: list[Ints]
    vocabulary: tuple[str, ...]
    characters: NDArray[np.int16]
    targets: Ints


def sentences_of(line: str, *, longest: int) -> Iterator[Sentence]:
    """Yield the words of each sentence of a text; one of more than `longest` words is cut."""
    for sentence in sentence_spans(line, 0, len(line)):
        text = line[sentence.start : sentence.end]
        found = [text[word.start : word.end] for word in words(text)]
        yield from (found[at : at + longest] for at in range(0, len(found), longest))


def first_sentences(lines: Iterable[str], *, longest: int, limit: int) -> list[list[Sentence]]:
    """Return the sentences of each line, of the first lines that have `limit` ones (0: of all)."""
    found: list[list[Sentence]] = []
    count = 0
    for line in lines:
        found.append(list(sentences_of(line, longest=longest)))
        count += len(found[-1])
        if limit and count >= limit:
            break
    return found


def numbered(
    learned: Sequence[Sentence], held_out: Sequence[Sentence], *, size: int, width: int
) -> Text:
    """Return sentences as numbers, and their `size` most frequent words as the vocabulary.

    Only what is learned from counts; of equally frequent words the first in the alphabet are kept.
    """
    counts = Counter(word for sentence in learned for word in sentence)
    frequent = sorted(counts, key=lambda word: (-counts[word], word))
    known = counts.keys()
    others = dict.fromkeys(w for sentence in held_out for w in sentence if w not in known)
    different = [*frequent, *others]
    numbers = {word: number for number, word in enumerate(different, start=_FIRST)}
    targets = np.arange(-1, len(different) + _FIRST - 1)  # begin 0, end 1, unknown 2, words from 3
    targets[_FIRST:] += 1
    targets[_FIRST + size :] = MARKS.index("<UNK>")
    targets[_FIRST + len(frequent) :] = MARKS.index("<UNK>")
    written = character_ids([different], width=width)[0].astype(np.int16)
    order = [0, len(different) + 1, *range(1, len(different) + 1)]  # begin, end, words
    return Text(
        rows=[_row(sentence, numbers) for sentence in learned],
        held_out=[_row(sentence, numbers) for sentence in held_out],
        vocabulary=(*MARKS, *frequent[:size]),
        characters=np.concatenate([np.zeros_like(written[:1]), written[order]]),
        targets=targets,
    )


def _row(sentence: Sentence, numbers: dict[str, int]) -> Ints:
    return np.asarray([_BEGIN, *(numbers[word] for word in sentence), _END], dtype=np.int64)
