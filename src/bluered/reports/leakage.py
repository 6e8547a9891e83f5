"""What a model has seen of the test split, in words: the warnings of `bluered bench`."""

from collections.abc import Iterable, Sequence
from typing import Any

from bluered.corpora.leakage import Leak, whole
from bluered.metrics.counts import total
from bluered.metrics.significance import f1_interval
from bluered.reports.figures import percent
from bluered.reports.published import TableName
from bluered.reports.scores import COLUMNS, HEADINGS, counts_json
from bluered.reports.tables import Table
from bluered.tasks.scores import Path, Scores


def seen_text(leaks: Sequence[Leak], *, units: int, of: int) -> str:
    """Return what of a test was seen, "" if nothing was.

    `units` is how many of the test's documents (or pairs) were seen, all parts together.
    """
    seen = [leak for leak in leaks if leak.texts]
    if not seen:
        return ""
    parts = ", ".join(f"{leak.trained_on} ({len(leak.texts)})" for leak in seen)
    unknown = unknown_parts(leaks)
    least, rest = ("at least ", f"; not known: {', '.join(unknown)}") if unknown else ("", "")
    return f"{least}{units} of {of} stand in what the model was trained on: {parts}{rest}"


def nothing_text(leaks: Sequence[Leak]) -> str:
    """Return that nothing that was trained on stands in the test, as far as that is known."""
    known = ", ".join(whole(leak.trained_on) for leak in leaks if leak.source != "nothing")
    unknown = ", ".join(unknown_parts(leaks))
    shared = f"nothing shared with {known}, which the model was trained on" if known else ""
    if any(leak.source == "dropped" for leak in leaks):
        shared += " without what stands in this test"
    rest = f"not known whether texts of it stand in {unknown}" if unknown else ""
    return "; ".join(text for text in (shared, rest) if text)


def seen_code(leaks: Sequence[Leak], *, units: int, of: int) -> str:
    """Return the same for a signature: how many were seen, "21+" where that is the least."""
    return f"{units}{'+' if unknown_parts(leaks) else ''}/{of}"


def unknown_parts(leaks: Iterable[Leak]) -> list[str]:
    """Return what was trained on and could not be compared with the test."""
    return list(dict.fromkeys(leak.trained_on for leak in leaks if leak.source == "nothing"))


def unknown_text(leaks: Iterable[Leak]) -> str:
    """Return what could not be compared with the test, "" if all was."""
    names = unknown_parts(leaks)
    if not names:
        return ""
    return (
        f"the model was trained on {', '.join(names)}, which is neither on this machine nor in the "
        "table that comes with BlueRED: test documents in it are not known"
    )


def leaks_json(leaks: Iterable[Leak]) -> list[dict[str, Any]]:
    """Return what each part that was trained on shares with the test; None where not known."""
    return [
        {
            "trained_on": leak.trained_on,
            "shared": None if leak.source == "nothing" else len(leak.texts),
            "texts": list(leak.texts),
            "known_from": leak.source,
        }
        for leak in leaks
    ]


def rest_table(whole: Scores, rest: Scores, *, leaks: Sequence[Leak]) -> Table:
    """Return BioRED's main figures on all documents and on those that were not seen."""
    rows = []
    for path in _main(whole):
        counts, interval = total(rest.counts[path]), f1_interval(rest.counts[path])
        bounds = f"[{percent(interval.low)}, {percent(interval.high)}]"
        name = f"{HEADINGS[_table(path)]}: {COLUMNS.get(path[-1], path[-1])}"
        rows.append([name, percent(whole.total(*path).f1), percent(counts.f1), bounds])
    seen = len(whole.documents) - len(rest.documents)
    return Table(
        f"F1 without the {seen} documents that the model was trained on",
        ["", f"all {len(whole.documents)}", f"other {len(rest.documents)}", "95% interval"],
        rows,
        notes=(seen_text(leaks, units=seen, of=len(whole.documents)),),
    )


def rest_json(rest: Scores) -> dict[str, Any]:
    """Return the same for programs, by the names of measures joined with a stop."""
    return {
        ".".join(path): counts_json(total(rest.counts[path]), f1_interval(rest.counts[path]))
        for path in _main(rest)
    }


def _main(scores: Scores) -> list[Path]:
    """Return the measures over all types: mentions and ids overall, pair, type, novelty and all."""
    return [
        path
        for path in scores.counts
        if len(path) == 2 and path[0] in HEADINGS and path[1] in ("overall", *COLUMNS)
    ]


def _table(path: Path) -> TableName:
    return next(name for name in HEADINGS if name == path[0])
