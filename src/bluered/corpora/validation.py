"""Whether a copy of a corpus is the one it should be: its files, their hashes, its counts.

Messages name files, lines and counts; nothing of what a file says stands in them.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

from bluered.corpora import load
from bluered.corpora.catalog import own_entries, split_files
from bluered.corpora.counts import TOTAL, Counts, differences, rows
from bluered.corpora.entry import Corpus, Sum
from bluered.corpora.locate import counted_splits, is_published, missing, split_paths
from bluered.corpora.own_split import OWN
from bluered.corpora.recognise import described, names_of
from bluered.corpora.shareclef import tagged_mentions
from bluered.corpora.stats import Tally
from bluered.documents.document import Document
from bluered.documents.examples import Example
from bluered.errors import CorpusError, FormatError

TAGGED = "tagged mentions"
"""The measure of ShARe/CLEF's mentions as BLUE counts them."""

LISTED = 5  # files named that are not the corpus's, where one of its own is missing


class Fault(Struct, frozen=True):
    """What is wrong with a copy.

    A file is missing, or its content is not the published one; a file cannot be read; or a count
    differs. Missing and unreadable files cannot be overlooked, the others the user may accept.
    """

    kind: Literal["missing", "content", "unreadable", "count"]
    message: str

    @property
    def acceptable(self) -> bool:
        """Whether a copy with this fault can be used."""
        return self.kind in ("content", "count")


class Found(Struct, frozen=True):
    """The counts of a split, and its tagged mentions where they were asked for."""

    counts: Counts
    tagged: int


def faults(entry: Corpus, folder: Path | None = None) -> list[Fault]:
    """Return what is wrong with the copy on this machine; `folder` is where it should lie.

    Counts are looked at once all files are there and can be read.
    """
    if missing(entry):
        return list(_missing(entry, folder))
    found: dict[str, Found] = {}
    unreadable: dict[str, None] = {}
    everything = Tally()
    for split in counted_splits(entry):
        try:
            found[split] = _count(entry, split, everything)
        except (CorpusError, FormatError) as error:
            unreadable[str(error)] = None
        except OSError as error:
            unreadable[f"{error.filename or split}: {error.strerror or error}"] = None
    if unreadable:
        return [Fault("unreadable", message) for message in unreadable]
    return [*_content_faults(entry), *_count_faults(entry, found, everything.counts())]


def split_faults(entry: Corpus, split: str) -> list[Fault]:
    """Return where the counts of one split, which is on this machine, are not the expected ones."""
    found = {split: _count(entry, split, Tally())}
    sums = [sum_ for sum_ in entry.sums if sum_.splits == (split,)]
    told = [fault for sum_ in sums for fault in _sum_faults(sum_, found)]
    return [*told, *_differences(entry, split, found[split].counts)]


def own_splits(entry: Corpus) -> tuple[str, ...]:
    """Return the counted splits that are BlueRED's own division and not the benchmark's."""
    if entry.name not in own_entries():  # what users call so is their own division
        return ()
    return tuple(split for split in counted_splits(entry) if split.startswith(OWN))


def comes_by_fetch(entry: Corpus) -> bool:
    """Tell whether what is missing of a corpus, if anything is, can be downloaded."""
    lacking = missing(entry)
    return bool(lacking) and all(file.download for file in lacking)


def _missing(entry: Corpus, folder: Path | None) -> Iterator[Fault]:
    where = f" in {folder}" if folder else ""
    for file in missing(entry):
        yield Fault("missing", f"{described(file)} is missing{where}")
    known = {name.split("/")[0] for file in entry.files for name in names_of(file)}
    others = sorted(p.name for p in folder.iterdir()) if folder and folder.is_dir() else []
    others = [name for name in others if name not in known and not name.startswith(".")]
    if others:
        more = f" and {len(others) - LISTED} more" if len(others) > LISTED else ""
        listed = ", ".join(others[:LISTED])
        message = f"unknown{where}: {listed}{more} (give files back the names they came with)"
        yield Fault("missing", message)


def _count(entry: Corpus, split: str, everything: Tally) -> Found:
    wants_tags = any(total.measure == TAGGED for total in entry.sums)
    tally, tagged = Tally(), 0
    nothing = True
    for example in load(entry.name, split):
        nothing = False
        tally.add(example)
        everything.add(example)
        tagged += tagged_mentions(_documents(example)) if wants_tags else 0
    if nothing:
        files = " and ".join(map(str, split_paths(entry, split)))
        raise CorpusError(f"{split} is empty: {files} hold nothing for it")
    return Found(tally.counts(), tagged)


def _documents(example: Example) -> Iterable[Document]:
    return (example,) if isinstance(example, Document) else ()


def _content_faults(entry: Corpus) -> Iterator[Fault]:
    seen: set[Path] = set()
    for split in counted_splits(entry):
        files = zip(split_paths(entry, split), split_files(entry, split), strict=True)
        for path, file in files:
            if path not in seen and not is_published(path, file):
                yield Fault("content", f"{path} is not the published file (sha256 differs)")
            seen.add(path)


def _count_faults(entry: Corpus, found: dict[str, Found], total: Counts) -> list[Fault]:
    told = [fault for sum_ in entry.sums for fault in _sum_faults(sum_, found)]
    for split, f in found.items():
        told += _differences(entry, split, f.counts)
    return told or _differences(entry, TOTAL, total)  # which would only tell the same again


def _differences(entry: Corpus, split: str, counts: Counts) -> list[Fault]:
    expected = entry.counts.get(split)
    lines = differences(counts, expected) if expected is not None else ()
    return [Fault("count", f"{split}: {line}") for line in lines]


def _sum_faults(sum_: Sum, found: dict[str, Found]) -> Iterator[Fault]:
    splits = [split if split in found else f"{OWN}{split}" for split in sum_.splits]
    value = sum(_measure(sum_.measure, found[split]) for split in splits)
    if value not in sum_.expected:
        expected = " or ".join(map(str, sum_.expected))
        source = f" ({sum_.source})" if sum_.source else ""
        yield Fault(
            "count",
            f"{' + '.join(splits)}: {sum_.measure}: expected {expected}{source}, found {value}",
        )


def _measure(name: str, found: Found) -> int:
    if name == TAGGED:
        return found.tagged
    by_measure = [row for row in rows(found.counts) if row.measure.replace("_", " ") == name]
    return sum(row.value for row in by_measure if row.part in ("", "all"))
