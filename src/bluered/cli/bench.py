"""`bluered bench`: a model, or any system's predictions, on the benchmark's own documents."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Literal

import typer

from bluered.cli.score import (
    Align,
    AsJson,
    AsMarkdown,
    Task,
    check_pairs,
    encoded,
    read,
    show,
    sign,
)

if TYPE_CHECKING:
    from bluered.corpora.entry import Corpus
    from bluered.documents.document import Document
    from bluered.tasks.scores import Scores

Split = Literal["train", "dev", "test"]


def bench(
    task: Task,
    *,
    split: Annotated[Split, typer.Option(help="The part of the corpus to score on.")] = "test",
    model: Annotated[
        Path | None, typer.Option(help="A model bundle; the shipped one by default.")
    ] = None,
    predictions: Annotated[
        Path | None, typer.Option(help="A file of predictions of any system, instead of a model.")
    ] = None,
    end_to_end: Annotated[bool, typer.Option(help="Also score relations from text alone.")] = True,
    align: Annotated[
        Align | None,
        typer.Option(
            help="How predicted concepts meet the gold's: by id (default for --predictions) or by "
            "shared mentions (default for a model's own entities)."
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Also write the JSON to a file.")
    ] = None,
    json: AsJson = False,
    markdown: AsMarkdown = False,
) -> None:
    """Run a model on BioRED and print the paper's tables with intervals and published figures."""
    from bluered.errors import BlueredError
    from bluered.reports import scores as report

    if predictions is not None and model is not None:
        raise BlueredError("--model and --predictions exclude each other: which shall be scored?")
    golds = gold_documents(task, split)
    with _target(output) as target:  # opened first, since a run takes minutes
        if predictions is not None:
            system, digest, align = predictions.name, None, align or "ids"
            scores = _score_file(golds, predictions, align=align)
        else:
            align = align or "mentions"
            system, digest = _name_and_hash(model)
            scores = _score_model(golds, model, end_to_end=end_to_end, align=align)
        found = report.intervals(scores)
        signed = sign(
            scores, golds, interval=True, split=split, system=system, model=digest, align=align
        )
        result = {"system": system, "split": split} | report.to_json(
            scores, signature=signed, intervals=found
        )
        result["published"] = report.published_json()
        if target is not None:
            target.write(encoded(result).encode() + b"\n")
    if json:
        typer.echo(encoded(result))
    else:
        tables = list(report.tables(scores, intervals=found, system=system))
        show(tables, scores, signed, markdown=markdown)


def gold_documents(task: str, split: str) -> "list[Document]":
    """Return the documents of a split, fetched first if they are not on this machine."""
    from bluered.corpora import documents
    from bluered.corpora.catalog import corpus
    from bluered.corpora.fetch import fetch
    from bluered.corpora.locate import missing

    if missing(corpus(task)):
        typer.echo(f"fetching {task} ...", err=True)
        fetch(corpus(task))
    _warn_of_changes(corpus(task), split)
    return list(documents(task, split))


def _warn_of_changes(entry: "Corpus", split: str) -> None:
    """Say so where the gold is not the published one, since scores on it compare with no other."""
    from bluered.corpora.catalog import split_files
    from bluered.corpora.locate import is_published, split_paths

    files = zip(split_paths(entry, split), split_files(entry, split), strict=True)
    for path in (path for path, file in files if not is_published(path, file)):
        typer.echo(
            f"warning: {path} is not the published {split} split (sha256 differs): these scores do "
            "not compare with published ones "
            f"(bluered corpora stats {entry.name} says what differs)",
            err=True,
        )


def _score_file(golds: "Sequence[Document]", path: Path, *, align: Align) -> "Scores":
    from bluered.tasks.biored import correct
    from bluered.tasks.biored.align import align_all

    predicted = read(path)
    check_pairs(golds, predicted, source=str(path))
    if align == "mentions":
        predicted = align_all(golds, predicted)
    return correct.score(golds, predicted)


def _name_and_hash(path: Path | None) -> tuple[str, str]:
    from bluered.inference.bundle import load_bundle

    bundle = load_bundle(path)
    return bundle.name, bundle.sha256[:12]


def _score_model(
    golds: "Sequence[Document]", path: Path | None, *, end_to_end: bool, align: Align
) -> "Scores":
    from bluered.pipeline.load import load
    from bluered.tasks.biored.evaluate import evaluate

    def failed(document: "Document", error: Exception) -> None:
        typer.echo(f"document {document.id} failed and counts as empty: {error}", err=True)

    return evaluate(golds, load(path), end_to_end=end_to_end, align=align, on_error=failed)


@contextmanager
def _target(path: Path | None) -> "Iterator[BinaryIO | None]":
    """Give the stream of the output file, which appears when all is done; None for no path."""
    from bluered.formats.streams import replacing

    if path is None:
        yield None
        return
    with replacing(path) as stream:
        yield stream
