"""A document as the relation model sees it: pieces with a typed marker before every mention."""

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from tokenizers import Tokenizer

from bluered.documents.biored_types import ENTITY_TYPES
from bluered.documents.document import Document
from bluered.encoding.tagging import special_ids
from bluered.encoding.tokens import Ints, tokenize
from bluered.encoding.windows import Window, windows


def kind_count(types: Sequence[str] = ENTITY_TYPES) -> int:
    """Return how many kinds of piece there are: plain, and two for each type and any other."""
    return 1 + 2 * (len(types) + 1)


_MARKERS = ("[unused1]", "[MASK]", "<mask>")


class MarkedText(Struct, frozen=True):
    """The marked sequence without special tokens.

    `ids`, `kinds`, `places` (the code point a piece or marker stands at) have shape (pieces,);
    `markers` (mentions,) are the positions of the markers, in the order of the entities.
    """

    ids: Ints
    kinds: Ints
    places: Ints
    markers: Ints
    windows: tuple[Window, ...]
    opening: int
    closing: int


def mark(
    document: Document,
    tokenizer: Tokenizer,
    *,
    size: int,
    overlap: int,
    types: Sequence[str] = ENTITY_TYPES,
) -> MarkedText:
    """Return the document's pieces with a marker before each mention, and windows over them."""
    tokens = tokenize(document.text, tokenizer)
    starts, ends = tokens.starts.tolist(), tokens.ends.tolist()
    inside = np.zeros(len(starts), dtype=np.int64)
    before: dict[int, list[int]] = {}
    for index, entity in enumerate(document.entities):
        kind = _kind(entity.type, types)
        before.setdefault(bisect_left(ends, entity.start + 1), []).append(index)
        for span in entity.spans:
            inside[bisect_left(ends, span.start + 1) : bisect_left(starts, span.end)] = kind + 1
    ids, kinds, places = list[int](), list[int](), list[int]()
    markers = np.zeros(len(document.entities), dtype=np.int64)
    cuts = []
    words = set(tokens.first.tolist())
    marker = marker_id(tokenizer)
    for piece in range(len(starts) + 1):
        here = before.get(piece, ())
        if here or piece in words:
            cuts.append(len(ids))
        for index in here:
            markers[index] = len(ids)
            ids.append(marker)
            kinds.append(_kind(document.entities[index].type, types))
            places.append(document.entities[index].start)
        if piece < len(starts):
            ids.append(int(tokens.ids[piece]))
            kinds.append(int(inside[piece]))
            places.append(starts[piece])
    opening, closing = special_ids(tokenizer)
    return MarkedText(
        ids=np.asarray(ids, dtype=np.int64),
        kinds=np.asarray(kinds, dtype=np.int64),
        places=np.asarray(places, dtype=np.int64),
        markers=markers,
        windows=tuple(windows(len(ids), cuts, size=size - 2, overlap=overlap)),
        opening=opening,
        closing=closing,
    )


def _kind(entity_type: str, types: Sequence[str]) -> int:
    index = types.index(entity_type) if entity_type in types else len(types)
    return 1 + 2 * index


def marker_id(tokenizer: Tokenizer) -> int:
    """Return the piece that markers are made of: one that no text has."""
    for token in _MARKERS:
        if (found := tokenizer.token_to_id(token)) is not None:
            return found
    return 0


def window_arrays(text: MarkedText, window: Window) -> tuple[Ints, Ints]:
    """Return a window's ids and kinds, with the special tokens around them."""
    piece = slice(window.start, window.end)
    ids = np.concatenate([[text.opening], text.ids[piece], [text.closing]])
    return ids, np.pad(text.kinds[piece], 1)


def sentence_of_piece(text: MarkedText, sentence_starts: Sequence[int]) -> Ints:
    """Return the index of the sentence each piece stands in, shape (pieces,)."""
    found = np.searchsorted(np.asarray(sentence_starts), text.places, side="right") - 1
    return np.maximum(found, 0)
