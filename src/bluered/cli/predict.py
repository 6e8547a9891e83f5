"""`bluered predict`: answers of trained runs, in files that `score` and `bench` read."""

from pathlib import Path
from typing import Annotated

import typer


def predict(
    runs: Annotated[list[Path], typer.Argument(help="Folders that `bluered train` made.")],
    *,
    split: Annotated[str, typer.Option(help="The part of the corpus to answer.")] = "test",
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            help="File to write; - is stdout; .gz is compressed. A folder gets a file per run, "
            "named like its task, as `bench` wants them.",
        ),
    ] = "-",
) -> None:
    """Answer the tasks that runs were trained on; the answers are in BLUE's own layout.

    Named entities are JSON lines of annotations, everything else is a table; neither holds text of
    the corpus. Relations of documents (BioRED) are whole documents in JSON lines, with their text.
    The model is not shown what the split's answers are.
    """
    from bluered.errors import BlueredError, ModelError

    try:
        from bluered.training.run import recipe_of
    except ModuleNotFoundError as error:
        raise ModelError(f"predicting needs {error.name}: pip install 'bluered[train]'") from None
    folder = Path(output) if output.endswith("/") or Path(output).is_dir() else None
    if folder is None and len(runs) > 1:
        raise BlueredError(f"several runs need a folder: -o {output}/ (or one that exists)")
    tasks = [recipe_of(run).task for run in runs]  # all of them looked at before hours of answers
    for task in tasks:
        if tasks.count(task) > 1:
            raise BlueredError(f"two runs are for {task}: which one shall be asked?")
    for run, task in zip(runs, tasks, strict=True):
        _answer(run, task, split=split, target=_target(folder, task) if folder else output)


def _target(folder: Path, task: str) -> str:
    from bluered.corpora.catalog import task as find_task
    from bluered.tasks.answers.write import ENDINGS

    folder.mkdir(parents=True, exist_ok=True)
    return str(folder / f"{task}.{ENDINGS.get(find_task(task).entry.type, 'tsv')}.gz")


def _answer(run: Path, name: str, *, split: str, target: str) -> None:
    from bluered.cli.progress import tracked
    from bluered.corpora.catalog import task
    from bluered.formats.streams import replacing
    from bluered.tasks.answers.write import answer_lines, document_lines
    from bluered.tasks.examples import examples
    from bluered.training.predict import predict as answers

    asked = list(examples(task(name), split))
    whole = task(name).entry.type == "document-relations"
    lines = document_lines if whole else answer_lines
    with replacing(target) as stream:
        for line in lines(tracked(answers(run, asked), name, total=len(asked))):
            stream.write(line.encode())
    typer.echo(f"{run.name}: {len(asked)} examples of {name}, {split}", err=True)
