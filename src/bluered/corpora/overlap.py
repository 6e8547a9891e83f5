"""Which texts stand in two corpora or splits: by their text and, apart from that, by PubMed id.

Two texts are the same where most of the shorter one stands in the longer: copies of an abstract
that differ in some letters, an abstract in a full text, a sentence in an abstract.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from msgspec import Struct

from bluered.corpora.fingerprints import SHORTEST, Hashes, Numbers
from bluered.corpora.texts import Part, pubmed_id

LEAST_SHARE = 0.5
"""The share of the shorter text's fingerprints from which it counts as standing in the other.

Chosen by looking at the corpora: copies of an abstract share 0.97 and more, a Cochrane review and
its update 0.52, and no two others above 0.4.
"""

LEAST_SHARE_OF_SENTENCES = 0.8
"""The same for texts of fewer than 60 fingerprints (about 300 letters), where a phrase is much."""

LONG = 60

LEAST_LETTERS = 60
"""A text of fewer letters and digits is a set phrase ("No drug interactions have been reported.")
and is found only where it is the whole of the other text too."""

COMMON = 200
"""A fingerprint that more texts have is a set phrase and does not count."""

Pair = tuple[int, int]
"""A text of the first part and one of the second, by their numbers in the parts."""

Shares = dict[Pair, float]


class Match(Struct, frozen=True):
    """Two texts that are the same, by their ids.

    `share` is how much of the shorter one stands in the longer, 0 where only the ids agree.
    `same_id` is None where their ids cannot be compared: one of them is no PubMed id.
    """

    first: str
    second: str
    share: float
    equal: bool
    same_id: bool | None
    numbers: Pair


class Overlap(Struct, frozen=True):
    """What two parts share; `sizes` are their numbers of texts.

    `ids_known` says whether both have ids that can be compared.
    """

    first: str
    second: str
    sizes: tuple[int, int]
    ids_known: bool
    matches: tuple[Match, ...]

    def count(self, counts: Callable[[Match], object]) -> tuple[int, int]:
        """Return how many texts of the first and of the second part have such a match."""
        numbers = [match.numbers for match in self.matches if counts(match)]
        return len({first for first, _ in numbers}), len({second for _, second in numbers})


def by_text(match: Match) -> bool:
    """Tell whether a match is one of texts, whatever the ids."""
    return match.share > 0


def by_id(match: Match) -> bool:
    """Tell whether the ids of a match are the same, whatever the texts."""
    return match.same_id is True


def overlaps(firsts: Sequence[Part], seconds: Sequence[Part] | None = None) -> Iterator[Overlap]:
    """Yield what each of the first parts shares with each of the second.

    Without second parts, what each shares with itself (texts that come twice) and those after it.
    """
    index = _Index(firsts if seconds is None else seconds)
    ids = {id(part): _Ids(part) for part in (*firsts, *index.parts)}
    for position, first in enumerate(firsts):
        found = index.matches(first)
        for number, second in enumerate(index.parts):
            if seconds is not None or number >= position:
                yield _overlap(ids[id(first)], ids[id(second)], found.get(number, {}))


class _Index:
    """The fingerprints of many parts, sorted, so that the texts that have one are found quickly."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = parts
        counts = [len(part.ids) for part in parts]
        self.starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        hashes, owners = _joined(parts, self.starts)
        order = np.argsort(hashes, kind="stable")
        self.hashes, self.owners = _without_common(hashes[order], owners[order])
        self.sizes = np.bincount(self.owners, minlength=int(self.starts[-1]))
        self.lengths = np.concatenate([np.empty(0, np.int64), *(p.prints.lengths for p in parts)])
        self.by_digest: dict[int, list[int]] = defaultdict(list)
        for part, start in zip(parts, self.starts, strict=False):
            for number, digest in _digests(part):
                self.by_digest[digest].append(int(start) + number)

    def matches(self, part: Part) -> dict[int, Shares]:
        """Return, for the number of each part that has some, the pairs of same texts."""
        whole = dict(self._alike(part))
        for number, digest in _digests(part):
            whole.update({(number, other): 1.0 for other in self.by_digest.get(digest, ())})
        found: dict[int, Shares] = defaultdict(dict)
        starts = self.starts.tolist()
        for (number, other), share in whole.items():
            where = bisect_right(starts, other) - 1
            own = other - starts[where]
            if self.parts[where] is not part or own != number:
                found[where][number, own] = share
        return found

    def _alike(self, part: Part) -> Iterator[tuple[Pair, float]]:
        """Yield the pairs of texts that share enough of their fingerprints."""
        hashes, owners = part.prints.hashes, part.prints.owners
        low = np.searchsorted(self.hashes, hashes, side="left")
        times = np.searchsorted(self.hashes, hashes, side="right") - low
        sizes = np.bincount(owners, minlength=len(part.ids))
        step = self.starts[-1] + 1
        keys = np.repeat(owners, times) * step + self.owners[_ranges(low, times)]
        pairs, shared = np.unique(keys, return_counts=True)
        firsts, seconds = np.divmod(pairs, step)
        smaller = np.minimum(sizes[firsts], self.sizes[seconds])
        shares = shared / np.maximum(smaller, 1)
        least = np.where(smaller < LONG, LEAST_SHARE_OF_SENTENCES, LEAST_SHARE)
        letters = np.minimum(part.prints.lengths[firsts], self.lengths[seconds])
        for i in np.flatnonzero((shares >= least) & (letters >= LEAST_LETTERS)):
            yield (int(firsts[i]), int(seconds[i])), min(1.0, float(shares[i]))


