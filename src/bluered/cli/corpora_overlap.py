"""`bluered corpora overlap`: which documents two corpora or splits have in common."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from bluered.cli.corpora import Json

if TYPE_CHECKING:
    from bluered.corpora.texts import Part


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
    from bluered.reports import overlap as report
    from bluered.reports.tables import as_markdown, as_text

    parts = rows = list(_parts(names))
    if sentences:
        rows = list(_parts(names, by_sentence=True))
        found = [o for o in overlaps(rows, parts) if o.first != o.second]
    else:
        found = list(overlaps(parts))
    if json:
        encoded = msgspec.json.encode(report.to_json(rows, found, pairs=pairs))
        typer.echo(msgspec.json.format(encoded, indent=2).decode())
    elif pairs:
        for line in report.pair_lines(found):
            typer.echo(line)
    else:
        square = not sentences and len(parts) <= report.WIDEST
        table = report.matrix(parts, found) if square else report.listing(found)
        for line in as_markdown(table) if markdown else as_text(table):
            typer.echo(line)


def _parts(names: Sequence[str], *, by_sentence: bool = False) -> "Iterator[Part]":
    """Yield the parts that the arguments name; two of one name are an error."""
    from bluered.corpora.texts import parts_of
    from bluered.errors import CorpusError

    seen: set[str] = set()
    for name in dict.fromkeys(names):
        for part in parts_of(name, by_sentence=by_sentence):
            if part.name in seen:
                raise CorpusError(f"{part.name!r} comes twice: give each file a LABEL=FILE")
            seen.add(part.name)
            yield part
