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
        str | None,
        typer.Argument(
            help="biored, blue (all of its tasks), or one task of any corpus; none with --recipes."
        ),
    ] = None,
    *,
    split: Annotated[str, typer.Option(help="The part of the corpus to score on.")] = "test",
    model: Annotated[
        str | None,
        typer.Option(
            help="biored: a model bundle, the shipped one by default. Otherwise a folder of "
            "trained runs, one per task. An encoder (hf:NAME or a folder with a config.json) is "
            "fine-tuned first, on all tasks of blue or biored."
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
    recipes: Annotated[
        str | None,
        typer.Option(
            help="Train, ask and score a table of recipes, systems by tasks: a TOML file, or one "
            "that comes with BlueRED (blue, biored, heads). What is finished is left as it is."
        ),
    ] = None,
    runs: Annotated[
        Path | None,
        typer.Option(
            help="--recipes and encoders: the folder of the runs, FOLDER/ROW/SEED/RECIPE (default: "
            "runs/NAME of the table)."
        ),
    ] = None,
    row: Annotated[
        list[str] | None, typer.Option(help="--recipes: only this row; may be repeated.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(help="--recipes and encoders: only this recipe; may be repeated."),
    ] = None,
    seeds: Annotated[
        str | None,
        typer.Option(
            help="--recipes and encoders: only these seeds, with commas between (default: those "
            "of the table; of an encoder 13)."
        ),
    ] = None,
    no_train: Annotated[
        bool,
        typer.Option("--no-train", help="--recipes and encoders: only show what is there."),
    ] = False,
    picture: Annotated[
        Path | None,
        typer.Option(
            help="--recipes and encoders: draw BioRED's accuracy against speed into an SVG file."
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(help="What the table calls the system (default: its file or folder)."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Also write the JSON to a file; --recipes and encoders: and the tables, as "
            "Markdown, beside it (.md).",
        ),
    ] = None,
    json: AsJson = False,
    markdown: AsMarkdown = False,
) -> None:
    """Print a benchmark's table: a system with intervals beside the published figures.

    With --recipes the systems are trained first, each as often as there are seeds.
    """
    from bluered.cli import bench_biored, bench_recipes, bench_tasks
    from bluered.cli.score import encoded, show
    from bluered.corpora.leakage import check_names
    from bluered.errors import BlueredError

    if predictions is not None and model is not None:
        raise BlueredError("--model and --predictions exclude each other: which shall be scored?")
    trains = recipes is not None or (model is not None and bench_recipes.is_encoder(model))
    of_scoring = {
        "--predictions": predictions, "--scorer": scorer != "correct", "--trained-on": trained_on,
        "--end-to-end": end_to_end is not None, "--waterfall": waterfall,
        "--calibration": calibration, "--errors": errors, "--align": align,
    }  # fmt: skip
    of_training = {
        "--runs": runs, "--row": row, "--only": only, "--seeds": seeds, "--no-train": no_train,
        "--picture": picture,
    }  # fmt: skip
    for option, given in (of_scoring if trains else of_training).items():
        if given:
            raise BlueredError(
                f"{option} is not for recipes that are trained first"
                if trains
                else f"{option} is for `bluered bench --recipes` and for encoders (--model hf:NAME)"
            )
    if trains:
        bench_recipes.bench(
            task, split, model=model, recipes=recipes, runs=runs, rows=row or (), only=only or (),
            seeds=seeds, train=not no_train, tasks=tasks, called=name, picture=picture,
            output=output, json=json, markdown=markdown,
        )  # fmt: skip
        return
    if task is None:
        raise BlueredError(
            "name what shall be scored: `bluered bench biored`, `bench blue`, `bench TASK`; or "
            "what shall be trained first: `bench --recipes FILE`"
        )
    seen = [name.strip() for name in (trained_on or "").split(",") if name.strip()]
    check_names(seen)
    if waterfall is not None and (task != "biored" or end_to_end is False):
        raise BlueredError("--waterfall is for `bluered bench biored --end-to-end`")
    if task != "biored" and (calibration is not None or errors):
        raise BlueredError("--calibration and --errors are for `bluered bench biored`")
    folder = None if model is None else Path(model)
    with (  # first: a run takes minutes
        target(output) as file,
        target(waterfall) as losses,
        target(calibration) as reliability,
    ):
        if task == "biored":
            if tasks is not None or scorer != "correct":
                raise BlueredError("--tasks and --scorer are for `bluered bench blue`")
            result, tables, scores, signed, pictures = bench_biored.run(
                split,
                model=folder,
                predictions=predictions,
                end_to_end=True if waterfall else end_to_end,
                align=align or "ids",
                trained_on=seen,
                called=name,
                calibration=calibration is not None,
                errors=errors,
            )
            said = scores.notes
            for kind, stream in (("waterfall", losses), ("calibration", reliability)):
                if stream is not None:
                    stream.write(pictures[kind].encode())
        else:
            if align is not None or end_to_end is not None:
                raise BlueredError("--align and --end-to-end are for `bluered bench biored`")
            result, tables, signed = bench_tasks.run(
                task,
                split,
                model=folder,
                predictions=predictions,
                tasks=tasks,
                scorer=scorer,
                trained_on=seen,
                called=name,
            )
            said = {}
        if file is not None:
            file.write(encoded(result).encode() + b"\n")
    if json:
        typer.echo(encoded(result))
    else:
        show(tables, said, signed, markdown=markdown)
    if task == bench_tasks.BLUE and all("reason" in row for row in result["rows"]):
        raise BlueredError(NONE_SCORED)


NONE_SCORED = "none of the tasks was scored: the reasons stand in the table"


@contextmanager
def target(path: Path | None) -> "Iterator[BinaryIO | None]":
    """Give the stream of an output file, which appears when all is done; None for no path."""
    from bluered.formats.streams import replacing

    if path is None:
        yield None
        return
    with replacing(path) as stream:
        yield stream
