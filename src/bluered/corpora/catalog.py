"""What is known of each corpus: the catalogue's own entries (entries/*.toml) and the user's."""

from functools import cache
from importlib.resources import files
from pathlib import Path

from msgspec import Struct

from bluered.corpora.added import added
from bluered.corpora.entry import Corpus, CorpusFile, TaskEntry, paths_of
from bluered.corpora.entry_file import EntryFile, parse_entry
from bluered.errors import CorpusError, unknown_name


class Task(Struct, frozen=True):
    """A task with its name and the corpus it is on."""

    name: str
    corpus: Corpus
    entry: TaskEntry


def read_entry(name: str, text: str) -> Corpus:
    """Return a corpus from the text of its entry; what does not fit together is a CorpusError."""
    return parse_entry(EntryFile(text, f"{name}.toml"), name=name)


@cache
def own_entries() -> dict[str, Corpus]:
    """Return the corpora that BlueRED itself knows, by name."""
    entries = files("bluered.corpora").joinpath("entries")
    names = sorted(e.name.removesuffix(".toml") for e in entries.iterdir())
    return {n: read_entry(n, entries.joinpath(f"{n}.toml").read_text("utf-8")) for n in names}


def catalog() -> dict[str, Corpus]:
    """Return all corpora by name: BlueRED's own, then those the user has added by a TOML file."""
    found = dict(own_entries())
    for name, note in added().items():
        if note.entry and name not in found:
            found[name] = _added_entry(name, Path(note.entry))
    return found


def _added_entry(name: str, path: Path) -> Corpus:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(
            f"the entry of the added corpus '{name}' cannot be read: {path}: {error} "
            f"(bluered corpora remove {name} forgets it)"
        ) from None
    entry = parse_entry(EntryFile(text, str(path)), name=path.stem)
    if entry.name != name:
        raise CorpusError(
            f"{path} was added as '{name}' and now calls itself '{entry.name}': run `bluered "
            f"corpora remove {name}` and add it again"
        )
    return entry


def corpus(name: str) -> Corpus:
    """Return the entry of a corpus, or raise CorpusError with the names nearest to it."""
    own = own_entries()
    if name in own:  # a broken entry of the user's shall not be in the way
        return own[name]
    known = catalog()
    if name not in known:
        raise CorpusError(unknown_name("corpus", name, list(known), "bluered corpora list"))
    return known[name]


def tasks() -> dict[str, Task]:
    """Return all tasks by name; where two corpora give one name, it is the first's."""
    found: dict[str, Task] = {}
    for entry in catalog().values():
        for name, task in entry.tasks.items():
            found.setdefault(name, Task(name, entry, task))
    return found


def task(name: str) -> Task:
    """Return a task, or raise CorpusError with the names nearest to it."""
    for entry in own_entries().values():  # a broken entry of the user's shall not be in the way
        if name in entry.tasks:
            return Task(name, entry, entry.tasks[name])
    known = tasks()
    if name not in known:
        raise CorpusError(unknown_name("task", name, list(known), "bluered corpora list"))
    return known[name]


def split_files(entry: Corpus, split: str) -> tuple[CorpusFile, ...]:
    """Return the files of a split, or raise CorpusError with the names of the splits there are."""
    if split not in entry.splits:
        raise CorpusError(unknown_name(f"split of {entry.name} named", split, list(entry.splits)))
    described = {file.path: file for file in entry.files}
    return tuple(described.get(path) or CorpusFile(path=path) for path in paths_of(entry, split))
