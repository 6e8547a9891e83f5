"""`bluered score biored`: mentions and relations, by our rule or an original evaluator's."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from bluered.cli.score import Align

if TYPE_CHECKING:
    from bluered.documents.document import Document
    from bluered.reports.tables import Table
    from bluered.tasks.biored.scorers import ScorerName
    from bluered.tasks.scores import Scores


def run(
    gold: Path | None,
    pred: Path,
    *,
    against: Path | None,
    split: str,
    scorer: "ScorerName",
    align: Align,
    interval: bool,
    quirks: bool,
    keep_going: bool,
) -> "tuple[dict[str, Any], list[Table], Scores, str]":
    """Return the result for programs, the tables, the scores and their signature."""
    from bluered.corpora import documents
    from bluered.formats.streams import source_name
    from bluered.reports import comparisons as compared
    from bluered.reports import scores as report
    from bluered.tasks.biored.comparison import comparisons
    from bluered.tasks.biored.evaluate import brought
    from bluered.tasks.biored.scorers import SCORERS

    chosen = SCORERS[scorer]
    golds = list(documents("biored", split)) if gold is None else read(gold)
    predictions, scores = _scored(golds, pred, scorer=scorer, align=align, keep_going=keep_going)
    found = report.intervals(scores) if interval else None
    signed = sign(scores, golds, align=align, interval=interval, split=None if gold else split)
    result = report.to_json(scores, signature=signed, intervals=found)
    tables = list(report.tables(scores, intervals=found))
    if quirks and chosen.moves is not None:
        steps = chosen.moves(golds, brought(golds, predictions, align=align))
        result["quirks"] = report.quirks_json(steps)
        tables.append(report.quirk_table(steps))
    if against is not None:
        _, other = _scored(golds, against, scorer=scorer, align=align, keep_going=keep_going)
        both = comparisons(scores, other)
        result["against"] = compared.measures_json(both)
        names = source_name(pred), source_name(against)
        tables.append(compared.measures_table(both, names=names))
    return result, tables, scores, signed


def _scored(
    golds: "Sequence[Document]",
    pred: Path,
    *,
    scorer: "ScorerName",
    align: Align,
    keep_going: bool,
) -> "tuple[list[Document], Scores]":
    """Return the predictions of a file and their scores, with warnings of what is odd."""
    from bluered.formats.streams import source_name
    from bluered.tasks.biored.evaluate import brought, score_predictions
    from bluered.tasks.biored.scorers import SCORERS

    predictions = read(pred, keep_going=keep_going)
    check_pairs(golds, predictions, source=source_name(pred), keep_going=keep_going)
    if align == "ids" and _only_local(predictions):
        _warn(
            "the predicted relations are between local ids, which equal no gold id: "
            "--align mentions brings them to the gold ids of their mentions"
        )
    if scorer == "correct":
        return predictions, score_predictions(golds, predictions, align=align)
    near = brought(golds, predictions, align=align)
    return predictions, SCORERS[scorer].score(golds, near)


def read(path: Path, *, keep_going: bool = False) -> "list[Document]":
    """Return the documents of a file; with `keep_going` bad ones are named on stderr instead."""
    from bluered.errors import FormatError
    from bluered.formats.files import read_file, unique_ids
    from bluered.formats.streams import source_name
    from bluered.tasks.checks import check_offsets

    faults: list[FormatError] = []
    documents: list[Document] = []
    on_error = faults.append if keep_going else None
    found = read_file(path, check=False, on_error=on_error)
    if keep_going:  # without it pairing refuses documents of one id
        found = unique_ids(found, source=source_name(path), on_error=on_error)
    for document in found:
        try:
            check_offsets(document, source=source_name(path))
        except FormatError as fault:
            if not keep_going:
                raise
            faults.append(fault)
        else:
            documents.append(document)
    for fault in faults:
        typer.echo(f"skipped: {fault}", err=True)
    if faults:
        typer.echo(f"documents skipped: {len(faults)}", err=True)
    return documents


def check_pairs(
    golds: "Sequence[Document]",
    predictions: "Sequence[Document]",
    *,
    source: str,
    keep_going: bool = False,
) -> None:
    """Refuse relations between ids that nobody mentions; warn of other texts and lost documents."""
    from bluered.errors import FormatError
    from bluered.tasks.checks import unknown_ends
    from bluered.tasks.scores import different_texts, pair_documents

    pairs = pair_documents(golds, predictions)
    unknown = [(pair.id, end) for pair in pairs for end in unknown_ends(pair)]
    if unknown and not keep_going:
        document, end = unknown[0]
        raise FormatError(
            f"a relation names the concept {end!r}, which no mention has (--keep-going counts such "
            "relations as false)",
            source=source,
            document=document,
        )
    if unknown:
        _warn(f"{len(unknown)} relation ends are ids that no mention has: counted as false")
    different = different_texts(pairs)
    if different:
        _warn(
            f"{len(different)} documents have another text than in the gold ({_some(different)}); "
            "their mentions are compared by offset all the same"
        )
    missing = [pair.id for pair in pairs if pair.predicted is None]
    if missing:
        _warn(f"{len(missing)} gold documents are missing in the prediction ({_some(missing)})")
    extra = [pair.id for pair in pairs if pair.gold is None]
    if extra:
        _warn(f"{len(extra)} predicted documents are not in the gold ({_some(extra)})")


def _only_local(predictions: "Sequence[Document]") -> bool:
    """Tell whether there are relations, and none of them names an id that is not local."""
    from bluered.documents.concepts import is_local

    ends = [end for p in predictions for r in p.relations for end in (r.head, r.tail)]
    return bool(ends) and all(map(is_local, ends))


def _warn(text: str) -> None:
    typer.echo(f"warning: {text}", err=True)


def _some(names: "Sequence[str]") -> str:
    return ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")


def sign(
    scores: "Scores",
    golds: "Sequence[Document]",
    *,
    interval: bool,
    **fields: str | int | None,
) -> str:
    """Return the signature of scores: what was counted, how, against which gold."""
    from bluered import __version__
    from bluered.metrics.signature import gold_hash, signature
    from bluered.metrics.significance import RESAMPLES, SEED

    bootstrap = f"documents,BCa,n={RESAMPLES},seed={SEED}" if interval else None
    return signature(
        {
            "task": scores.task,
            "scorer": scores.scorer,
            **fields,
            "docs": len(golds),
            "gold": gold_hash(golds),
            "bootstrap": bootstrap,
            "version": __version__,
        }
    )
