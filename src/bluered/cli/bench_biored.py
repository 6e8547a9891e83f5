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
    from bluered.reports.calibration import Reliability
    from bluered.reports.tables import Table
    from bluered.tasks.scores import Scores

    Scored = tuple[Scores, Sequence[Document], Sequence[Document]]
    """The scores of documents with predicted mentions, and of others with predicted relations."""


def run(
    split: str,
    *,
    model: Path | None,
    predictions: Path | None,
    end_to_end: bool | None,
    align: Align,
    trained_on: Sequence[str],
    called: str | None = None,
    calibration: bool = False,
    errors: bool = False,
) -> "tuple[dict[str, Any], list[Table], Scores, str, dict[str, str]]":
    """Return the result for programs, the tables, the scores, their signature and pictures.

    `end_to_end` None scores what a model finds from text without saying which step loses what. The
    pictures are those of "waterfall" and "calibration", where these are known.
    """
    from msgspec.structs import replace

    from bluered.reports import leakage, waterfall
    from bluered.reports import scores as report

    golds = gold_documents("biored", split)
    if predictions is not None:
        system, digest = predictions.name, None
        scores, tagged, related = _score_file(
            golds, predictions, from_text=bool(end_to_end), align=align
        )
    else:
        system, digest, said = _name_and_hash(model)
        trained_on = (*said, *trained_on)
        scores, tagged, related = _score_model(golds, model, end_to_end=end_to_end, align=align)
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
    pictures: dict[str, str] = {}
    if losses := waterfall.losses(scores):
        result["losses"] = waterfall.losses_json(losses)
        tables += waterfall.tables(scores, losses, intervals=found)
        pictures["waterfall"] = waterfall.svg(losses, system=system, split=split, signature=signed)
    if calibration:
        from bluered.reports import calibration as reliability

        bins = _reliabilities(golds, tagged, related)
        result["calibration"] = reliability.to_json(bins)
        tables += reliability.tables(bins)
        pictures["calibration"] = reliability.svg(
            bins, system=system, split=split, signature=signed
        )
    if errors:
        result["errors"], more = _errors(golds, tagged, related)
        tables += more
    result["published"] = report.published_json()
    if leaks:
        result["seen_in_training"], rest = _without(scores, leaks)
        tables = [*rest, *tables]
        if not rest:  # nothing was seen, or all
            tables[0] = replace(tables[0], notes=(*tables[0].notes, _said(leaks, len(golds))))
    return result, tables, scores, signed, pictures


def _reliabilities(
    golds: "Sequence[Document]", tagged: "Sequence[Document]", related: "Sequence[Document]"
) -> "tuple[Reliability, ...]":
    """Return the bins of confidences, and warn where there are none."""
    from bluered.reports.calibration import NONE, reliabilities
    from bluered.tasks.biored.calibration import answers, have_confidences

    found = answers(golds, tagged=tagged, related=related)
    if not have_confidences(found):
        typer.echo(f"warning: {NONE}", err=True)
    return reliabilities(found)


def _errors(
    golds: "Sequence[Document]", tagged: "Sequence[Document]", related: "Sequence[Document]"
) -> "tuple[dict[str, Any], list[Table]]":
    """Return which mentions and relations are wrong, for programs and as tables."""
    from bluered.corpora import documents
    from bluered.reports import errors
    from bluered.tasks.biored.mention_errors import mention_errors, names_of
    from bluered.tasks.biored.relation_errors import relation_errors

    names = names_of(documents("biored", "train"))
    mentions = mention_errors(golds, tagged, names=names)
    relations = relation_errors(golds, related)
    return errors.to_json(mentions, relations), list(errors.tables(mentions, relations))


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
) -> "Scored":
    from bluered.tasks.biored.evaluate import brought, score_predictions

    predicted = read(path)
    check_pairs(golds, predicted, source=str(path))
    scores = score_predictions(golds, predicted, align=align, from_text=from_text)
    return scores, predicted, brought(golds, predicted, align=align)


def _name_and_hash(path: Path | None) -> tuple[str, str, tuple[str, ...]]:
    """Return the name of a model, the start of its hash, and what its card says it has seen."""
    from bluered.inference.bundle import load_bundle

    bundle = load_bundle(path)
    return bundle.name, bundle.sha256[:12], bundle.settings.trained_on


def _score_model(
    golds: "Sequence[Document]", path: Path | None, *, end_to_end: bool | None, align: Align
) -> "Scored":
    from bluered.pipeline.load import load
    from bluered.tasks.biored.evaluate import find, score_found

    def failed(document: "Document", error: Exception) -> None:
        typer.echo(f"document {document.id} failed and counts as empty: {error}", err=True)

    model = load(path)
    found = find(
        golds,
        model,
        end_to_end=end_to_end is not False,
        stages=bool(end_to_end),
        on_error=failed,
    )
    return score_found(golds, found, model, align=align), found.tagged, found.related
