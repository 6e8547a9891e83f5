"""The counts of a corpus beside those expected of it, and in words where a copy differs."""

from collections.abc import Iterator

from msgspec import Struct

from bluered.corpora import load
from bluered.corpora.catalog import split_files
from bluered.corpora.counts import TOTAL, Counts, differences
from bluered.corpora.entry import Corpus
from bluered.corpora.locate import counted_splits, is_published, split_paths
from bluered.corpora.stats import counts_by_split


class Comparison(Struct, frozen=True):
    """The counts of one split (or "total"); `expected` is None where the catalogue has none."""

    split: str
    found: Counts
    expected: Counts | None


def compare(entry: Corpus) -> list[Comparison]:
    """Count every split of a corpus on this machine, and the total, beside the catalogue's counts.

    CorpusError if the file of a split is not on this machine.
    """
    streams = [(split, load(entry.name, split)) for split in counted_splits(entry)]
    return [
        Comparison(split, found, entry.counts.get(split))
        for split, found in counts_by_split(streams, total=TOTAL)
    ]


def deviations(entry: Corpus, comparisons: list[Comparison]) -> Iterator[str]:
    """Yield a line for each file that is not the published one and each count that differs."""
    for split in counted_splits(entry):
        files = zip(split_paths(entry, split), split_files(entry, split), strict=True)
        for path in (path for path, file in files if not is_published(path, file)):
            yield f"{split}: {path} is not the published file (sha256 differs)"
    for comparison in comparisons:
        if comparison.expected is not None:
            for difference in differences(comparison.found, comparison.expected):
                yield f"{comparison.split}: {difference}"
