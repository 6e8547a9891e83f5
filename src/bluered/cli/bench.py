"""`bluered bench`: a model, or any system's predictions, on a benchmark's own documents."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

import typer

from bluered.cli.score import Align, AsJson, AsMarkdown

Rules = Literal["correct", "blue"]


def bench(
    task: Annotated[
        str,
        typer.Argument(help="biored, blue (all of its tasks), or one task of any corpus."),
    ],
    *,
    split: Annotated[str, typer.Option(help="The part of the corpus to score on.")] = "test",
    model: Annotated[
        Path | None,
        typer.Option(
            help="biored: a model bundle, the shipped one by default. Otherwise a folder of "
            "trained runs, one per task."
        ),
    ] = None,
    predictions: Annotated[
        Path | None,
        typer.Option(
            help="Predictions of any system instead of a model: a file; for blue a folder with a "
            "file per task, named like it (hoc.tsv, bc5cdr-disease.pubtator, ...)."
        ),
    ] = None,
    tasks: Annotated[
        str | None, typer.Option(help="blue: only these tasks, with commas between them.")
    ] = None,
    scorer: Annotated[
        Rules,
        typer.Option(help="Our rule, or what BLUE's scripts would print (not for biored)."),
    ] = "correct",
    trained_on: Annotated[
        str | None,
        typer.Option(
            help="What the system was trained on beside what its model card says, with commas "
            "between: biored:train, bc5cdr, NLM=FILE, ... Test documents that stand there are "
            "named."
        ),
    ] = None,
    end_to_end: Annotated[
        bool | None,
        typer.Option(
            help="biored: also say at which step relations from text are lost (mentions, ids, "
            "pairs, types, novelty); with --predictions it means that they were made from text "
            "alone. --no-end-to-end leaves out all that a model does from text but mentions."
        ),
    ] = None,
    waterfall: Annotated[
        Path | None,
        typer.Option(help="biored: --end-to-end, and draw what each step loses into an SVG file."),
    ] = None,
    calibration: Annotated[
        Path | None,
        typer.Option(
            help="biored: also say how far confidences are from the truth, and draw it into an "
            "SVG file."
        ),
    ] = None,
    errors: Annotated[
        bool,
        typer.Option(
            "--errors",
            help="biored: also say which mentions and relations are wrong: seen and unseen names, "
            "kinds of error, near and far pairs, long documents, types taken for others.",
        ),
    ] = False,
    align: Annotated[
        Align | None,
        typer.Option(
            help="biored: how predicted concepts meet the gold's, by id (default) or by shared "
            "mentions (for concepts without real ids)."
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(help="What the table calls the system (default: its file or folder)."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Also write the JSON to a file.")
    ] = None,
    json: AsJson = False,
    markdown: AsMarkdown = False,
) -> None:
    """Print a benchmark's table: a system with intervals beside the published figures."""
    from bluered.cli import bench_biored, bench_tasks
    from bluered.cli.score import encoded, show
    from bluered.corpora.leakage import check_names
    from bluered.errors import BlueredError

    if predictions is not None and model is not None:
        raise BlueredError("--model and --predictions exclude each other: which shall be scored?")
    seen = [name.strip() for name in (trained_on or "").split(",") if name.strip()]
    check_names(seen)
    if waterfall is not None and (task != "biored" or end_to_end is False):
        raise BlueredError("--waterfall is for `bluered bench biored --end-to-end`")
    if task != "biored" and (calibration is not None or errors):
        raise BlueredError("--calibration and --errors are for `bluered bench biored`")
    with (  # first: a run takes minutes
        _target(output) as target,
        _target(waterfall) as losses,
        _target(calibration) as reliability,
    ):
        if task == "biored":
            if tasks is not None or scorer != "correct":
                raise BlueredError("--tasks and --scorer are for `bluered bench blue`")
            result, tables, scores, signed, pictures = bench_biored.run(
                split,
                model=model,
                predictions=predictions,
                end_to_end=True if waterfall else end_to_end,
                align=align or "ids",
                trained_on=seen,
                called=name,
                calibration=calibration is not None,
                errors=errors,
            )
            said = scores.notes
            for kind, picture in (("waterfall", losses), ("calibration", reliability)):
                if picture is not None:
                    picture.write(pictures[kind].encode())
        else:
            if align is not None or end_to_end is not None:
                raise BlueredError("--align and --end-to-end are for `bluered bench biored`")
            result, tables, signed = bench_tasks.run(
                task,
                split,
                model=model,
                predictions=predictions,
                tasks=tasks,
                scorer=scorer,
                trained_on=seen,
                called=name,
            )
            said = {}
        if target is not None:
            target.write(encoded(result).encode() + b"\n")
    if json:
        typer.echo(encoded(result))
    else:
        show(tables, said, signed, markdown=markdown)
    if task == bench_tasks.BLUE and all("reason" in row for row in result["rows"]):
        raise BlueredError("none of the tasks was scored: the reasons stand in the table")


@contextmanager
def _target(path: Path | None) -> "Iterator[BinaryIO | None]":
    """Give the stream of an output file, which appears when all is done; None for no path."""
    from bluered.formats.streams import replacing

    if path is None:
        yield None
        return
    with replacing(path) as stream:
        yield stream
