"""`bluered train`: recipes in, a model bundle out."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer


def train(
    recipes: Annotated[list[Path], typer.Argument(help="Recipe files, in order (recipes/*.toml).")],
    runs: Annotated[Path, typer.Option(help="Folder that holds a folder per run.")] = Path("runs"),
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Export the last reader to this bundle."),
    ] = None,
    name: Annotated[str, typer.Option(help="Name of the exported model.")] = "bluered-biored",
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print dev scores as JSON.")] = False,
) -> None:
    """Train recipes, resuming what was stopped, and export the bundle that `--model` takes.

    A recipe of stages stands for those that it names. Later recipes may name earlier ones: as the
    run they start from, or as their encoder. Each run's log is printed and drawn as curve.svg.
    """
    import json

    from bluered.cli.curve import show_log
    from bluered.cli.progress import tracked
    from bluered.training.config import stages

    quiet()
    recipes = [stage for recipe in recipes for stage in stages(recipe)]
    readers = _readers(recipes) if output is not None else []
    with training_needs():
        from bluered.training.run import check
        from bluered.training.run import train as train_recipe

    check(recipes, runs)
    for recipe in recipes:
        result = train_recipe(recipe, runs, progress=tracked)
        show_log(runs / result.name, json=as_json)
        scores = json.dumps(result.dev)
        typer.echo(
            json.dumps({"name": result.name, "dev": result.dev})
            if as_json
            else f"{result.name}: dev {scores}"
        )
    if output is None:
        return
    from bluered.export.bundle import export_bundle

    export_bundle(runs / readers[-1].stem, output, name=name)
    typer.echo(f"wrote {output}", err=True)


def quiet() -> None:
    """Have the log of training on stderr, without what other libraries say."""
    import logging
    import os

    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")  # its reports of weights left unused
    os.environ.setdefault("TQDM_DISABLE", "1")  # its bars, which go to files too
    logging.basicConfig(format="%(asctime)s %(message)s")
    logging.getLogger("bluered").setLevel(logging.INFO)


@contextmanager
def training_needs() -> Iterator[None]:
    """Say in one line what is missing for training."""
    from bluered.errors import ModelError

    try:
        yield
    except ModuleNotFoundError as error:
        raise ModelError(f"training needs {error.name}: pip install 'bluered[train]'") from None


def _readers(recipes: list[Path]) -> list[Path]:
    """Return the recipes of readers, or raise ModelError for none before hours of training."""
    from bluered.errors import ModelError
    from bluered.training.config import load_recipe

    readers = [recipe for recipe in recipes if load_recipe(recipe).model == "reader"]
    if not readers:
        raise ModelError('a bundle (-o) needs the recipe of a reader (model = "reader")')
    return readers
