"""Fingerprints of texts: few numbers that two texts have in common where they share a passage.

Winnowing (Schleimer, Wilkerson and Aiken 2003, doi:10.1145/872757.872770): of the hashes of all
stretches of 24 characters the least of each 8 neighbours is kept. Two texts that share a stretch
of 31 characters share a fingerprint, and all fingerprints of a text that stands whole in another
are fingerprints of the other.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

GRAM = 24
WINDOW = 8
SHORTEST = GRAM + WINDOW - 1
"""A text with fewer letters and digits than this ("Case report.") is not compared."""

_BASE = 0x9E3779B97F4A7C15 | 1
_BATCH = 2_000_000  # characters hashed at once: some tens of megabytes of working memory

Hashes = NDArray[np.uint64]
Numbers = NDArray[np.int64]


class Fingerprints(Struct, frozen=True):
    """The fingerprints of many texts: `hashes[i]` is one of the text with the number `owners[i]`.

    They are sorted. `digests` has one number for each text, equal for equal texts; `lengths` the
    letters and digits of each.
    """

    hashes: Hashes
    owners: Numbers
    digests: Hashes
    lengths: Numbers


def fingerprints(texts: Iterable[bytes]) -> Fingerprints:
    """Return the fingerprints of texts as `normal_text` gives them, each once per text."""
    found: list[tuple[Hashes, Numbers]] = []
    digests: list[int] = []
    lengths: list[int] = []
    for batch in _batches(texts):
        hashes, owners = _winnow(batch)
        found.append((hashes, owners + len(digests)))
        digests += [_digest(text) for text in batch]
        lengths += map(len, batch)
    hashes = np.concatenate([np.empty(0, np.uint64), *(h for h, _ in found)])
    owners = np.concatenate([np.empty(0, np.int64), *(o for _, o in found)])
    order = np.argsort(hashes, kind="stable")
    return Fingerprints(
        hashes=hashes[order],
        owners=owners[order],
        digests=np.array(digests, dtype=np.uint64),
        lengths=np.array(lengths, dtype=np.int64),
    )


def _digest(text: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def _batches(texts: Iterable[bytes]) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _winnow(texts: Sequence[bytes]) -> tuple[Hashes, Numbers]:
    """Return the fingerprints of some texts and the number of the text each is of."""
    joined = np.frombuffer(b"".join(texts), dtype=np.uint8)
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    if len(joined) < SHORTEST:
        return np.empty(0, np.uint64), np.empty(0, np.int64)
    least = _least(_grams(joined))
    owners = np.repeat(np.arange(len(texts)), lengths)
    ends = np.repeat(np.cumsum(lengths), lengths)
    begins = np.arange(len(least))
    inside = begins + SHORTEST <= ends[: len(least)]  # the window ends in the text it begins in
    hashes, of = _first_of_run(least[inside], owners[: len(least)][inside])
    order = np.lexsort((hashes, of))
    return _first_of_run(hashes[order], of[order])


def _first_of_run(hashes: Hashes, owners: Numbers) -> tuple[Hashes, Numbers]:
    """Drop what repeats the entry before it."""
    new = np.ones(len(hashes), dtype=bool)
    new[1:] = (hashes[1:] != hashes[:-1]) | (owners[1:] != owners[:-1])
    return hashes[new], owners[new]


def _grams(characters: NDArray[np.uint8]) -> Hashes:
    """Return the hash of each stretch of 24 characters, put together from 16 and 8."""
    hashes = characters.astype(np.uint64)
    base = np.uint64(_BASE)
    doubled: dict[int, Hashes] = {}
    width = 1
    while width < 16:
        hashes = hashes[:-width] * _power(base, width) + hashes[width:]
        width *= 2
        doubled[width] = hashes
    whole = doubled[16][: -(GRAM - 16)] * _power(base, 8) + doubled[8][16:]
    return _mixed(whole)


def _power(base: np.uint64, exponent: int) -> np.uint64:
    return np.uint64(pow(int(base), exponent, 1 << 64))


def _mixed(hashes: Hashes) -> Hashes:
    """Spread what differs in the high bits to all bits, as the end of MurmurHash3 does."""
    hashes = hashes ^ (hashes >> np.uint64(33))
    hashes *= np.uint64(0xFF51AFD7ED558CCD)
    return hashes ^ (hashes >> np.uint64(33))


def _least(hashes: Hashes) -> Hashes:
    """Return the least of each 8 neighbours."""
    for width in (1, 2, 4):
        hashes = np.minimum(hashes[:-width], hashes[width:])
    return hashes
