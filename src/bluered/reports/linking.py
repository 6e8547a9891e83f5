"""The ids of gold mentions as a table: accuracy of all, of the answered, of the known ones."""

from collections.abc import Mapping

from bluered.metrics.counts import Counts
from bluered.metrics.significance import Interval
from bluered.reports.figures import bracketed, percent
from bluered.reports.tables import Table
from bluered.tasks.scores import Path, Scores

ROOT = "linking"


def linking_table(scores: Scores, found: Mapping[Path, Interval], *, title: str) -> Table:
    """Return accuracies by type; the columns on known ids only where a terminology was asked."""
    known = any(path[:2] == (ROOT, "known") for path in scores.counts)
    paths = [
        path for path in scores.counts if path[0] == ROOT and path[1] in ("overall", "by_type")
    ]
    heads = ["type", "gold", "answered", "right", "accuracy"]
    heads += ["95% interval"] * bool(found) + ["of answered"]
    heads += ["gold in terminology", "accuracy of these"] * known
    rows = [_row(scores, path, found, known=known) for path in paths]
    return Table(title, heads, rows)


def _row(scores: Scores, path: Path, found: Mapping[Path, Interval], *, known: bool) -> list[str]:
    counts, answered = scores.total(*path), _among("answered", scores, path)
    cells = [path[-1], str(_asked(counts)), str(_asked(answered)), str(counts.tp)]
    cells.append(percent(counts.f1))
    if found:
        cells.append(bracketed(found.get(path)).strip())
    cells.append(_accuracy(answered))
    if known:
        held = _among("known", scores, path)
        cells += [str(_asked(held)), _accuracy(held)]
    return cells


def _among(group: str, scores: Scores, path: Path) -> Counts:
    """Return the counts of a type among some of the mentions; none where there are none."""
    place = (ROOT, group, *path[1:])
    return scores.total(*place) if place in scores.counts else Counts()


def _asked(counts: Counts) -> int:
    return counts.tp + counts.fn


def _accuracy(counts: Counts) -> str:
    return percent(counts.f1) if _asked(counts) else "-"