def _digests(part: Part) -> Iterator[tuple[int, int]]:
    """Yield the number and the digest of each text that is long enough to be told from others."""
    lengths = part.prints.lengths.tolist()
    for number, digest in enumerate(part.prints.digests.tolist()):
        if lengths[number] >= SHORTEST:
            yield number, digest


def _joined(parts: Sequence[Part], starts: Numbers) -> tuple[Hashes, Numbers]:
    if not parts:
        return np.empty(0, np.uint64), np.empty(0, np.int64)
    hashes = np.concatenate([part.prints.hashes for part in parts])
    owners = [part.prints.owners + start for part, start in zip(parts, starts, strict=False)]
    return hashes, np.concatenate(owners)


def _without_common(hashes: Hashes, owners: Numbers) -> tuple[Hashes, Numbers]:
    """Leave out, of sorted fingerprints, those that very many texts have."""
    _, times = np.unique(hashes, return_counts=True)
    kept = np.repeat(times <= COMMON, times)
    return hashes[kept], owners[kept]


def _ranges(starts: Numbers, lengths: Numbers) -> Numbers:
    """Return start, start + 1, ... for each start and length, one after the other."""
    offsets = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.repeat(starts, lengths) + offsets


def is_numbered(ids: Sequence[str]) -> bool:
    """Tell whether the ids only number the texts from 0 or 1 on, as they do where a file has none.

    Every such file has the text 1, so that the ids say nothing of another part's texts. Of pairs,
    whose texts are called 1.1, 1.2, 2.1, ..., the pairs count.
    """
    names = list(dict.fromkeys(name.rpartition(".")[0] or name for name in ids))
    start = int(names[:1] != ["0"])
    return names == [str(number) for number in range(start, start + len(names))]


class _Ids:
    """The texts of a part by their ids; by none where the ids are numbers only."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.pubmed: dict[str, list[int]] = defaultdict(list)
        self.own: dict[str, list[int]] = defaultdict(list)
        self.numbered = is_numbered(part.ids)
        for number, name in enumerate(() if self.numbered else part.ids):
            self.own[name].append(number)
            if (known := pubmed_id(name)) is not None:
                self.pubmed[known].append(number)


def _overlap(first: _Ids, second: _Ids, shares: Shares) -> Overlap:
    one_corpus = bool(first.part.corpus) and first.part.corpus == second.part.corpus
    names = (first.own, second.own) if one_corpus else (first.pubmed, second.pubmed)
    same = {
        (number, other)
        for name in names[0].keys() & names[1].keys()
        for number in names[0][name]
        for other in names[1][name]
        if first is not second or number != other
    }
    known = all(names)
    return Overlap(
        first=first.part.name,
        second=second.part.name,
        sizes=(len(first.part.ids), len(second.part.ids)),
        ids_known=known,
        matches=tuple(
            _match(
                first.part,
                second.part,
                pair,
                share=shares.get(pair, 0.0),
                same_id=_same_id(first, second, pair, in_same=pair in same) if known else None,
            )
            for pair in sorted(shares.keys() | same)
        ),
    )


def _same_id(first: _Ids, second: _Ids, pair: Pair, *, in_same: bool) -> bool | None:
    """Tell whether two texts have one id; None if one has no PubMed id, across corpora."""
    if first.part.corpus and first.part.corpus == second.part.corpus:
        return in_same
    one, other = pubmed_id(first.part.ids[pair[0]]), pubmed_id(second.part.ids[pair[1]])
    return None if one is None or other is None else one == other


def _match(first: Part, second: Part, pair: Pair, *, share: float, same_id: bool | None) -> Match:
    return Match(
        first.ids[pair[0]],
        second.ids[pair[1]],
        share=round(share, 3),
        equal=bool(first.prints.digests[pair[0]] == second.prints.digests[pair[1]]),
        same_id=same_id,
        numbers=pair,
    )
