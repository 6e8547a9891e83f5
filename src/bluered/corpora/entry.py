"""The catalogue entry of a corpus and of its tasks: what a TOML file may say (entries/*.toml).

The corpora that come with BlueRED and those a user adds are described by the same keys.
"""

from collections.abc import Iterator
from math import isfinite
from pathlib import PurePosixPath
from typing import Literal

from msgspec import Struct, field

from bluered.corpora.counts import TOTAL, Counts, rows
from bluered.corpora.toml_lines import Keys

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

METRICS: dict[TaskType, tuple[Metric, ...]] = {
    "sentence-similarity": ("pearson",),
    "named-entities": ("mention-f1", "micro-f1", "macro-f1"),
    "relation-extraction": ("micro-f1", "macro-f1", "accuracy"),
    "document-classification": ("example-f1", "micro-f1", "macro-f1", "accuracy"),
    "inference": ("accuracy", "micro-f1", "macro-f1"),
    "document-relations": ("biored",),
}
"""The metrics that make sense for each type of task; the first one where an entry names none."""

UNLABELLED = ("sentence-similarity", "named-entities", "document-relations")
"""The types of task that have no classes."""


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

    It is the download itself or, if `member` says so, a member of that archive (`inner.zip!name`:
    of a zip inside it). `sha256` and `bytes` are of the content with CR LF turned into LF, since
    copies with both line ends go round; they are empty where no official copy could be hashed.
    `alternatives` are other paths under which copies of the official distribution have it. `about`
    says where a file comes from that is no part of the distribution.
    """

    path: str
    sha256: str = ""
    bytes: int | None = None
    download: str = ""
    member: str = ""
    alternatives: tuple[str, ...] = ()
    about: str = ""


class Sum(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What some splits must hold together; `expected` has several values where sources differ.

    For parts of a corpus that are divided in more than one way. `measure` is a count of
    bluered.corpora.counts (summed over types), or "tagged mentions".
    """

    splits: tuple[str, ...]
    measure: str
    expected: tuple[int, ...]
    source: str = ""


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
    A split named `own-X` is BlueRED's division, for where the files of split X are not to be had
    (bluered.corpora.own_split); `sums` are what splits hold together, however they are divided.
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
    sums: tuple[Sum, ...] = ()
    tasks: dict[str, TaskEntry] = field(default_factory=dict)
    obtain: str = ""
    remarks: tuple[str, ...] = ()


def paths_of(entry: Corpus, split: str) -> tuple[str, ...]:
    """Return the paths a split is read from, in the order the layout wants them."""
    paths = entry.splits[split]
    return (paths,) if isinstance(paths, str) else paths


def faults(entry: Corpus) -> Iterator[tuple[Keys, str]]:
    """Yield what of an entry does not fit together, with the keys under which it stands."""
    yield from _path_faults(entry)
    yield from _count_faults(entry)
    for name, task in entry.tasks.items():
        suited = METRICS[task.type]
        if task.metric not in suited:
            wrong = f"the metric {task.metric} does not suit {task.type}"
            yield ("tasks", name, "metric"), f"{wrong}: one of {', '.join(suited)}"
        for key, fault in _task_faults(task):
            yield ("tasks", name, *key), fault


def _task_faults(task: TaskEntry) -> Iterator[tuple[Keys, str]]:
    for number, label in enumerate(task.labels):
        if label in task.labels[:number]:
            yield ("labels",), f"the label {label!r} stands twice"
    if task.negative and task.negative in task.labels:
        yield ("negative",), f"{task.negative!r} is one of `labels` too, which are those that count"
    if task.type in UNLABELLED and (task.labels or task.negative):
        yield ("labels" if task.labels else "negative",), f"{task.type} has no labels"
    for number, result in enumerate(task.published):
        if not isfinite(result.score):
            yield ("published", number, "score"), f"expected a number, found {result.score}"
    for key, counts in (("counts", task.counts), ("published_counts", task.published_counts)):
        for split, count in counts.items():
            if count < 0:
                yield (key, split), f"expected 0 or more, found {count}"


def _path_faults(entry: Corpus) -> Iterator[tuple[Keys, str]]:
    downloads = [download.name for download in entry.downloads]
    for number, download in enumerate(downloads):
        yield from _leaving(("downloads", number, "name"), download)
    for number, file in enumerate(entry.files):
        for path in (file.path, *file.alternatives):
            yield from _leaving(("files", number, "path"), path)
        if file.download and file.download not in downloads:
            fault = f"file {file.path!r} names the unknown download {file.download!r}"
            yield ("files", number, "download"), fault
    known = [file.path for file in entry.files]
    for split in entry.splits:
        if not any(paths_of(entry, split)):
            yield ("splits", split), f"split {split!r} names no file"
        for path in paths_of(entry, split):
            yield from _leaving(("splits", split), path)
            if known and path not in known:
                yield ("splits", split), f"split {split!r} names the unknown file {path!r}"


def _leaving(keys: Keys, path: str) -> Iterator[tuple[Keys, str]]:
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts or "\\" in path:
        yield keys, f"{path!r} leaves the corpus's folder"


def _count_faults(entry: Corpus) -> Iterator[tuple[Keys, str]]:
    for split, counts in entry.counts.items():
        for row in rows(counts):
            if row.value < 0:
                yield ("counts", split, row.measure), f"expected 0 or more, found {row.value}"
        if split not in entry.splits and split != TOTAL:
            yield ("counts", split), f"counts of the unknown split {split!r}"
    for number, sum_ in enumerate(entry.sums):
        for split in sorted(set(sum_.splits) - set(entry.splits)):
            yield ("sums", number, "splits"), f"a sum over the unknown split {split!r}"
    for name, task in entry.tasks.items():
        for key, counts in (("counts", task.counts), ("published_counts", task.published_counts)):
            for split in counts:
                if split not in entry.splits:
                    fault = f"task {name!r} has counts of the unknown split {split!r}"
                    yield ("tasks", name, key, split), fault
