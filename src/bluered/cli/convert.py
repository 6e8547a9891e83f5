"""`bluered convert`: documents from one format to another, with an account of what is lost."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from bluered.documents import Document
    from bluered.errors import FormatError


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="File to read; - is stdin.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="File to write; - is stdout.")],
    from_: Annotated[
        str | None, typer.Option("--from", help="Format of IN; recognised when not named.")
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", help="Format of OUT; by its ending when not named.")
    ] = None,
    *,
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Skip bad documents and list them at the end.")
    ] = False,
    no_check: Annotated[
        bool,
        typer.Option("--no-check", help="Let wrong offsets, unknown concepts, repeated ids pass."),
    ] = False,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print the report as JSON (to stdout; to stderr if OUT is -)."),
    ] = False,
) -> None:
    """Convert between pubtator, bioc-xml, bioc-json, brat, conll, jsonl and plain.

    Says on stderr what OUT's format cannot hold, and how many. brat is a folder of .ann and .txt
    files, or one stream if the name ends in .brat.
    """
    from bluered.formats import read_file, unique_ids, write_file
    from bluered.formats.streams import source_name

    skipped: list[FormatError] = []
    losses = Counter[str]()
    on_error = skipped.append if keep_going else None
    documents = read_file(source, from_, check=not no_check, on_error=on_error)
    if not no_check:
        documents = unique_ids(documents, source=source_name(source), on_error=on_error)
    count = write_file(_with_progress(documents), target, to, losses=losses)
    report = {
        "documents": count,
        "lost": {kind: number for kind, number in losses.most_common() if number},
        "skipped": [_skipped(error) for error in skipped],
    }
    if as_json:
        typer.echo(json.dumps(report, ensure_ascii=False, indent=2), err=target == "-")
    else:
        typer.echo("\n".join(_lines(report, source, target)), err=True)


def _skipped(error: "FormatError") -> dict[str, str | int | None]:
    return {
        "file": error.source,
        "line": error.line,
        "document": error.document,
        "message": error.message,
    }


def _lines(report: dict, source: str, target: str) -> Iterator[str]:
    yield f"{source} -> {target}: {_counted(report['documents'], 'document')}"
    if report["lost"]:
        yield "not in the target, which has no place for it:"
        yield from (f"{number:>8}  {kind}" for kind, number in report["lost"].items())
    if report["skipped"]:
        yield f"{_counted(len(report['skipped']), 'bad record')} skipped:"
        for error in report["skipped"]:
            place = f"line {error['line']}" if error["line"] else "?"
            name = f", document {error['document']}" if error["document"] else ""
            yield f"  {place}{name}: {error['message']}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _with_progress(documents: Iterable["Document"]) -> Iterator["Document"]:
    """Yield the documents, their number shown on stderr while it is a terminal."""
    if not sys.stderr.isatty():
        yield from documents
        return
    from rich.console import Console
    from rich.progress import Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.completed:.0f} documents"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield from progress.track(documents, total=None)
