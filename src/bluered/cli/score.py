"""`bluered score`: a prediction file against a gold file, by our rule or an original's."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from bluered.documents.document import Document
    from bluered.reports.tables import Table
    from bluered.tasks.scores import Scores

TaskName = Literal["biored"]
Scorer = Literal["correct", "biorex", "bioredirect"]
Align = Literal["ids", "mentions"]

Task = Annotated[TaskName, typer.Argument(help="What is scored.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
AsMarkdown = Annotated[bool, typer.Option("--markdown", help="Print Markdown tables.")]


def score(
    task: Task,
    *,
    gold: Annotated[Path, typer.Option(help="The gold file, in any format; - is stdin.")],
    pred: Annotated[Path, typer.Option(help="The predictions, in any format; - is stdin.")],
    scorer: Annotated[
        Scorer, typer.Option(help="Our rule, or what an original evaluator would print.")
    ] = "correct",
    align: Annotated[
        Align,
        typer.Option(
            help="Compare concepts by their ids, or first bring predicted concepts to the gold ids "
            "with which they share most mentions (for predictions without real ids)."
        ),
    ] = "ids",
    interval: Annotated[
        bool, typer.Option("--interval", help="Add 95% bootstrap intervals over documents.")
    ] = False,
    quirks: Annotated[
        bool,
        typer.Option("--quirks", help="Say which quirk of the original moved how many tp/fp/fn."),
    ] = False,
    keep_going: Annotated[
        bool,
        typer.Option(
            "--keep-going",
            help="Skip documents that cannot be read and name them; count relations between "
            "unknown ids as false.",
        ),
    ] = False,
    json: AsJson = False,
    markdown: AsMarkdown = False,
) -> None:
    """Score predictions: mentions, and relations by pair, type, novelty and all of them."""
    from bluered.errors import BlueredError
    from bluered.formats.streams import source_name
    from bluered.reports import scores as report
    from bluered.tasks.biored.align import align_all
    from bluered.tasks.biored.scorers import SCORERS

    chosen = SCORERS[scorer]
    if quirks and chosen.moves is None:
        raise BlueredError("--quirks asks what an original's quirks move: add --scorer biorex")
    if str(gold) == str(pred) == "-":
        raise BlueredError("standard input (-) can be read once only: name a file for --gold")
    golds, predictions = read(gold), read(pred, keep_going=keep_going)
    check_pairs(golds, predictions, source=source_name(pred), keep_going=keep_going)
    if align == "mentions":
        predictions = align_all(golds, predictions)
    scores = chosen.score(golds, predictions)
    found = report.intervals(scores) if interval else None
    signed = sign(scores, golds, align=align, interval=interval)
    steps = chosen.moves(golds, predictions) if quirks and chosen.moves else None
    if json:
        result = report.to_json(scores, signature=signed, intervals=found)
        if steps is not None:
            result["quirks"] = report.quirks_json(steps)
        typer.echo(encoded(result))
        return
    tables = list(report.tables(scores, intervals=found))
    if steps is not None:
        tables.append(report.quirk_table(steps))
    show(tables, scores, signed, markdown=markdown)


def read(path: Path, *, keep_going: bool = False) -> "list[Document]":
    """Return the documents of a file; with `keep_going` bad ones are named on stderr instead."""
    from bluered.errors import FormatError
    from bluered.formats.files import read_file, unique_ids
    from bluered.formats.streams import source_name
    from bluered.tasks.checks import check_offsets

    faults: list[FormatError] = []
    documents: list[Document] = []
    on_error = faults.append if keep_going else None
    found = read_file(path, check=False, on_error=on_error)
    if keep_going:  # without it pairing refuses documents of one id
        found = unique_ids(found, source=source_name(path), on_error=on_error)
    for document in found:
        try:
            check_offsets(document, source=source_name(path))
        except FormatError as fault:
            if not keep_going:
                raise
            faults.append(fault)
        else:
            documents.append(document)
    for fault in faults:
        typer.echo(f"skipped: {fault}", err=True)
    if faults:
        typer.echo(f"documents skipped: {len(faults)}", err=True)
    return documents


def check_pairs(
    golds: "Sequence[Document]",
    predictions: "Sequence[Document]",
    *,
    source: str,
    keep_going: bool = False,
) -> None:
    """Refuse relations between ids that nobody mentions; warn of other texts and lost documents."""
    from bluered.errors import FormatError
    from bluered.tasks.checks import unknown_ends
    from bluered.tasks.scores import different_texts, pair_documents

    pairs = pair_documents(golds, predictions)
    unknown = [(pair.id, end) for pair in pairs for end in unknown_ends(pair)]
    if unknown and not keep_going:
        document, end = unknown[0]
        raise FormatError(
            f"a relation names the concept {end!r}, which no mention has (--keep-going counts such "
            "relations as false)",
            source=source,
            document=document,
        )
    if unknown:
        _warn(f"{len(unknown)} relation ends are ids that no mention has: counted as false")
    different = different_texts(pairs)
    if different:
        _warn(
            f"{len(different)} documents have another text than in the gold ({_some(different)}); "
            "their mentions are compared by offset all the same"
        )
    missing = [pair.id for pair in pairs if pair.predicted is None]
    if missing:
        _warn(f"{len(missing)} gold documents are missing in the prediction ({_some(missing)})")
    extra = [pair.id for pair in pairs if pair.gold is None]
    if extra:
        _warn(f"{len(extra)} predicted documents are not in the gold ({_some(extra)})")


def _warn(text: str) -> None:
    typer.echo(f"warning: {text}", err=True)


def _some(names: "Sequence[str]") -> str:
    return ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")


def sign(
    scores: "Scores",
    golds: "Sequence[Document]",
    *,
    interval: bool,
    **fields: str | int | None,
) -> str:
    """Return the signature of scores: what was counted, how, against which gold."""
    from bluered import __version__
    from bluered.metrics.signature import gold_hash, signature
    from bluered.metrics.significance import RESAMPLES, SEED

    bootstrap = f"documents,BCa,n={RESAMPLES},seed={SEED}" if interval else None
    return signature(
        {
            "task": scores.task,
            "scorer": scores.scorer,
            **fields,
            "docs": len(golds),
            "gold": gold_hash(golds),
            "bootstrap": bootstrap,
            "version": __version__,
        }
    )


def encoded(value: dict[str, Any]) -> str:
    """Return JSON with two blanks of indentation."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def show(tables: "Sequence[Table]", scores: "Scores", signed: str, *, markdown: bool) -> None:
    """Print tables, what was left out, and the signature."""
    from bluered.reports.tables import as_markdown, as_text

    for table in tables:
        for line in as_markdown(table) if markdown else as_text(table):
            typer.echo(line)
        typer.echo("")
    for note, number in scores.notes.items():
        typer.echo(f"{note}: {number}" + "  " * markdown)
    typer.echo(f"`{signed}`" if markdown else signed)
