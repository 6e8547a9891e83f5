"""`bluered predict`: a trained run's answers to a task, in a file that `score` and `bench` read."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bluered.documents.examples import Example


def predict(
    run: Annotated[Path, typer.Argument(help="A folder that `bluered train` made.")],
    *,
    split: Annotated[str, typer.Option(help="The part of the corpus to answer.")] = "test",
    output: Annotated[
        str, typer.Option("--output", "-o", help="File to write; - is stdout; .gz is compressed.")
    ] = "-",
) -> None:
    """Answer the task that a run was trained on; the answers are in BLUE's own layout.

    Named entities are JSON lines of annotations, everything else is a table; neither holds text of
    the corpus. The model is not shown what the split's answers are.
    """
    from bluered.corpora.catalog import task
    from bluered.errors import ModelError
    from bluered.formats.streams import replacing
    from bluered.tasks.answers.write import answer_lines
    from bluered.tasks.examples import examples

    try:
        from bluered.training.predict import predict as answers
        from bluered.training.run import recipe_of
    except ModuleNotFoundError as error:
        raise ModelError(f"predicting needs {error.name}: pip install 'bluered[train]'") from None
    asked = list(examples(task(recipe_of(run).task), split))
    with replacing(output) as stream:
        for line in answer_lines(_shown(answers(run, asked), total=len(asked))):
            stream.write(line.encode())
    typer.echo(f"{run.name}, {split}: {len(asked)} examples", err=True)


def _shown(examples: "Iterable[Example]", *, total: int) -> "Iterator[Example]":
    """Yield the examples under a progress bar on stderr, if that is a terminal."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    disable = not console.is_terminal
    yield from track(
        examples, "answering", total=total, console=console, transient=True, disable=disable
    )
