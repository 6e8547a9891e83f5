"""`bluered score`: a prediction file against a gold file, by our rule or an original's."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from bluered.reports.tables import Table

Scorer = Literal["correct", "blue", "biorex", "bioredirect"]
Align = Literal["ids", "mentions"]

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
AsMarkdown = Annotated[bool, typer.Option("--markdown", help="Print Markdown tables.")]

BIORED = "biored"


def score(
    task: Annotated[
        str,
        typer.Argument(
            help="What is scored: biored, one of BLUE's tasks (hoc, ddi, ...) or yours."
        ),
    ],
    *,
    pred: Annotated[
        Path, typer.Option(help="The predictions; BLUE's own files and ours; - is stdin.")
    ],
    against: Annotated[
        Path | None,
        typer.Option(
            help="The predictions of another system: adds the difference of the two scores with "
            "its 95% interval and p-value, for biored of each measure."
        ),
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option(help="The gold file; - is stdin. Without it the corpus on this machine is."),
    ] = None,
    split: Annotated[
        str | None, typer.Option(help="The part of the corpus that is the gold (default: test).")
    ] = None,
    scorer: Annotated[
        Scorer,
        typer.Option(
            help="Our rule, or what an original evaluator would print: blue for BLUE's tasks, "
            "biorex or bioredirect for biored."
        ),
    ] = "correct",
    align: Annotated[
        Align | None,
        typer.Option(
            help="biored: compare concepts by their ids (default), or first bring predicted "
            "concepts to the gold ids with which they share most mentions (for predictions without "
            "real ids)."
        ),
    ] = None,
    interval: Annotated[
        bool,
        typer.Option("--interval", help="Add 95% bootstrap intervals over documents or pairs."),
    ] = False,
    quirks: Annotated[
        bool,
        typer.Option(
            "--quirks",
            help="Say which quirk of the original moved the counts or the score how far.",
        ),
    ] = False,
    keep_going: Annotated[
        bool,
        typer.Option(
            "--keep-going",
            help="biored: skip documents that cannot be read and name them; count relations "
            "between unknown ids as false.",
        ),
    ] = False,
    json: AsJson = False,
    markdown: AsMarkdown = False,
) -> None:
    """Score predictions of a task against a gold file, or against the corpus itself."""
    from bluered.cli import score_biored, score_tasks
    from bluered.errors import BlueredError

    if [str(file) for file in (gold, pred, against)].count("-") > 1:
        raise BlueredError("standard input (-) can be read once only: name a file for the others")
    if gold is not None and split is not None:
        raise BlueredError("--gold and --split exclude each other: which is the gold?")
    if quirks and scorer == "correct":
        original = "biorex" if task == BIORED else "blue"
        raise BlueredError(f"--quirks asks what an original's quirks move: add --scorer {original}")
    if task == BIORED:
        if scorer == "blue":
            raise BlueredError("biored has the scorers correct, biorex and bioredirect")
        result, tables, scores, signed = score_biored.run(
            gold, pred, against=against, split=split or "test", scorer=scorer,
            align=align or "ids", interval=interval, quirks=quirks, keep_going=keep_going,
        )  # fmt: skip
    else:
        if scorer in ("biorex", "bioredirect") or align is not None or keep_going:
            raise BlueredError(
                f"--scorer biorex, --scorer bioredirect, --align and --keep-going are for biored, "
                f"not for {task}"
            )
        result, tables, scores, signed = score_tasks.run(
            task, gold=gold, pred=pred, against=against, split=split or "test", scorer=scorer,
            interval=interval, quirks=quirks,
        )  # fmt: skip
    if json:
        typer.echo(encoded(result))
    else:
        show(tables, scores.notes, signed, markdown=markdown)


def encoded(value: dict[str, Any]) -> str:
    """Return JSON with two blanks of indentation."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def show(
    tables: "Sequence[Table]", notes: Mapping[str, int], signed: str, *, markdown: bool
) -> None:
    """Print tables, what was left out or counted by a special rule, and the signature."""
    from bluered.reports.tables import as_markdown, as_text

    for table in tables:
        for line in as_markdown(table) if markdown else as_text(table):
            typer.echo(line)
        typer.echo("")
    for note, number in notes.items():
        typer.echo(f"{note}: {number}" + "  " * markdown)
    typer.echo(f"`{signed}`" if markdown else signed)
