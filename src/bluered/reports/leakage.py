"""What a model has seen of the test split, in words: the warnings of `bluered bench`."""

from collections.abc import Iterable
from typing import Any

from bluered.corpora.leakage import Leak
from bluered.metrics.counts import total
from bluered.metrics.significance import f1_interval
from bluered.reports.published import TableName
from bluered.reports.scores import COLUMNS, HEADINGS, counts_json, percent
from bluered.reports.tables import Table
from bluered.tasks.scores import Path, Scores


def seen_text(leaks: Iterable[Leak], *, units: int, of: int) -> str:
    """Return what of a test was seen, "" if nothing was.

    `units` is how many of the test's documents (or pairs) were seen, all parts together.
    """
    seen = [leak for leak in leaks if leak.texts]
    if not seen:
        return ""
    parts = ", ".join(f"{leak.trained_on} ({len(leak.texts)})" for leak in seen)
    return f"{units} of {of} stand in what the model was trained on: {parts}"


def unknown_text(leaks: Iterable[Leak]) -> str:
    """Return what could not be compared with the test, "" if all was."""
    names = dict.fromkeys(leak.trained_on for leak in leaks if leak.source == "nothing")
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


def rest_table(whole: Scores, rest: Scores) -> Table:
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
    )


def rest_json(rest: Scores) -> dict[str, Any]:
    """Return the same for programs, by the names of measures joined with a stop."""
    return {
        ".".join(path): counts_json(total(rest.counts[path]), f1_interval(rest.counts[path]))
        for path in _main(rest)
    }


def _main(scores: Scores) -> list[Path]:
    """Return the measures over all types: mentions overall, pair, type, novelty and all."""
    return [path for path in scores.counts if len(path) == 2 and path[1] in ("overall", *COLUMNS)]


def _table(path: Path) -> TableName:
    return next(name for name in HEADINGS if name == path[0])
