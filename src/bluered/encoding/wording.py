"""What is said of a pair of concepts, as a sparse bag of words for a linear model.

The words of a sentence in which the pair meets, by where they stand to the two mentions (before,
just before, between, just after, after), in which order the two come, and of what types they are;
the names of both; and the layout. Words inside mentions count as names only. Each is hashed into
one of `BUCKETS` columns (Weinberger et al. 2009), so that no list of words travels with a model.
"""

from collections.abc import Sequence
from zlib import crc32

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bluered.documents.document import Document
from bluered.encoding.meetings import Meetings, ordered, sentence_bounds, spread
from bluered.encoding.pairs import Candidates
from bluered.encoding.tokens import Ints, Tokens
from bluered.encoding.viterbi import Floats

_BITS = 18
BUCKETS = 1 << _BITS
_NEAR = 8
"""Words that count as just before or just after a mention."""

_ANYWHERE, _BY_ZONE, _BY_ORDER, _BY_TYPES, _NAME, _NAME_WORD, _LAYOUT, _TYPED_LAYOUT = range(8)
_ZONES = 5


class Wording(Struct, frozen=True):
    """The features of a document's pairs: those of pair `i` are `columns[ends[i - 1]:ends[i]]`."""

    columns: Ints
    ends: Ints


class _Keys(Struct, frozen=True):
    """Features before they are hashed: the pair, the word or value, and the role it is seen in."""

    pairs: Ints
    values: Ints
    roles: Ints


def wording(
    document: Document, tokens: Tokens, found: Candidates, *, met: Meetings, layout: Ints
) -> Wording:
    """Return the features of the candidate pairs, which meet at `met`.

    `layout` is what `encoding.pairs.pair_features` says of them.
    """
    bounds = zip(tokens.word_starts.tolist(), tokens.word_ends.tolist(), strict=True)
    words = np.asarray([_number(document.text[a:b]) for a, b in bounds], dtype=np.int64)
    starts = [entity.start for entity in document.entities]
    ends = [entity.end for entity in document.entities]
    first = np.searchsorted(tokens.word_ends, starts, side="right")
    mentions = np.stack([first, np.searchsorted(tokens.word_starts, ends, side="left")], axis=1)
    keys = [
        _layout_keys(found, layout),
        *_name_keys(document, words, mentions, found),
        *_sentence_keys(words, _zones(tokens, mentions, met), mentions, found),
    ]
    return _hashed(keys, len(found.pairs))


def weigh(weights: NDArray[np.floating], said: Wording) -> Floats:
    """Return the scores of pairs, (pairs, outputs); weights: (BUCKETS, outputs).

    A feature counts the less the more a pair has (one over the root of their number).
    """
    if not len(said.ends):
        return np.zeros((0, weights.shape[1]), dtype=np.float32)
    starts = np.append(0, said.ends[:-1])
    sums = np.add.reduceat(weights[said.columns].astype(np.float32), starts)
    return np.divide(sums, np.sqrt(said.ends - starts)[:, None], dtype=np.float32)


def _layout_keys(found: Candidates, layout: Ints) -> _Keys:
    count, columns = layout.shape
    values = (layout + np.arange(columns) * 64).ravel()
    pairs = np.repeat(np.arange(count), columns)
    kinds = found.kinds[pairs]
    return _Keys(
        np.concatenate([pairs, pairs]),
        np.concatenate([values, values]),
        np.concatenate([np.full_like(kinds, _role(_LAYOUT)), _role(_TYPED_LAYOUT) + kinds]),
    )


def _name_keys(document: Document, words: Ints, mentions: Ints, found: Candidates) -> list[_Keys]:
    """Return the names of both ends, whole and by word."""
    names = np.asarray([_number(entity.text) for entity in document.entities], dtype=np.int64)
    bounds = np.cumsum([0, *(len(concept.mentions) for concept in found.concepts)])
    of_all = np.asarray([m for c in found.concepts for m in c.mentions], dtype=np.int64)
    keys = []
    for side in range(2):
        ends = found.pairs[:, side]
        places, pairs = spread(bounds[ends], bounds[ends + 1])
        named = of_all[places]
        keys.append(_Keys(pairs, names[named], np.full_like(pairs, _role(_NAME, side))))
        inside, whose = spread(mentions[named, 0], mentions[named, 1])
        roles = np.full_like(whose, _role(_NAME_WORD, side))
        keys.append(_Keys(pairs[whose], words[inside], roles))
    return keys


class _Zones(Struct, frozen=True):
    """Ranges of words around meetings: pair, zone, whether the pair is turned, `[first, end)`."""

    pairs: Ints
    zones: Ints
    turned: Ints
    first: Ints
    end: Ints


def _zones(tokens: Tokens, mentions: Ints, met: Meetings) -> _Zones:
    left, right, turned = ordered(mentions, met)
    begin, end = sentence_bounds(met, tokens.word_starts)
    near = np.maximum(begin, left[:, 0] - _NEAR)
    far = np.minimum(end, right[:, 1] + _NEAR)
    return _Zones(
        np.tile(met.pairs, _ZONES),
        np.repeat(np.arange(_ZONES), len(met.pairs)),
        np.tile(turned, _ZONES),
        np.concatenate([begin, near, left[:, 1], right[:, 1], far]),
        np.concatenate([near, left[:, 0], right[:, 0], far, end]),
    )


def _sentence_keys(words: Ints, zones: _Zones, mentions: Ints, found: Candidates) -> list[_Keys]:
    outside = np.ones(len(words), dtype=bool)
    outside[spread(mentions[:, 0], mentions[:, 1])[0]] = False
    places, whose = spread(zones.first, zones.end)
    kept = outside[places]
    places, whose = places[kept], whose[kept]
    values, pairs, zone = words[places], zones.pairs[whose], zones.zones[whose]
    roles = (
        np.full_like(zone, _role(_ANYWHERE)),
        _role(_BY_ZONE) + zone,
        _role(_BY_ORDER) + 2 * zone + zones.turned[whose],
        _role(_BY_TYPES) + _ZONES * found.kinds[pairs] + zone,
    )
    return [_Keys(pairs, values, each) for each in roles]


def _number(text: str) -> int:
    return crc32(text.lower().encode("utf-8", "surrogatepass"))


def _role(group: int, part: int = 0) -> int:
    return 64 * group + part


def _hashed(keys: Sequence[_Keys], pairs: int) -> Wording:
    """Return the column of each value in its role, once for each pair (Knuth's hash, mixed)."""
    values = np.concatenate([each.values for each in keys]).astype(np.uint64)
    roles = np.concatenate([each.roles for each in keys]).astype(np.uint64)
    mixed = (values + ((roles + np.uint64(1)) << np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    columns = (mixed >> np.uint64(64 - _BITS)).astype(np.int64)
    rows = np.concatenate([each.pairs for each in keys])
    seen = np.unique((rows << _BITS) | columns)
    counts = np.bincount(seen >> _BITS, minlength=pairs)
    return Wording(seen & (BUCKETS - 1), np.cumsum(counts))
