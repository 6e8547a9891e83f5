"""What is known of each corpus: the catalogue's own entries (entries/*.toml) and the user's."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

from msgspec import Struct

from bluered.corpora.added import added, damaged
from bluered.corpora.entry import Corpus, CorpusFile, TaskEntry, paths_of
from bluered.corpora.entry_file import EntryFile, entry_at, parse_entry
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
    """Return all corpora by name: BlueRED's own, then those the user has added by a TOML file.

    Those that are `broken` are left out, so that one is not in the way of the others.
    """
    entries = dict(_added_entries())
    return own_entries() | {n: e for n, e in entries.items() if isinstance(e, Corpus)}


def broken() -> dict[str, str]:
    """Return why what was added cannot be used and what to do, by the corpus's name."""
    return damaged() | {n: e for n, e in _added_entries() if isinstance(e, str)}


def _added_entries() -> Iterator[tuple[str, Corpus | str]]:
    """Yield each corpus added by a TOML file, or why it cannot be used."""
    for name, note in added().items():
        if note.entry and name not in own_entries():
            try:
                yield name, _added_entry(name, Path(note.entry))
            except CorpusError as error:
                yield (
                    name,
                    f"the added corpus '{name}' cannot be used: {error} (`bluered corpora remove "
                    f"{name}` forgets it)",
                )


def _added_entry(name: str, path: Path) -> Corpus:
    entry = parse_entry(entry_at(path), name=path.stem)
    if entry.name != name:
        raise CorpusError(f"{path} now calls itself '{entry.name}': add it again under this name")
    return entry


def corpus(name: str) -> Corpus:
    """Return the entry of a corpus, or raise CorpusError with the names nearest to it."""
    known = catalog()
    if name in known:
        return known[name]
    raise CorpusError(_unknown("corpus", name, list(known)))


def _unknown(kind: str, name: str, known: list[str]) -> str:
    """Return the message for a corpus or task that is not known: it may be of one that is broken.

    A corpus with one task has its name, as a rule.
    """
    faults = broken()
    if name in faults:
        return faults[name]
    told = f"; {next(iter(faults.values()))}" if faults and kind == "task" else ""
    return unknown_name(kind, name, known, "bluered corpora list") + told


def tasks() -> dict[str, Task]:
    """Return all tasks by name; where two corpora give one name, it is the first's."""
    found: dict[str, Task] = {}
    for entry in catalog().values():
        for name, task in entry.tasks.items():
            found.setdefault(name, Task(name, entry, task))
    return found


def task(name: str) -> Task:
    """Return a task, or raise CorpusError with the names nearest to it.

    A task that two added corpora give (one of them was changed since) is an error too.
    """
    own = own_entries()
    givers = [entry for entry in catalog().values() if name in entry.tasks]
    if len(givers) > 1 and givers[0].name not in own:
        corpora = " and ".join(f"'{entry.name}'" for entry in givers)
        raise CorpusError(
            f"the task '{name}' is one of {corpora}: call it otherwise in the TOML file of one, or "
            f"`bluered corpora remove` one"
        )
    if not givers:
        raise CorpusError(_unknown("task", name, list(tasks())))
    return Task(name, givers[0], givers[0].tasks[name])


def split_files(entry: Corpus, split: str) -> tuple[CorpusFile, ...]:
    """Return the files of a split, or raise CorpusError with the names of the splits there are."""
    if split not in entry.splits:
        raise CorpusError(unknown_name(f"split of {entry.name} named", split, list(entry.splits)))
    described = {file.path: file for file in entry.files}
    return tuple(described.get(path) or CorpusFile(path=path) for path in paths_of(entry, split))
