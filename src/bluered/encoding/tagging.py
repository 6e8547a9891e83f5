"""A document as the tagger sees it: windows of pieces with the words that are labelled in each."""

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from tokenizers import Tokenizer

from bluered.encoding.batches import lengths_mask, pad
from bluered.encoding.surface import character_ids
from bluered.encoding.tokens import Ints, Tokens, tokenize
from bluered.encoding.viterbi import Floats
from bluered.encoding.windows import Window, windows
from bluered.errors import ModelError


class TaggerWindow(Struct, frozen=True):
    """The arrays of one window, and which words of the document it decides.

    `ids` (pieces with the two special tokens), `first` and `last` (words; positions in `ids`),
    `characters` (words, width), `names` (words, columns; see `name_features`). The window
    holds the document's words `[word_start, word_start + len(first))` and is taken as result for
    `[keep_start, keep_end)`; `pieces` says the same of pieces.
    """

    ids: Ints
    first: Ints
    last: Ints
    characters: Ints
    names: Floats
    word_start: int
    keep_start: int
    keep_end: int
    pieces: Window

    @property
    def kept(self) -> slice:
        """Where the words taken as result stand among the window's words."""
        return slice(self.keep_start - self.word_start, self.keep_end - self.word_start)


class TaggerBatch(Struct, frozen=True):
    """Padded windows: ids, mask (windows, pieces); first, last, words (windows, words); ..."""

    ids: Ints
    mask: Ints
    first: Ints
    last: Ints
    characters: Ints
    names: Floats
    words: NDArray[np.bool_]


def tagger_windows(
    text: str,
    tokenizer: Tokenizer,
    *,
    size: int,
    overlap: int,
    features: Callable[[Tokens], Floats] | None = None,
) -> tuple[Tokens, list[TaggerWindow]]:
    """Return the tokens of a text and its windows of at most `size` pieces.

    `features` gives what a dictionary says of each word, (words, columns).
    """
    tokens = tokenize(text, tokenizer)
    names = np.zeros((len(tokens.first), 0), np.float32) if features is None else features(tokens)
    opening, closing = special_ids(tokenizer)
    characters = character_ids(text, tokens.word_starts, tokens.word_ends)
    made = []
    for window in windows(len(tokens.ids), tokens.first.tolist(), size=size - 2, overlap=overlap):
        begin, end = np.searchsorted(tokens.first, (window.start, window.end)).tolist()
        keep = np.searchsorted(tokens.first, (window.keep_start, window.keep_end)).tolist()
        made.append(
            TaggerWindow(
                ids=np.concatenate([[opening], tokens.ids[window.start : window.end], [closing]]),
                first=tokens.first[begin:end] - window.start + 1,
                last=np.minimum(tokens.last[begin:end], window.end - 1) - window.start + 1,
                characters=characters[begin:end],
                names=names[begin:end],
                word_start=begin,
                keep_start=keep[0],
                keep_end=keep[1],
                pieces=window,
            )
        )
    return tokens, made


def special_ids(tokenizer: Tokenizer) -> tuple[int, int]:
    """Return the ids of the tokens that open and close a sequence, as `[CLS]` and `[SEP]`.

    ModelError for a tokenizer that adds none, as those of models that write text.
    """
    ids = tokenizer.encode("", add_special_tokens=True).ids
    if len(ids) != 2:
        raise ModelError(
            f"this encoder's tokenizer puts {len(ids)} tokens around a text: expected two, as "
            "BERT's [CLS] and [SEP]"
        )
    return ids[0], ids[1]


def tagger_batch(rows: Sequence[TaggerWindow]) -> TaggerBatch:
    """Pad windows to one batch."""
    return TaggerBatch(
        ids=pad([w.ids for w in rows]),
        mask=lengths_mask([w.ids for w in rows]).astype(np.int64),
        first=pad([w.first for w in rows]),
        last=pad([w.last for w in rows]),
        characters=pad([w.characters for w in rows]),
        names=pad([w.names for w in rows], kind=np.float32),
        words=lengths_mask([w.first for w in rows]),
    )
