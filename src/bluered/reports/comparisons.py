"""Two systems on one task as JSON and as a table: what `bluered score TASK --against` adds."""

from collections.abc import Mapping
from typing import Any

from bluered.metrics.significance import RESAMPLES, SEED
from bluered.reports.tables import Table
from bluered.reports.task_scores import percent
from bluered.tasks.comparison import Comparison, too_few
from bluered.tasks.results import counted
from bluered.tasks.scores import Path


def to_json(found: Comparison, *, kind: str) -> dict[str, Any]:
    """Return a comparison as plain values; `too_few` says why it tells nothing, or is null."""
    return {
        "score": found.against,
        "difference": found.difference,
        "interval": [found.interval.low, found.interval.high],
        "p_value": found.p_value,
        "units": found.units,
        "differing": found.differing,
        "too_few": too_few(found, kind=kind),
        "notes": found.notes,
        "resamples": RESAMPLES,
        "seed": SEED,
    }


def table(found: Comparison, *, names: tuple[str, str], metric: str, kind: str) -> Table:
    """Return the two scores and their difference; `names` are what the two systems are called."""
    low, high = (f"{100 * bound:+.1f}" for bound in (found.interval.low, found.interval.high))
    few = too_few(found, kind=kind)
    return Table(
        f"{names[0]} against {names[1]}",
        ["", metric, "95% interval", "p"],
        [
            [names[0], percent(found.score), "", ""],
            [names[1], percent(found.against), "", ""],
            [
                "difference",
                f"{100 * found.difference:+.1f}",
                f"[{low}, {high}]",
                _p_value(found.p_value),
            ],
        ],
        notes=(
            *([few] if few else []),
            *(f"{names[1]}: {note}: {number}" for note, number in found.notes.items()),
            "paired bootstrap and approximate randomization over "
            f"{counted(found.units, kind=kind)}, {found.differing} of which differ; "
            f"n={RESAMPLES}, seed={SEED}",
        ),
    )


def measures_json(found: Mapping[Path, Comparison]) -> dict[str, Any]:
    """Return BioRED's comparisons as nested dictionaries, each measure at its path."""
    result: dict[str, Any] = {}
    for path, one in found.items():
        place = result
        for name in path[:-1]:
            place = place.setdefault(name, {})
        place[path[-1]] = to_json(one, kind=_KIND)
    return result


def measures_table(found: Mapping[Path, Comparison], *, names: tuple[str, str]) -> Table:
    """Return a row for each measure of BioRED: both F1, their difference, interval and p-value."""
    rows = [
        [
            " ".join(path),
            percent(one.score),
            percent(one.against),
            f"{100 * one.difference:+.1f}",
            f"[{100 * one.interval.low:+.1f}, {100 * one.interval.high:+.1f}]",
            _p_value(one.p_value),
        ]
        for path, one in found.items()
    ]
    few = [(path, too_few(one, kind=_KIND)) for path, one in found.items()]
    units = max((one.units for one in found.values()), default=0)
    return Table(
        f"{names[0]} against {names[1]}",
        ["F1", "predicted", "against", "difference", "95% interval", "p"],
        rows,
        notes=(
            *(f"{' '.join(path)}: {text}" for path, text in few if text),
            f"paired bootstrap and approximate randomization over {counted(units, kind=_KIND)}; "
            f"n={RESAMPLES}, seed={SEED}",
        ),
    )


_KIND = "relations"  # BioRED's units are documents


def _p_value(value: float) -> str:
    """Return a p-value with three decimals; below that the least that can be printed."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
