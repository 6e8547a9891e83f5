"""`bluered terms`: which terminologies there are, and what they say of a concept or a name."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bluered.cli.corpora import Json, print_json, print_table

if TYPE_CHECKING:
    from bluered.normalize.store import Manifest
    from bluered.normalize.terminology import Terminology

app = typer.Typer(
    help="List, describe and build terminologies: the names that concept ids are found by.",
    no_args_is_help=True,
)

Row = dict[str, Any]


@app.command("list")
def list_(*, json: Json = False) -> None:
    """List the shipped terminology and those built on this machine; `*` marks the one in use.

    In use is what BLUERED_TERMS names (a name or a folder), else the shipped one.
    """
    rows = _listed()
    if json:
        print_json(rows)
        return
    lines = [("", "name", "built", "size", "concepts", "where")]
    for row in rows:
        counts = row["concepts"]
        described = ", ".join(f"{number} {kind}" for kind, number in counts.items())
        size = f"{row['bytes'] / 1e6:.1f} MB"
        mark = "*" if row["in_use"] else ""
        if row["broken"]:
            described, size = "broken", "-"
        lines.append((mark, row["name"], row["built"] or "-", size, described, row["folder"]))
    print_table(lines)
    for row in rows:
        if row["broken"]:
            typer.echo(f"broken: {row['broken']}", err=True)


@app.command()
def info(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="TERMS", help="A terminology by name or folder; else the one in use."
        ),
    ] = None,
    *,
    concept: Annotated[
        str | None, typer.Option("--id", help="Show the concept of this id and its names.")
    ] = None,
    called: Annotated[
        str | None, typer.Option("--name", help="Show the concepts that bear this name.")
    ] = None,
    json: Json = False,
) -> None:
    """Describe a terminology: its sources with version, licence, address and hash, its counts.

    With --id or --name look a concept or a name up in it. Names are shown in the form that is
    compared: letters and digits, small, without plural (docs/terms.md).
    """
    from bluered.normalize.locate import find_terminology
    from bluered.normalize.terminology import Terminology

    terminology = Terminology(find_terminology(name))
    if concept is not None:
        _show(_concepts(terminology, concept), json=json, of=f"concept {concept!r}")
    elif called is not None:
        _show(_bearers(terminology, called), json=json, of=f"concept named {called!r}")
    elif json:
        print_json(described(terminology.manifest, terminology.folder))
    else:
        _print_info(terminology.manifest, terminology.folder)


def described(manifest: "Manifest", folder: Path) -> Row:
    """Return what a manifest says, for programs."""
    from msgspec import to_builtins

    said = to_builtins(manifest)
    return said | {"folder": str(folder), "bytes": _size(manifest)}


def _listed() -> list[Row]:
    from bluered.errors import BlueredError
    from bluered.normalize.locate import (
        SHIPPED,
        built_terminologies,
        find_terminology,
        shipped_terminology,
    )
    from bluered.normalize.store import MANIFEST

    folders = {SHIPPED: shipped_terminology()} | built_terminologies()
    if not (folders[SHIPPED] / MANIFEST).is_file():
        del folders[SHIPPED]
    fault = ""
    try:
        used = find_terminology()
    except BlueredError as error:
        used, fault = None, str(error)
    if used is not None and used not in folders.values():
        folders[used.name] = used
    rows = [_row(name, folder, in_use=folder == used) for name, folder in folders.items()]
    if fault:
        typer.echo(f"none is in use: {fault}", err=True)
    return rows


def _row(name: str, folder: Path, *, in_use: bool) -> Row:
    from bluered.errors import BlueredError
    from bluered.normalize.terminology import read_manifest

    row: Row = {"name": name, "folder": str(folder), "in_use": in_use, "broken": None}
    try:
        manifest = read_manifest(folder)
    except BlueredError as error:
        return row | {"built": None, "bytes": 0, "concepts": {}, "names": {}, "broken": str(error)}
    counts = manifest.counts
    return row | {
        "built": manifest.built,
        "bytes": _size(manifest),
        "concepts": {kind: count.concepts for kind, count in counts.items()},
        "names": {kind: count.names for kind, count in counts.items()},
    }


def _size(manifest: "Manifest") -> int:
    return sum(size for size, _ in manifest.files.values())


def _print_info(manifest: "Manifest", folder: Path) -> None:
    typer.echo(f"{manifest.name}, built {manifest.built}: {folder}\n")
    lines = [("type", "concepts", "names")]
    lines += [(t, str(c.concepts), str(c.names)) for t, c in manifest.counts.items()]
    print_table(lines)
    typer.echo("\nsources")
    for source in manifest.sources:
        counted = f": {source.concepts} concepts" if source.concepts else ""
        typer.echo(f"  {source.name} {source.version}".rstrip() + counted)
        details = {
            "licence": source.licence,
            "from": source.url,
            "sha256": source.sha256,
            "cite": source.citation,
        }
        for label, text in details.items():
            if text:
                typer.echo(f"    {label:<8} {text}")


def _concepts(terminology: "Terminology", concept_id: str) -> list[Row]:
    """Return the concepts of an id (of each type that has one), with the keys of their names."""
    from bluered.normalize.store import CODES, WORDS

    rows: list[Row] = []
    for kind in CODES:
        number = terminology.number(concept_id, type=kind)
        if number is None:
            continue
        keys = [
            {"key": key, "kind": named}
            for key, named in terminology.keys_of(number)
            if not key.startswith(WORDS)
        ]
        rows.append(_concept(terminology, number) | {"names": keys})
    return rows


def _bearers(terminology: "Terminology", name: str) -> list[Row]:
    """Return the concepts that bear a name, and only if none does those of the same words."""
    from bluered.normalize.store import CODES

    for look_up, match in (
        (terminology.named, "name"),
        (terminology.named_in_any_order, "words in another order"),
    ):
        rows = [
            _concept(terminology, bearer.concept)
            | {"kind": bearer.kind, "documents": bearer.documents, "match": match}
            for kind in CODES
            for bearer in look_up(name, type=kind)
        ]
        if rows:
            return rows
    return []


def _concept(terminology: "Terminology", number: int) -> Row:
    from msgspec import to_builtins

    return to_builtins(terminology.concept(number))


def _show(rows: list[Row], *, json: bool, of: str) -> None:
    """Print what was found; finding nothing is an error."""
    from bluered.errors import BlueredError

    if json:
        print_json(rows)
    elif not rows:
        raise BlueredError(f"no {of} in this terminology (bluered terms list shows others)")
    for row in () if json else rows:
        species = f", species {row['taxon']}" if row["taxon"] else ""
        how = f" ({row['kind']}; {row['match']})" if "kind" in row else ""
        typer.echo(f"{row['id']}  {row['name']}  [{row['type']}{species}]{how}")
        for named in row.get("names", ()):
            typer.echo(f"  {named['kind']:<11} {named['key']}")
