"""`bluered terms build`: a terminology from the official files."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bluered.cli.corpora import Bars, Json, print_json, print_table

if TYPE_CHECKING:
    from bluered.normalize.sources.build import Built, FileReport
    from bluered.normalize.term import Term


def build(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SOURCES...", help="mesh, ncbi-gene, taxonomy, cellosaurus; else all."
        ),
    ] = None,
    from_: Annotated[
        Path | None,
        typer.Option("--from", help="Folder with the official files; else they are downloaded."),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", help="What it is called (default: full, or the folder's name)."),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Folder to write; else one in the user's data folder."),
    ] = None,
    taxa: Annotated[
        str | None,
        typer.Option(
            "--taxa",
            help="Species whose genes are read, as NCBI Taxonomy numbers with commas, or all; "
            "else human and the model organisms.",
        ),
    ] = None,
    *,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the terminology that is there.")
    ] = False,
    json: Json = False,
) -> None:
    """Build a terminology from MeSH, NCBI Gene, NCBI Taxonomy and Cellosaurus.

    With --from the official files are taken from a folder, recognised by name and first line
    (without SOURCES: those that are there); else they are downloaded from their publishers and
    kept in the user's cache. Records that cannot be read are left out and counted. The terminology
    appears when it is whole. docs/terms.md says how large the files are and who publishes them.
    """
    from bluered.normalize.locate import named_folder
    from bluered.normalize.sources import build as building
    from bluered.normalize.sources.catalog import source
    from bluered.normalize.sources.fetch import downloads, fetch
    from bluered.normalize.sources.recognise import recognise

    wanted = list(dict.fromkeys(sources or []))
    for one in wanted:
        source(one)
    name = name or (folder.name if folder else "full")
    target = folder or named_folder(name)
    building.refuse_existing(target, overwrite=overwrite)
    species = _species(taxa)
    if from_ is not None:
        files = recognise(from_, wanted)
    else:
        with Bars() as bars:
            files = fetch(wanted, downloads(), bar=bars.start)
    built = building.build(
        files, target, name=name, taxa=species, overwrite=overwrite, watch=_watched
    )
    if json:
        print_json(_described(built))
        return
    _say(built)
    typer.echo(built.folder)


def _species(text: str | None) -> tuple[str, ...] | None:
    """Return the taxa that --taxa names, None for all."""
    from bluered.errors import BlueredError
    from bluered.normalize.sources.ncbi_gene import MODEL_ORGANISMS

    if text is None:
        return tuple(MODEL_ORGANISMS)
    if text.strip() == "all":
        return None
    numbers = [part.strip() for part in text.split(",") if part.strip()]
    for number in numbers:
        if not number.isdecimal():
            raise BlueredError(
                f"--taxa: expected NCBI Taxonomy numbers (9606,10090) or all, found {number!r}"
            )
    if not numbers:
        raise BlueredError("--taxa: expected at least one NCBI Taxonomy number, or all")
    return tuple(numbers)


def _watched(terms: "Iterable[Term]", title: str) -> "Iterable[Term]":
    from bluered.cli.progress import tracked

    return tracked(terms, title)


def _described(built: "Built") -> dict[str, Any]:
    from msgspec import to_builtins

    from bluered.cli.terms import described

    files = [to_builtins(report) for report in built.reports]
    return described(built.manifest, built.folder) | {"read": files}


def _say(built: "Built") -> None:
    """Print what the terminology holds, and on stderr what was left out of it."""
    for report in built.reports:
        for line in _account(report):
            typer.echo(line, err=True)
    lines = [("type", "concepts", "names")]
    lines += [(t, str(c.concepts), str(c.names)) for t, c in built.manifest.counts.items()]
    print_table(lines, err=True)


def _account(report: "FileReport") -> Iterable[str]:
    yield f"{report.file}: {report.concepts} concepts"
    for reason, number in report.omitted.most_common():
        yield f"  left out: {number} {reason}"
    if report.skipped:
        yield f"  skipped as unreadable: {report.skipped}"
        yield from (f"    {fault}" for fault in report.faults)
