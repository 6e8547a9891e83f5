"""Where a document's mentions are among its pieces, and of what kind each piece is.

A piece is plain (kind 0), the first of a mention of type t (1 + 2t) or a later one (2 + 2t); the
last type stands for any that the model does not know.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from bluered.documents.biored_types import ENTITY_TYPES
from bluered.documents.document import Entity
from bluered.encoding.pairs import Candidates
from bluered.encoding.tokens import Ints, Tokens

KINDS = 1 + 2 * (len(ENTITY_TYPES) + 1)
"""How many kinds of piece there are for BioRED's types."""


class MentionKinds(Struct, frozen=True):
    """`kinds` (pieces,); `first` (mentions,), the piece that stands for each mention."""

    kinds: Ints
    first: Ints


def mention_kinds(
    tokens: Tokens, entities: Sequence[Entity], types: Sequence[str] = ENTITY_TYPES
) -> MentionKinds:
    """Return the kinds of a text's pieces; of mentions that overlap the shorter one stands out."""
    kinds = np.zeros(len(tokens.ids), dtype=np.int64)
    first = np.zeros(len(entities), dtype=np.int64)
    order = sorted(range(len(entities)), key=lambda i: entities[i].start - entities[i].end)
    for index in order:
        entity = entities[index]
        kind = 1 + 2 * (types.index(entity.type) if entity.type in types else len(types))
        for span in entity.spans:
            begin = int(np.searchsorted(tokens.ends, span.start, side="right"))
            kinds[begin : int(np.searchsorted(tokens.starts, span.end, side="left"))] = kind + 1
        begin = int(np.searchsorted(tokens.ends, entity.start, side="right"))
        first[index] = min(begin, max(0, len(kinds) - 1))
        kinds[begin : begin + 1] = kind
    return MentionKinds(kinds, first)


def mention_table(first: Ints, found: Candidates) -> Ints:
    """Return the pieces of each concept's mentions, (concepts, most), padded with -1."""
    most = max((len(c.mentions) for c in found.concepts), default=1)
    table = np.full((len(found.concepts), most), -1, dtype=np.int64)
    for row, concept in zip(table, found.concepts, strict=True):
        row[: len(concept.mentions)] = first[list(concept.mentions)]
    return table
