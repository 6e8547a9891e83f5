"""`bluered corpora`: which corpora there are, where they lie, how they are fetched and counted."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from bluered.corpora.added import Added
    from bluered.corpora.download import Progress
    from bluered.corpora.entry import Corpus

app = typer.Typer(help="List, describe, fetch and count the corpora.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="A corpus, as `bluered corpora list` names it.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


@app.command("list")
def list_(*, json: Json = False) -> None:
    """List the corpora and their tasks, their access and whether they are on this machine."""
    from bluered.corpora.catalog import broken, catalog

    faults = broken()
    entries = [
        _presence(entry)
        | {"title": entry.title, "tasks": list(entry.tasks), "broken": faults.get(entry.name)}
        for entry in catalog().values()
    ]
    nothing = {"access": "-", "present": False, "added": True, "folder": None}
    known = {entry["name"] for entry in entries}
    entries += [
        {"name": name, **nothing, "title": "-", "tasks": [], "broken": fault}
        for name, fault in faults.items()
        if name not in known
    ]
    if json:
        print_json(entries)
        return
    lines = [("corpus", "title", "tasks", "access", "here", "where")]
    for e in entries:
        here = ("added" if e["added"] else "yes") if e["present"] else "no"
        here = "broken" if e["broken"] else here
        names = ", ".join(e["tasks"])
        lines.append((e["name"], e["title"], names, e["access"], here, e["folder"] or "-"))
    print_table(lines)
    for fault in faults.values():
        typer.echo(f"broken: {fault}", err=True)


@app.command()
def info(name: Name, *, json: Json = False) -> None:
    """Describe a corpus: source, citation, terms, files and whether the local ones are intact."""
    from msgspec import to_builtins

    from bluered.corpora.added import added
    from bluered.corpora.catalog import corpus
    from bluered.corpora.locate import find, is_published

    entry = corpus(name)
    states = {}
    for file in entry.files:
        path = find(entry, file)
        intact = path is not None and is_published(path, file)
        states[file.path] = {"path": path and str(path), "intact": intact if path else None}
    note = added().get(name)
    if json:
        print_json(to_builtins(entry) | {"local": states, "added": note})
        return
    _print_info(entry, note)
    marks = {None: "absent", True: "intact", False: "differs from the published file"}
    for file, (path, state) in zip(entry.files, states.items(), strict=True):
        where = f"  {state['path']}" if state["path"] else ""
        compared = file.sha256 and not (state["path"] and Path(state["path"]).is_dir())
        mark = "here" if state["path"] and not compared else marks[state["intact"]]
        typer.echo(f"  {path}: {mark}{where}")


@app.command()
def fetch(name: Name, *, json: Json = False) -> None:
    """Download a corpus, or verify the copy that is here; goes on where it was interrupted.

    Files go to the folder BLUERED_DATA if it is set, else to the user's cache.
    """
    from bluered.corpora import fetch as fetching
    from bluered.corpora.catalog import corpus

    entry = corpus(name)
    with Bars() as bars:
        fetched = fetching.fetch(entry, bar=bars.start)
    files = {path: str(place) for path, place in fetched.files.items()}
    if json:
        print_json({"corpus": name, "files": files, "new": list(fetched.new)})
        return
    for place in files.values():
        typer.echo(place)
    done = f"{len(fetched.new)} files fetched" if fetched.new else "already here"
    hashed = any(file.sha256 for file in entry.files)
    folders = any(place.is_dir() for place in fetched.files.values())  # another form of the corpus
    verified = ", verified by sha256" if hashed and not folders else ""
    typer.echo(f"{name}: {done}{verified}", err=True)


def _presence(entry: "Corpus") -> dict[str, Any]:
    from bluered.corpora.added import added
    from bluered.corpora.locate import find, missing

    note = added().get(entry.name)
    paths = [path for file in entry.files if (path := find(entry, file)) is not None]
    present = not missing(entry)
    folder = note.folder if note else str(paths[0].parent) if present and paths else None
    presence = {"present": present, "added": note is not None, "folder": folder}
    return {"name": entry.name, "access": entry.access} | presence


def _print_info(entry: "Corpus", note: "Added | None") -> None:
    from bluered.corpora.entry import paths_of

    doi = f". https://doi.org/{entry.citation.doi}" if entry.citation.doi else ""
    described = f", as {note.entry} describes" if note and note.entry else ""
    rows = [
        ("title", f"{entry.title} (version {entry.version})"),
        ("contents", entry.summary),
        ("home", entry.home),
        ("cite", f"{entry.citation.text}{doi}"),
        ("licence", entry.licence),
        ("terms", entry.terms),
        ("access", entry.access + (f": {entry.obtain}" if entry.obtain else "")),
        ("added", f"from {note.folder}{described}" if note else ""),
        *((split, ", ".join(paths_of(entry, split))) for split in entry.splits),
        *(("download", download.url) for download in entry.downloads),
        *(("remark", remark) for remark in entry.remarks),
    ]
    for label, text in ((label, text) for label, text in rows if text):
        typer.echo(f"{label:<9} {text}")
    typer.echo("files")


def print_table(lines: Sequence[Sequence[str]], *, err: bool = False) -> None:
    """Print rows of cells, each column as wide as its widest cell; to stderr if `err` says so."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        typer.echo("  ".join(cells).rstrip(), err=err)


def print_json(value: object) -> None:
    """Print a value as indented JSON."""
    import msgspec

    typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


class Bars:
    """Progress bars on stderr, if that is a terminal."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
        disable = not sys.stderr.isatty()
        self._progress = Progress(*columns, console=Console(stderr=True), disable=disable)

    def __enter__(self) -> "Bars":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def start(self, name: str) -> "Progress":
        """Begin a bar and return what moves it."""
        task = self._progress.add_task(name, total=None)
        return lambda done, total: self._progress.update(task, completed=done, total=total)
