"""`bluered corpora`: which corpora there are, where they lie, how they are fetched and counted."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from bluered.corpora.comparison import Comparison
    from bluered.corpora.download import Progress
    from bluered.corpora.entry import Corpus

app = typer.Typer(help="List, describe, fetch and count the corpora.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="A corpus, as `bluered corpora list` names it.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


@app.command("list")
def list_(*, json: Json = False) -> None:
    """List the corpora, their access and whether they are on this machine."""
    from bluered.corpora.catalog import catalog

    entries = [_presence(entry) | {"title": entry.title} for entry in catalog().values()]
    if json:
        _print_json(entries)
        return
    lines = [("corpus", "title", "access", "here", "where")]
    lines += [
        (e["name"], e["title"], e["access"], "yes" if e["present"] else "no", e["folder"] or "-")
        for e in entries
    ]
    _print_table(lines)


@app.command()
def info(name: Name, *, json: Json = False) -> None:
    """Describe a corpus: source, citation, terms, files and whether the local ones are intact."""
    from msgspec import to_builtins

    from bluered.corpora.catalog import corpus
    from bluered.corpora.locate import find, is_published

    entry = corpus(name)
    states = {}
    for file in entry.files:
        path = find(entry, file)
        intact = path is not None and is_published(path, file)
        states[file.path] = {"path": path and str(path), "intact": intact if path else None}
    if json:
        _print_json(to_builtins(entry) | {"local": states})
        return
    _print_info(entry)
    marks = {None: "absent", True: "intact", False: "differs from the published file"}
    for path, state in states.items():
        where = f"  {state['path']}" if state["path"] else ""
        typer.echo(f"  {path}: {marks[state['intact']]}{where}")


@app.command()
def fetch(name: Name, *, json: Json = False) -> None:
    """Download a corpus, or verify the copy that is here; goes on where it was interrupted.

    Files go to the folder BLUERED_DATA if it is set, else to the user's cache.
    """
    from bluered.corpora import fetch as fetching
    from bluered.corpora.catalog import corpus

    with _Bars() as bars:
        fetched = fetching.fetch(corpus(name), bar=bars.start)
    files = {path: str(place) for path, place in fetched.files.items()}
    if json:
        _print_json({"corpus": name, "files": files, "new": list(fetched.new)})
        return
    for place in files.values():
        typer.echo(place)
    done = f"{len(fetched.new)} files fetched" if fetched.new else "already here"
    typer.echo(f"{name}: {done}, verified by sha256", err=True)


@app.command()
def stats(name: Name, *, json: Json = False) -> None:
    """Count a corpus as its paper does, beside the expected counts; names every difference."""
    from msgspec import to_builtins

    from bluered.corpora.catalog import corpus
    from bluered.corpora.comparison import compare, deviations

    entry = corpus(name)
    comparisons = compare(entry)
    lines = list(deviations(entry, comparisons))
    if json:
        splits = {c.split: {"found": c.found, "expected": c.expected} for c in comparisons}
        report = {"corpus": name, "version": entry.version, "splits": splits, "differences": lines}
        _print_json(to_builtins(report))
        return
    typer.echo(f"{entry.title}, version {entry.version}: found/expected, ! where they differ\n")
    _print_table(_stats_table(comparisons))
    typer.echo("")
    for line in lines or ["Every count is as expected; the files are the published ones."]:
        typer.echo(line)


def _presence(entry: "Corpus") -> dict[str, Any]:
    from bluered.corpora.locate import find, missing

    paths = [path for file in entry.files if (path := find(entry, file)) is not None]
    present = not missing(entry)
    folder = str(paths[0].parent) if present and paths else None
    return {"name": entry.name, "access": entry.access, "present": present, "folder": folder}


def _print_info(entry: "Corpus") -> None:
    from bluered.corpora.entry import paths_of

    rows = [
        ("title", f"{entry.title} (version {entry.version})"),
        ("contents", entry.summary),
        ("home", entry.home),
        ("cite", f"{entry.citation.text}. https://doi.org/{entry.citation.doi}"),
        ("licence", entry.licence),
        ("terms", entry.terms),
        ("access", entry.access + (f": {entry.obtain}" if entry.obtain else "")),
        *((split, ", ".join(paths_of(entry, split))) for split in entry.splits),
        *(("download", download.url) for download in entry.downloads),
        *(("remark", remark) for remark in entry.remarks),
    ]
    for label, text in rows:
        typer.echo(f"{label:<9} {text}")
    typer.echo("files")


def _stats_table(comparisons: "Sequence[Comparison]") -> list[tuple[str, ...]]:
    from bluered.corpora.counts import rows

    labels: dict[str, None] = {}
    columns: list[dict[str, str]] = []
    for comparison in comparisons:
        found = {row.label: row.value for row in rows(comparison.found)}
        expected = comparison.expected
        asked = {row.label: row.value for row in rows(expected)} if expected is not None else {}
        cells: dict[str, str] = {}
        for label in found | asked:
            value = found.get(label, 0)
            if label in asked:
                cells[label] = f"{value}/{asked[label]}" + ("!" * (value != asked[label]))
            else:
                cells[label] = f"{value}/-"
            labels.setdefault(label)
        if comparison.found.novel is not None:
            share = comparison.found.novel / max(1, sum(comparison.found.relations.values()))
            cells["novel share"] = f"{share:.1%}"
            labels.setdefault("novel share")
        columns.append(cells)
    ordered = _in_order(list(labels))
    table = [("", *(comparison.split for comparison in comparisons))]
    table += [(label, *(cells.get(label, "0") for cells in columns)) for label in ordered]
    return table


def _in_order(labels: list[str]) -> list[str]:
    """Bring labels that only later splits have to the other labels of their measure."""
    measures = list(dict.fromkeys(label.partition(":")[0] for label in labels))
    return sorted(labels, key=lambda label: measures.index(label.partition(":")[0]))


def _print_table(lines: Sequence[Sequence[str]]) -> None:
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        typer.echo("  ".join(cells).rstrip())


def _print_json(value: object) -> None:
    import msgspec

    typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


class _Bars:
    """Progress bars on stderr, if that is a terminal."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
        disable = not sys.stderr.isatty()
        self._progress = Progress(*columns, console=Console(stderr=True), disable=disable)

    def __enter__(self) -> "_Bars":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def start(self, name: str) -> "Progress":
        task = self._progress.add_task(name, total=None)
        return lambda done, total: self._progress.update(task, completed=done, total=total)
