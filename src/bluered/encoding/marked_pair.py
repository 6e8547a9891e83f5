"""A document as a pair model reads it: once for each pair, its two concepts in typed markers.

The form is that of the PubMedBERT baseline of BioRED (Luo et al. 2022), as ncbi/BioREx prepares it:
every mention of the first concept stands between `@GeneOrGeneProductSrc$` and
`@/GeneOrGeneProductSrc$`, every mention of the second between markers that end in `Tgt`; a marker
is one piece with an embedding of its own. Three things differ. A variant has markers of its own
(the published scripts call it a gene, and leave pairs of two types out); a mention that names both
concepts is marked as both (there as the first alone); and of a text longer than the window that
part is kept that shows most of the two concepts (there the end is cut off).
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from tokenizers import Tokenizer

from bluered.documents.biored_types import ENTITY_TYPES
from bluered.documents.document import Document
from bluered.documents.sentences import sentences
from bluered.encoding.marking import marker_id
from bluered.encoding.surroundings import mention_pieces
from bluered.encoding.tagging import special_ids
from bluered.encoding.tags import Bools
from bluered.encoding.tokens import Ints, tokenize

MARKER_KINDS = 1 + 4 * (len(ENTITY_TYPES) + 1)
"""Kinds of piece: plain, and for each type and any other the opening and closing marker of the
first and of the second concept."""

NO_SENTENCE = -1
"""The sentence and the word of the special tokens."""


class PairText(Struct, frozen=True):
    """A document's pieces without special tokens, before anything is marked.

    `ids`, `words` and `sentences` (pieces,): of which word and sentence each is. `mentions`
    (mentions, 2): the pieces `[first, end)` of each; `types` (mentions,): indices of ENTITY_TYPES.
    """

    ids: Ints
    words: Ints
    sentences: Ints
    mentions: Ints
    types: Ints
    marker: int
    opening: int
    closing: int


class MarkedPair(Struct, frozen=True):
    """The sequence of one pair, with the special tokens.

    All (pieces,): `kinds` is 0 for a plain piece and tells the markers apart; `words` numbers the
    words from 0, each marker being one; `sentences` those of the document. Special tokens have
    word and sentence -1.
    """

    ids: Ints
    kinds: Ints
    words: Ints
    sentences: Ints


def pair_text(document: Document, tokenizer: Tokenizer) -> PairText:
    """Return the arrays that all pairs of a document are made of."""
    tokens = tokenize(document.text, tokenizer)
    pieces = np.arange(len(tokens.ids))
    starts = [sentence.start for sentence in sentences(document)]
    opening, closing = special_ids(tokenizer)
    types = [
        ENTITY_TYPES.index(e.type) if e.type in ENTITY_TYPES else len(ENTITY_TYPES)
        for e in document.entities
    ]
    return PairText(
        ids=tokens.ids,
        words=np.searchsorted(tokens.first, pieces, side="right") - 1,
        sentences=np.maximum(0, np.searchsorted(starts, tokens.starts, side="right") - 1),
        mentions=np.minimum(mention_pieces(tokens, document.entities), len(pieces)),
        types=np.asarray(types, dtype=np.int64),
        marker=marker_id(tokenizer),
        opening=opening,
        closing=closing,
    )


def sides(kinds: Ints) -> Ints:
    """Return whose marker each piece is: 1 the first concept's, 2 the second's, 0 none."""
    return np.where(kinds > 0, 1 + (kinds - 1) // 2 % 2, 0)


def opens(kinds: Ints) -> Bools:
    """Tell which pieces are opening markers."""
    return kinds % 2 == 1


def marked_length(text: PairText, pair: tuple[Sequence[int], Sequence[int]], *, size: int) -> int:
    """Return how many pieces `marked_pair` gives."""
    return min(size, len(text.ids) + 2 * sum(map(len, pair)) + 2)


def marked_pair(
    text: PairText, pair: tuple[Sequence[int], Sequence[int]], *, size: int
) -> MarkedPair:
    """Return the sequence of a pair of concepts, given the mentions of each, in `size` pieces.

    If it is longer, the window is kept that holds markers of both concepts and most of them; of
    several such windows the middle one, so that there is text on either side.
    """
    places, kinds, neighbours = _markers(text, pair)
    at = places + np.arange(len(places))  # where the markers stand once all are in
    ids = np.insert(text.ids, places, text.marker)
    begins = np.insert(np.diff(text.words, prepend=-1) > 0, places, True)
    begins[at] = True
    after = at[at + 1 < len(begins)] + 1
    begins[after] = True  # a word that a marker stands in is two
    within = text.sentences[neighbours] if len(text.ids) else np.zeros_like(places)
    found = MarkedPair(
        ids,
        np.insert(np.zeros_like(text.ids), places, kinds),
        np.cumsum(begins) - 1,
        np.insert(text.sentences, places, within),
    )
    return _within(found, size - 2, (text.opening, text.closing))


def _markers(text: PairText, pair: tuple[Sequence[int], Sequence[int]]) -> tuple[Ints, Ints, Ints]:
    """Return before which piece each marker stands, its kind, and a piece of its mention.

    Mentions that end at a piece are closed before others open there, the inner ones first.
    """
    found = []
    for side, mentions in enumerate(pair):
        for mention in mentions:
            first, end = text.mentions[mention].tolist()
            kind = 1 + 4 * int(text.types[mention]) + 2 * side
            found.append(((first, 1, -end, side), kind, first))
            found.append(((end, 0, -first, -side), kind + 1, max(first, end - 1)))
    found.sort()
    columns = [(place[0], kind, piece) for place, kind, piece in found]
    last = max(0, len(text.ids) - 1)
    places, kinds, pieces = np.asarray(columns, dtype=np.int64).reshape(-1, 3).T
    return places, kinds, np.minimum(pieces, last)


def _within(whole: MarkedPair, room: int, special: tuple[int, int]) -> MarkedPair:
    """Return the part of a sequence that fits, between the two special tokens."""
    start = _best_start(whole.kinds, room)
    part = slice(start, start + room)
    ids = np.concatenate([special[:1], whole.ids[part], special[1:]])
    words = whole.words[part] - (whole.words[start] if len(whole.words) else 0)
    return MarkedPair(
        ids,
        np.pad(whole.kinds[part], 1),
        np.pad(words, 1, constant_values=NO_SENTENCE),
        np.pad(whole.sentences[part], 1, constant_values=NO_SENTENCE),
    )


def _best_start(kinds: Ints, room: int) -> int:
    if len(kinds) <= room:
        return 0
    side = sides(kinds)
    counts = []
    for number in (1, 2):
        before = np.concatenate([[0], np.cumsum(side == number)])
        counts.append(before[room:] - before[:-room])
    first, second = counts
    worth = first + second + len(kinds) * ((first > 0) & (second > 0))
    best = np.flatnonzero(worth == worth.max())
    return int(best[len(best) // 2])
