"""`bluered corpora add`, `remove` and `validate`: the user's own copies and own corpora."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, NoReturn

import typer

if TYPE_CHECKING:
    from bluered.corpora.added import Added
    from bluered.corpora.entry import Corpus
    from bluered.corpora.validation import Fault

What = Annotated[
    str,
    typer.Argument(
        metavar="NAME|FILE.toml",
        help="A corpus of `bluered corpora list`, or the TOML file of a corpus of your own.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


class _Tried(NamedTuple):
    """A corpus, the note that would be made of it (None if it is used where it is), its faults."""

    entry: "Corpus"
    note: "Added | None"
    faults: "list[Fault]"
    own: tuple[str, ...]
    to_fetch: bool


def add(
    what: What,
    path: Annotated[
        Path | None,
        typer.Argument(help="The folder that holds the corpus, itself or in a folder below."),
    ] = None,
    *,
    anyway: Annotated[
        bool,
        typer.Option("--anyway", help="Add a copy although counts or contents differ; warns."),
    ] = False,
    json: Json = False,
) -> None:
    """Check a copy of a corpus and remember where it lies; nothing is copied.

    For corpora under an agreement, and for a corpus of your own that a TOML file describes.
    """
    from bluered.corpora.added import remember
    from bluered.corpora.catalog import corpus
    from bluered.errors import CorpusError

    if path is None and not _is_file(what):
        entry = corpus(what)
        how = f" (to get it: {entry.obtain})" if entry.obtain else ""
        raise CorpusError(f"name the folder of {entry.title}: bluered corpora add {what} PATH{how}")
    tried = _try(what, path)
    bad = [f for f in tried.faults if not ((anyway and f.acceptable) or tried.to_fetch)]
    if not bad and tried.note is not None:
        remember(tried.entry.name, tried.note)
    _tell(tried, json=json, added=not bad)
    if bad:
        _fail(tried.entry, bad, json=json, verb="not added")
    if tried.faults and not tried.to_fetch:
        _say("warning: the copy differs as said above: scores on it compare with no published ones")
    if not json and tried.note is not None:
        typer.echo(tried.note.folder)
        _say(f"{tried.entry.name}: added, read where it lies; nothing was copied")
    if tried.to_fetch:
        _say(f"`bluered corpora fetch {tried.entry.name}` brings the files that are missing")


def remove(name: Annotated[str, typer.Argument(help="A corpus that was added.")]) -> None:
    """Forget a corpus that was added; its files are left as they are."""
    from bluered.corpora.added import added, damaged, forget
    from bluered.errors import CorpusError, unknown_name

    if not forget(name):
        known = sorted({*added(), *damaged()})
        if not known:
            raise CorpusError(f"no corpus '{name}' to remove: none was added")
        raise CorpusError(unknown_name("added corpus", name, known))
    _say(f"{name}: forgotten; its files are left as they are")


def validate(
    what: What,
    path: Annotated[
        Path | None,
        typer.Argument(help="The folder of the copy; by default the one BlueRED uses."),
    ] = None,
    *,
    json: Json = False,
) -> None:
    """Check files, hashes and counts of a corpus without adding it; status 1 if any is wrong."""
    tried = _try(what, path)
    _tell(tried, json=json, added=None)
    if tried.faults:
        _fail(tried.entry, tried.faults, json=json, verb="not valid")
    if not json:
        _say(f"{tried.entry.name}: all files are there, every count is as expected")


def _is_file(what: str) -> bool:
    """Tell a TOML file from the name of a corpus, which goes before a file of the same name."""
    from bluered.corpora.catalog import catalog

    return what.endswith(".toml") or (what not in catalog() and Path(what).is_file())


def _try(what: str, path: Path | None) -> _Tried:
    """Check a corpus where it lies, or where it would lie if it were added."""
    from bluered.corpora.validation import comes_by_fetch, faults, own_splits

    entry, note = _entry_and_note(what, path)
    with _as_if_added(entry, note):
        found = faults(entry, Path(note.folder) if note else None)
        to_fetch = note is not None and bool(note.entry) and comes_by_fetch(entry)
        return _Tried(entry, note, found or _task_faults(entry), own_splits(entry), to_fetch)


def _task_faults(entry: "Corpus") -> "list[Fault]":
    """Return where there is another number of things to find for a task than expected."""
    from bluered.corpora.validation import Fault
    from bluered.tasks.counts import task_counts

    return [Fault("count", line) for task in task_counts(entry) for line in task.deviations()]


def _entry_and_note(what: str, path: Path | None) -> "tuple[Corpus, Added | None]":
    from bluered.corpora.added import Added, added
    from bluered.corpora.catalog import corpus, own_entries
    from bluered.corpora.locate import missing
    from bluered.corpora.own import read_own
    from bluered.corpora.recognise import folder_of
    from bluered.errors import CorpusError

    if _is_file(what):
        if path is not None:
            raise CorpusError(f"{what} says itself where its files are: leave {path} out")
        file = Path(what).resolve()
        return read_own(file), Added(folder=str(file.parent), entry=str(file))
    entry = corpus(what)
    if path is None:
        described = added().get(what)
        if described is not None and described.entry and not missing(entry):
            entry = read_own(Path(described.entry))  # it may have been changed since
        return entry, None
    if what not in own_entries():
        raise CorpusError(f"{what} is a corpus of your own: name its TOML file instead of {path}")
    return entry, Added(folder=str(folder_of(entry, path)))


@contextmanager
def _as_if_added(entry: "Corpus", note: "Added | None") -> Iterator[None]:
    from bluered.corpora.added import as_if_added

    if note is None:
        yield
        return
    with as_if_added(entry.name, note):
        yield


def _tell(tried: _Tried, *, json: bool, added: bool | None) -> None:
    """Print what was found: JSON to stdout, or a line for each fault to stderr."""
    if json:
        import msgspec

        report = {
            "corpus": tried.entry.name,
            "folder": tried.note.folder if tried.note else None,
            "faults": tried.faults,
            "own_splits": tried.own,
        } | ({} if added is None else {"added": added})
        typer.echo(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())
        return
    for fault in tried.faults:
        _say(f"{fault.kind}: {fault.message}")
    if tried.own and not any(fault.kind == "missing" for fault in tried.faults):
        _say(
            f"note: {' and '.join(tried.own)} are BlueRED's own division and not BLUE's, which is "
            f"not here (bluered corpora info {tried.entry.name})"
        )


def _fail(entry: "Corpus", bad: "list[Fault]", *, json: bool, verb: str) -> NoReturn:
    """End with status 1 and, but for JSON, a line that names the first fault and what to do."""
    from bluered.errors import CorpusError

    if json:
        raise typer.Exit(1)
    first, *others = bad
    more = f" (and {len(others)} more, above)" if others else ""
    raise CorpusError(f"{entry.name} is {verb}: {first.message}{more}{_remedy(entry, bad, verb)}")


def _remedy(entry: "Corpus", bad: "list[Fault]", verb: str) -> str:
    from bluered.corpora.added import added
    from bluered.corpora.catalog import own_entries

    if any(fault.kind == "missing" for fault in bad):
        if entry.name not in {*own_entries(), *added()}:
            return f"; add {entry.name} first, then fetch it" if entry.downloads else ""
        if entry.access == "open" and entry.downloads:
            return f"; run `bluered corpora fetch {entry.name}`"
        return f"; to get it: {entry.obtain}" if entry.obtain else ""
    if verb == "not added" and all(fault.acceptable for fault in bad):
        return "; --anyway adds it nevertheless"
    return ""


def _say(message: str) -> None:
    typer.echo(message, err=True)
