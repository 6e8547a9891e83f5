"""`bluered model`: which models there are, and what one is made of."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bluered.cli.corpora import Json, print_json, print_table

if TYPE_CHECKING:
    from bluered.inference.bundle import Bundle

app = typer.Typer(
    help="List and describe models: the bundles that entities and relations are found with.",
    no_args_is_help=True,
)

Row = dict[str, Any]


@app.command("list")
def list_(
    folder: Annotated[
        Path | None,
        typer.Argument(help="A folder that holds bundles, or is one; their folders are listed."),
    ] = None,
    *,
    json: Json = False,
) -> None:
    """List the shipped model (marked with *) and the bundles in a folder."""
    rows = [_row(path, shipped=shipped) for path, shipped in _folders(folder)]
    if json:
        print_json(rows)
        return
    lines: list[tuple[str, ...]] = [("", "name", "version", "size", "sha256", "where")]
    for row in rows:
        cells = ("broken", "-", "-")
        if not row["broken"]:
            cells = (row["version"], _megabytes(row), row["sha256"][:12])
        lines.append(("*" if row["shipped"] else "", row["name"], *cells, row["folder"]))
    print_table(lines)
    for row in rows:
        if row["broken"]:
            typer.echo(f"broken: {row['broken']}", err=True)


@app.command()
def info(
    bundle: Annotated[
        Path | None,
        typer.Argument(help="The folder of a bundle; left out, the shipped one."),
    ] = None,
    *,
    verify: Annotated[
        bool, typer.Option("--verify", help="Compare every file with its checksum.")
    ] = False,
    json: Json = False,
) -> None:
    """Describe a model: its size, its files by hash, what it tells apart, its data, its card.

    A bundle that lacks a file is an error, and so is, with --verify, one of whose files is not the
    one that was exported. The sha256 of the whole is that of bundle.json, which has all others.
    """
    from bluered.inference.bundle import load_bundle

    opened = load_bundle(bundle, verify=verify)
    if json:
        print_json(_described(opened) | {"card": opened.card, "verified": verify or None})
        return
    for label, text in _said(opened, verified=verify):
        typer.echo(f"{label:<10} {text}".rstrip())
    typer.echo(f"\n{opened.card}".rstrip())


def _folders(folder: Path | None) -> Iterator[tuple[Path, bool]]:
    """Yield the folders of bundles and whether it is the shipped one."""
    from bluered.errors import ModelError
    from bluered.inference.bundle import SETTINGS, shipped_folder

    if (shipped_folder() / SETTINGS).is_file():
        yield shipped_folder(), True
    if folder is None:
        return
    if not folder.is_dir():
        raise ModelError(f"{folder} is not a folder: expected one that holds model bundles")
    own = [folder] if (folder / SETTINGS).is_file() else []
    for found in own or sorted(path.parent for path in folder.glob(f"*/{SETTINGS}")):
        yield found, False


def _row(folder: Path, *, shipped: bool) -> Row:
    from bluered.errors import ModelError
    from bluered.inference.bundle import load_bundle

    row: Row = {"name": folder.name, "folder": str(folder), "shipped": shipped, "broken": None}
    try:
        return row | _described(load_bundle(folder))
    except ModelError as error:
        return row | {"broken": str(error)}


def _described(bundle: "Bundle") -> Row:
    """Return what a bundle says of itself, for programs."""
    settings = bundle.settings
    files = {path.name: path.stat().st_size for path in _files(bundle)}
    return {
        "name": settings.name,
        "version": settings.version,
        "folder": str(bundle.folder),
        "bytes": sum(files.values()),
        "sha256": bundle.sha256,
        "licence": settings.licence,
        "layout": settings.layout,
        "entity_types": list(settings.tagger.types),
        "relation_types": list(settings.relations.types),
        "trained_on": list(settings.trained_on),
        "files": {
            name: {"bytes": size, "sha256": settings.sha256.get(name)}
            for name, size in files.items()
        },
    }


def _files(bundle: "Bundle") -> list[Path]:
    from bluered.inference.bundle import CARD, FILES, SETTINGS

    paths = [bundle.folder / name for name in (SETTINGS, *FILES, CARD)]
    return [path for path in paths if path.is_file()]


def _said(bundle: "Bundle", *, verified: bool) -> Iterator[tuple[str, str]]:
    """Yield what a bundle says of itself, line by line, with labels."""
    row = _described(bundle)
    yield "model", f"{row['name']} {row['version']}"
    yield "where", row["folder"]
    yield "size", _megabytes(row)
    yield "sha256", row["sha256"] + (" (every file is as exported)" if verified else "")
    yield "licence", row["licence"]
    yield "entities", ", ".join(row["entity_types"])
    yield "relations", ", ".join(row["relation_types"])
    for number, name in enumerate(row["trained_on"]):
        yield "" if number else "trained on", name
    for number, (name, file) in enumerate(row["files"].items()):
        size = f"{file['bytes'] / 1e6:.1f} MB"
        yield "" if number else "files", f"{name:<15} {size:>8}  {file['sha256'] or ''}"


def _megabytes(row: Row) -> str:
    return f"{row['bytes'] / 1e6:.1f} MB"
