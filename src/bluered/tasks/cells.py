"""A cell of a table of systems by tasks: one trained model's scores, time and memory, as JSON."""

from collections.abc import Iterable
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import msgspec
from msgspec import Struct

from bluered.errors import BlueredError
from bluered.formats.streams import replacing
from bluered.metrics.significance import Interval

NER = "mentions"
RELATIONS = ("pair", "type", "novelty", "all")
"""The figures of a BioRED cell: mentions of a tagger, or relations on gold entities."""


class Figure(Struct, frozen=True, kw_only=True):
    """A score between 0 and 1, None where it does not exist; `details` are what is behind it."""

    score: float | None
    interval: Interval | None = None
    details: dict[str, Any] = {}


class Cell(Struct, frozen=True, kw_only=True):
    """What one run reached on a split.

    `figures` are by the task's metric; on BioRED by what is measured. `units` is how many documents
    or pairs they are over, `left_out` why they compare with no published figure, `seen` how many
    units were trained on. Seconds are of training (with the runs that it stands on, without what
    all cells share) and of answering one document or pair, once the model is loaded; `memory` is
    the most that the process of training and that of answering held, in bytes, None where not
    known. `answers` is the file of the answers, beside the cell's own; `digest` tells recipes
    apart.
    """

    row: str
    recipe: str
    seed: int
    task: str
    split: str
    encoder: str
    model: str
    metric: str
    figures: dict[str, Figure]
    units: int
    gold: str
    differs: tuple[str, ...] = ()
    left_out: str = ""
    seen: int = 0
    notes: dict[str, int] = {}
    train_seconds: float
    shared_seconds: dict[str, float] = {}
    answer_seconds: float
    train_memory: int | None
    answer_memory: int | None
    answers: str
    digest: str

    @property
    def score(self) -> float | None:
        """The figure that the cell is known by."""
        return self.figures[self.metric].score


class Gap(Struct, frozen=True, kw_only=True):
    """A cell that has no figures, and the reason in one line."""

    row: str
    recipe: str
    seed: int
    task: str
    reason: str


class Spread(Struct, frozen=True):
    """The mean over seeds and the standard deviation, None for a single one."""

    mean: float
    deviation: float | None
    seeds: int


def spread(values: Iterable[float | None]) -> Spread | None:
    """Return mean and sample standard deviation of the values that exist, None for none."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    return Spread(mean(known), stdev(known) if len(known) > 1 else None, len(known))


def read_cell(path: Path) -> Cell | None:
    """Return the cell of a file, None where there is no file."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Cell)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError as error:
        raise BlueredError(f"{path} is no cell of a table: {error}: remove it") from None


def write_cell(cell: Cell, path: Path) -> None:
    """Write a cell; the file appears when it is whole."""
    with replacing(path) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(cell)) + b"\n")
