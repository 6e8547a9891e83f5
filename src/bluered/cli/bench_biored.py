"""`bluered bench biored`: the paper's tables, of a model or of any system's predictions."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from bluered.cli.score import Align
from bluered.cli.score_biored import check_pairs, read, sign

if TYPE_CHECKING:
    from bluered.corpora.entry import Corpus
    from bluered.corpora.leakage import Leak
    from bluered.documents.document import Document
    from bluered.reports.tables import Table
    from bluered.tasks.scores import Scores


def run(
    split: str,
    *,
    model: Path | None,
    predictions: Path | None,
    end_to_end: bool | None,
    align: Align,
    trained_on: Sequence[str],
    called: str | None = None,
) -> "tuple[dict[str, Any], list[Table], Scores, str, str]":
    """Return the result for programs, the tables, the scores, their signature and a picture.

    `end_to_end` None scores what a model finds from text without saying which step loses what; the
    picture is "" then.
    """
    from msgspec.structs import replace

    from bluered.reports import leakage, waterfall
    from bluered.reports import scores as report

    golds = gold_documents("biored", split)
    if predictions is not None:
        system, digest = predictions.name, None
        scores = _score_file(golds, predictions, from_text=bool(end_to_end), align=align)
    else:
        system, digest, said = _name_and_hash(model)
        trained_on = (*said, *trained_on)
        scores = _score_model(golds, model, end_to_end=end_to_end, align=align)
    system = called or system
    found = report.intervals(scores)
    leaks = _leaks(split, trained_on, len(golds))
    signed = sign(
        scores,
        golds,
        interval=True,
        split=split,
        system=system,
        model=digest,
        align=align,
        seen=leakage.seen_code(leaks, units=_units(leaks), of=len(golds)) if leaks else None,
    )
    result = {"system": system, "split": split} | report.to_json(
        scores, signature=signed, intervals=found
    )
    tables = list(report.tables(scores, intervals=found, system=system))
    picture = ""
    if losses := waterfall.losses(scores):
        result["losses"] = waterfall.losses_json(losses)
        tables += waterfall.tables(scores, losses, intervals=found)
        picture = waterfall.svg(losses, system=system, split=split, signature=signed)
    result["published"] = report.published_json()
    if leaks:
        result["seen_in_training"], rest = _without(scores, leaks)
        tables = [*rest, *tables]
        if not rest:  # nothing was seen, or all
            tables[0] = replace(tables[0], notes=(*tables[0].notes, _said(leaks, len(golds))))
    return result, tables, scores, signed, picture


def _units(leaks: "Sequence[Leak]") -> int:
    return len({text for leak in leaks for text in leak.texts})


def _said(leaks: "Sequence[Leak]", of: int) -> str:
    """Return what of the test was seen, or that nothing was."""
    from bluered.reports.leakage import nothing_text, seen_text

    return seen_text(leaks, units=_units(leaks), of=of) or nothing_text(leaks)


def _leaks(split: str, trained_on: Sequence[str], of: int) -> "list[Leak]":
    """Return what the model has seen of the test documents, and warn of it."""
    from bluered.corpora.catalog import corpus
    from bluered.corpora.leakage import leaks
    from bluered.reports.leakage import seen_text, unknown_text

    found = leaks(corpus("biored"), split, trained_on) if trained_on else []
    seen = seen_text(found, units=_units(found), of=of)
    for text in (seen and f"biored:{split}: {seen}", unknown_text(found)):
        if text:
            typer.echo(f"warning: {text}", err=True)
    return found


def _without(scores: "Scores", leaks: "Sequence[Leak]") -> "tuple[dict[str, Any], list[Table]]":
    """Return the scores without the documents that were seen, for programs and as a table."""
    from bluered.reports import leakage

    seen = {text for leak in leaks for text in leak.texts}
    rest = scores.without(seen)
    report = {"documents": len(seen), "parts": leakage.leaks_json(leaks)}
    if not seen or not rest.documents:
        return report, []
    report["scores_without"] = leakage.rest_json(rest)
    return report, [leakage.rest_table(scores, rest, leaks=leaks)]


def gold_documents(task: str, split: str) -> "list[Document]":
    """Return the documents of a split, fetched first if they are not on this machine."""
    from bluered.corpora import documents
    from bluered.corpora.catalog import corpus
    from bluered.corpora.fetch import fetch
    from bluered.corpora.locate import missing

    if missing(corpus(task)):
        typer.echo(f"fetching {task} ...", err=True)
        fetch(corpus(task))
    warn_of_changes(corpus(task), split)
    return list(documents(task, split))


def warn_of_changes(entry: "Corpus", split: str) -> None:
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


def _score_file(
    golds: "Sequence[Document]", path: Path, *, from_text: bool, align: Align
) -> "Scores":
    from bluered.tasks.biored.evaluate import score_predictions

    predicted = read(path)
    check_pairs(golds, predicted, source=str(path))
    return score_predictions(golds, predicted, align=align, from_text=from_text)


def _name_and_hash(path: Path | None) -> tuple[str, str, tuple[str, ...]]:
    """Return the name of a model, the start of its hash, and what its card says it has seen."""
    from bluered.inference.bundle import load_bundle

    bundle = load_bundle(path)
    return bundle.name, bundle.sha256[:12], bundle.settings.trained_on


def _score_model(
    golds: "Sequence[Document]", path: Path | None, *, end_to_end: bool | None, align: Align
) -> "Scores":
    from bluered.pipeline.load import load
    from bluered.tasks.biored.evaluate import evaluate

    def failed(document: "Document", error: Exception) -> None:
        typer.echo(f"document {document.id} failed and counts as empty: {error}", err=True)

    return evaluate(
        golds,
        load(path),
        end_to_end=end_to_end is not False,
        stages=bool(end_to_end),
        align=align,
        on_error=failed,
    )
