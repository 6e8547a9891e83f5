"""`bluered corpora overlap`: which documents two corpora or splits have in common."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from bluered.cli.corpora import Json

if TYPE_CHECKING:
    from bluered.corpora.texts import Source


def overlap(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME...",
            help="A corpus (all its splits), CORPUS:SPLIT, or LABEL=FILE with a file in any "
            "format of documents.",
        ),
    ],
    *,
    sentences: Annotated[
        bool,
        typer.Option(
            "--sentences", help="Look for the sentences of each in the documents of the others."
        ),
    ] = False,
    pairs: Annotated[
        bool, typer.Option("--list", help="Name the texts that are shared, not only their number.")
    ] = False,
    json: Json = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")] = False,
) -> None:
    """Count the documents that corpora and splits share, by their text and by PubMed id."""
    import msgspec

    from bluered.corpora.overlap import overlaps
    from bluered.corpora.texts import read_part
    from bluered.reports import overlap as report
    from bluered.reports.tables import as_markdown, as_text

    chosen = _sources(names)
    parts = rows = [read_part(source) for source in chosen]
    if sentences:
        rows = [read_part(source, by_sentence=True) for source in chosen]
        found = [o for o in overlaps(rows, parts) if o.first != o.second]
    else:
        found = list(overlaps(parts))
    sides: report.Sides = (0,) if sentences else (0, 1)
    if json:
        encoded = msgspec.json.encode(report.to_json(rows, found, pairs=pairs, sides=sides))
        typer.echo(msgspec.json.format(encoded, indent=2).decode())
    elif pairs:
        for line in report.pair_lines(found):
            typer.echo(line)
    else:
        square = not sentences and len(parts) <= report.WIDEST
        table = report.matrix(parts, found) if square else report.listing(found)
        whole = report.summary(rows, found, sides=sides)
        for each in (whole, table) if whole.rows else (table,):
            for line in as_markdown(each) if markdown else as_text(each):
                typer.echo(line)
            typer.echo("")


def _sources(names: Sequence[str]) -> "list[Source]":
    """Return what the arguments name; two of one name are an error."""
    from bluered.corpora.texts import sources
    from bluered.errors import CorpusError

    found = [source for name in dict.fromkeys(names) for source in sources(name)]
    named = [source.name for source in found]
    if twice := sorted({name for name in named if named.count(name) > 1}):
        raise CorpusError(f"{twice[0]!r} comes twice: give each file a LABEL=FILE")
    return found
