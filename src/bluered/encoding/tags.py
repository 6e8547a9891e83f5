"""BIO tags and the spans they stand for.

Tag 0 is `O`; tag 1 + 2t is `B-` and 2 + 2t is `I-` of type t, in the order of the type list.
"""

from collections.abc import Collection, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bluered.documents.document import Entity
from bluered.encoding.tokens import Ints, Tokens

Bools = NDArray[np.bool_]


class TaggedSpan(Struct, frozen=True):
    """Words `[first, end)` that make up one mention of the type with index `type_index`."""

    type_index: int
    first: int
    end: int


def tag_count(types: Sequence[str]) -> int:
    """Return the number of tags for a list of types."""
    return 1 + 2 * len(types)


def encode_tags(tokens: Tokens, entities: Sequence[Entity], types: Sequence[str]) -> Ints:
    """Return one tag per word. A mention that ends inside a word takes the whole word.

    Where mentions overlap the longer one is kept; a discontinuous mention is tagged from its first
    to its last piece. Types that are not in the list are left out.
    """
    tags = np.zeros(len(tokens.first), dtype=np.int64)
    for entity in sorted(entities, key=lambda e: (e.end - e.start, -e.start)):
        if entity.type not in types:
            continue
        inside = (tokens.word_starts < entity.end) & (tokens.word_ends > entity.start)
        words = np.flatnonzero(inside)
        if not len(words):
            continue
        begin = 1 + 2 * list(types).index(entity.type)
        after = words[-1] + 1
        if after < len(tags) and tags[after] and tags[after] % 2 == 0:
            tags[after] -= 1  # an I- whose beginning is overwritten begins a mention of its own
        tags[words] = begin + 1
        tags[words[0]] = begin
    return tags


def possible_tags(tags: Ints, types: Sequence[str], annotated: Collection[str]) -> Bools:
    """Return which tags each word may have, (words, tags), if only some types were annotated.

    A word of a mention has its tag. Any other word is outside, or in a mention of a type that was
    not annotated: which, nobody said.
    """
    possible = np.zeros((len(tags), tag_count(types)), dtype=bool)
    possible[np.arange(len(tags)), tags] = True
    outside = np.flatnonzero(tags == 0)
    for index, kind in enumerate(types):
        if kind not in annotated:
            possible[outside, 1 + 2 * index] = possible[outside, 2 + 2 * index] = True
    return possible


def decode_tags(tags: Ints) -> list[TaggedSpan]:
    """Return the spans of a valid BIO sequence; a stray `I-` begins a span of its own."""
    spans: list[TaggedSpan] = []
    first, current = 0, -1
    for index, tag in enumerate([*tags.tolist(), 0]):
        kind = (tag - 1) // 2 if tag else -1
        continues = tag > 0 and tag % 2 == 0 and kind == current
        if current >= 0 and not continues:
            spans.append(TaggedSpan(current, first, index))
        if not continues:
            first, current = index, kind
    return spans


def allowed_transitions(count: int) -> np.ndarray:
    """Return a boolean matrix (from, to): `I-` of a type may only follow its own `B-` or `I-`."""
    allowed = np.ones((count, count), dtype=bool)
    for tag in range(2, count, 2):
        allowed[:, tag] = False
        allowed[[tag - 1, tag], tag] = True
    return allowed
