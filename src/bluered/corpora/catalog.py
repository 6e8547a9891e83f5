"""What is known of each corpus: source, terms, files, expected counts (entries/*.toml)."""

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Literal

import msgspec
from msgspec import Struct, field

from bluered.corpora.counts import TOTAL, Counts
from bluered.errors import CorpusError, unknown_name

Access = Literal["open", "registration", "agreement"]


class Citation(Struct, frozen=True, forbid_unknown_fields=True):
    """The paper to cite."""

    text: str
    doi: str


class Download(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file on the corpus's server; `sha256` is empty where no trusted copy has been hashed."""

    name: str
    url: str
    sha256: str = ""
    bytes: int | None = None


class CorpusFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of the corpus, as `path` in the corpus's folder.

    It is the download itself or, if `member` says so, a member of that archive. `sha256` and
    `bytes` are of the content with CR LF turned into LF, since copies with both line ends go round.
    """

    path: str
    sha256: str
    bytes: int
    download: str = ""
    member: str = ""


class Corpus(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entry of the catalogue; `counts` has a key per split, and "total".

    `terms` is what the source says about use, `obtain` how to get a corpus that is not open, and
    `remarks` what a user of the counts should know.
    """

    name: str
    title: str
    summary: str
    version: str
    home: str
    licence: str
    terms: str
    access: Access
    citation: Citation
    splits: dict[str, str]
    files: tuple[CorpusFile, ...]
    downloads: tuple[Download, ...] = ()
    counts: dict[str, Counts] = field(default_factory=dict)
    obtain: str = ""
    remarks: tuple[str, ...] = ()


def read_entry(name: str, text: str) -> Corpus:
    """Return a corpus from the text of its entry; what does not fit together is a CorpusError."""
    try:
        entry = msgspec.convert({"name": name, **tomllib.loads(text)}, Corpus)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise CorpusError(f"{name}.toml: {error}") from None
    for fault in _faults(entry):
        raise CorpusError(f"{name}.toml: {fault}")
    return entry


def _faults(entry: Corpus) -> Iterator[str]:
    paths = [file.path for file in entry.files]
    downloads = [download.name for download in entry.downloads]
    for path in (*paths, *downloads):
        pure = PurePosixPath(path)
        if pure.is_absolute() or ".." in pure.parts or "\\" in path:
            yield f"{path!r} leaves the corpus's folder"
    for split, path in entry.splits.items():
        if path not in paths:
            yield f"split {split!r} names the unknown file {path!r}"
    for file in entry.files:
        if file.download and file.download not in downloads:
            yield f"file {file.path!r} names the unknown download {file.download!r}"
    for split in entry.counts:
        if split not in entry.splits and split != TOTAL:
            yield f"counts of the unknown split {split!r}"


@cache
def catalog() -> dict[str, Corpus]:
    """Return the corpora BlueRED knows, by name."""
    entries = files("bluered.corpora").joinpath("entries")
    names = sorted(e.name.removesuffix(".toml") for e in entries.iterdir())
    return {n: read_entry(n, entries.joinpath(f"{n}.toml").read_text("utf-8")) for n in names}


def corpus(name: str) -> Corpus:
    """Return the entry of a corpus, or raise CorpusError with the names nearest to it."""
    known = catalog()
    if name not in known:
        raise CorpusError(unknown_name("corpus", name, list(known), "bluered corpora list"))
    return known[name]


def split_file(entry: Corpus, split: str) -> CorpusFile:
    """Return the file of a split, or raise CorpusError with the names of the splits there are."""
    if split not in entry.splits:
        raise CorpusError(unknown_name(f"split of {entry.name} named", split, list(entry.splits)))
    path = entry.splits[split]
    return next(file for file in entry.files if file.path == path)
