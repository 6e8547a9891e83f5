"""The catalogue entry of a corpus and of its tasks: what a TOML file may say (entries/*.toml).

The corpora that come with BlueRED and those a user adds are described by the same keys.
"""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Literal

from msgspec import Struct, field

from bluered.corpora.counts import TOTAL, Counts

Access = Literal["open", "registration", "agreement"]

TaskType = Literal[
    "sentence-similarity",
    "named-entities",
    "relation-extraction",
    "document-classification",
    "inference",
    "document-relations",
]
"""BLUE's five, and BioRED's relations between the concepts of a whole document."""

Metric = Literal[
    "pearson", "mention-f1", "micro-f1", "macro-f1", "example-f1", "accuracy", "biored"
]
"""The figure a task is known by; bluered.tasks says how each is counted."""


class Citation(Struct, frozen=True, forbid_unknown_fields=True):
    """The paper to cite."""

    text: str
    doi: str = ""


class Download(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file on the corpus's server; `sha256` is empty where no trusted copy has been hashed."""

    name: str
    url: str
    sha256: str = ""
    bytes: int | None = None


class CorpusFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file (or folder) of the corpus, as `path` in the corpus's folder.

    It is the download itself or, if `member` says so, a member of that archive. `sha256` and
    `bytes` are of the content with CR LF turned into LF, since copies with both line ends go round;
    they are empty where no official copy could be hashed. `alternatives` are other paths under
    which copies of the official distribution have it.
    """

    path: str
    sha256: str = ""
    bytes: int | None = None
    download: str = ""
    member: str = ""
    alternatives: tuple[str, ...] = ()


class Published(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A published result: `score` as it was printed (usually per cent)."""

    system: str
    score: float
    source: str
    remark: str = ""


class TaskEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A task on a corpus: what is asked, how it is scored, what others reached.

    `labels` are the classes that count, in the order they are reported; `negative` the class that
    does not. `entity_types` are the types of mention that are sought, `examples` names the rule by
    which examples are made of documents (bluered.tasks.examples). `counts` are what there is to
    find in each split, by the count usual for the type of task: mentions, positive examples, pairs,
    documents; `published_counts` what the benchmark's paper prints where that is something else,
    and `difference` why, in one line.
    """

    type: TaskType
    metric: Metric
    title: str = ""
    labels: tuple[str, ...] = ()
    negative: str = ""
    entity_types: tuple[str, ...] = ()
    examples: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    published_counts: dict[str, int] = field(default_factory=dict)
    difference: str = ""
    published: tuple[Published, ...] = ()


class Columns(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Which column of a table (or key of a JSON line) holds what; a number counts from 0."""

    id: str | int = ""
    document: str | int = ""
    text: str | int = ""
    first: str | int = ""
    second: str | int = ""
    score: str | int = ""
    label: str | int = ""
    labels: str | int = ""
    head: str | int = ""
    tail: str | int = ""


class Corpus(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entry of the catalogue; `counts` has a key per split, and "total".

    `splits` name the files of each split, `layout` how they are read (bluered.corpora.layouts).
    `format` is the format of annotated documents where it shall not be detected, `roles` how the
    two ends of a relation type are called, `columns` belong to the layout "table", `separator`
    stands between several labels in one field. `terms` is what the source says about use, `obtain`
    how to get a corpus that is not open, and `remarks` what a user of the counts should know.
    """

    name: str
    title: str
    version: str
    licence: str
    citation: Citation
    splits: dict[str, str | tuple[str, ...]]
    summary: str = ""
    home: str = ""
    terms: str = ""
    access: Access = "open"
    layout: str = "annotated"
    format: str = ""
    roles: dict[str, tuple[str, str]] = field(default_factory=dict)
    columns: Columns = Columns()
    separator: str = ","
    files: tuple[CorpusFile, ...] = ()
    downloads: tuple[Download, ...] = ()
    counts: dict[str, Counts] = field(default_factory=dict)
    tasks: dict[str, TaskEntry] = field(default_factory=dict)
    obtain: str = ""
    remarks: tuple[str, ...] = ()


def paths_of(entry: Corpus, split: str) -> tuple[str, ...]:
    """Return the paths a split is read from, in the order the layout wants them."""
    paths = entry.splits[split]
    return (paths,) if isinstance(paths, str) else paths


def needed_paths(entry: Corpus) -> dict[str, None]:
    """Return the paths all splits together are read from, in order."""
    return dict.fromkeys(path for split in entry.splits for path in paths_of(entry, split))


def faults(entry: Corpus) -> Iterator[str]:
    """Yield what of an entry does not fit together."""
    paths = [file.path for file in entry.files]
    downloads = [download.name for download in entry.downloads]
    others = [path for file in entry.files for path in file.alternatives]
    for path in (*paths, *downloads, *others, *needed_paths(entry)):
        pure = PurePosixPath(path)
        if pure.is_absolute() or ".." in pure.parts or "\\" in path:
            yield f"{path!r} leaves the corpus's folder"
    if paths:
        for split in entry.splits:
            for path in paths_of(entry, split):
                if path not in paths:
                    yield f"split {split!r} names the unknown file {path!r}"
    for file in entry.files:
        if file.download and file.download not in downloads:
            yield f"file {file.path!r} names the unknown download {file.download!r}"
    for split in entry.counts:
        if split not in entry.splits and split != TOTAL:
            yield f"counts of the unknown split {split!r}"
    for name, task in entry.tasks.items():
        for split in (*task.counts, *task.published_counts):
            if split not in entry.splits:
                yield f"task {name!r} has counts of the unknown split {split!r}"
