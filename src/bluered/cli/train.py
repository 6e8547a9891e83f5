"""`bluered train`: recipes in, a model bundle out."""

from pathlib import Path
from typing import Annotated

import typer


def train(
    recipes: Annotated[list[Path], typer.Argument(help="Recipe files, in order (recipes/*.toml).")],
    runs: Annotated[Path, typer.Option(help="Folder that holds a folder per run.")] = Path("runs"),
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Export the tagger and relation model to this bundle."),
    ] = None,
    name: Annotated[str, typer.Option(help="Name of the exported model.")] = "bluered-biored",
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print dev scores as JSON.")] = False,
) -> None:
    """Train recipes, resuming what was stopped, and export the bundle that `--model` takes."""
    import os

    from bluered.cli.progress import tracked
    from bluered.errors import ModelError

    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")  # its reports of weights left unused
    os.environ.setdefault("TQDM_DISABLE", "1")  # its bars, which go to files too
    if output is not None:
        _check_recipes(recipes)
    try:
        from bluered.training.run import train as train_recipe
    except ModuleNotFoundError as error:
        raise ModelError(f"training needs {error.name}: pip install 'bluered[train]'") from None

    import json
    import logging

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    results = [train_recipe(recipe, runs, progress=tracked) for recipe in recipes]
    for result in results:
        scores = json.dumps(result.dev)
        typer.echo(
            json.dumps({"name": result.name, "dev": result.dev})
            if as_json
            else f"{result.name}: dev {scores}"
        )
    if output is None:
        return
    from bluered.export.bundle import export_bundle
    from bluered.training.config import load_recipe

    folders = {load_recipe(recipe).model: runs / recipe.stem for recipe in recipes}
    export_bundle(folders["tagger"], folders["relations"], output, name=name)
    typer.echo(f"wrote {output}", err=True)


def _check_recipes(recipes: list[Path]) -> None:
    """Raise ModelError where recipes do not make a bundle, before hours of training."""
    from bluered.errors import ModelError
    from bluered.training.config import load_recipe

    if {load_recipe(recipe).model for recipe in recipes} != {"relations", "tagger"}:
        raise ModelError("a bundle (-o) needs a tagger's and a relation model's recipe")
