"""What a cell of a matrix is trained from: its recipe as it is run, and those it stands on.

FOLDER/ROW/SEED/NAME.toml     the recipe with the row's encoder and values, and the seed
FOLDER/ROW/SEED/NAME/         its run
FOLDER/shared/NAME/           what has no task (pre-training): trained once, linked into each SEED
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from bluered.errors import ModelError
from bluered.training.config import keys_of, read_content
from bluered.training.matrix import ALL, Asked, merged, slug

SHARED = "shared"

_NO_RUNS = ("model", "task", "train", "dev")
"""Keys of a recipe whose value names no run, though a file beside it may be called like that."""


class Stage(Struct, frozen=True):
    """A recipe as it is trained: into `runs`, as `name`."""

    name: str
    runs: Path
    content: dict[str, Any]

    @property
    def path(self) -> Path:
        """Where the recipe is written."""
        return self.runs / f"{self.name}.toml"


class Plan(Struct, frozen=True):
    """What there is to do for a cell; the last of the `stages` is its own recipe.

    `encoders` are those that must be there before, `digest` is of all that the stages say.
    """

    row: str
    name: str
    seed: int
    task: str
    encoder: str
    stages: tuple[Stage, ...]
    encoders: tuple[str, ...]
    digest: str

    @property
    def folder(self) -> Path:
        """The folder of the row and the seed."""
        return self.stages[-1].runs

    @property
    def title(self) -> str:
        """What messages call the cell."""
        return f"{self.row}, {self.name}, seed {self.seed}"


def has_seed(recipe: Path) -> bool:
    """Tell whether a recipe comes out otherwise with another seed; ModelError if it is none."""
    return "seed" in keys_of(read_content(recipe))


def plan(asked: Asked, folder: Path) -> Plan:
    """Return what a cell is made from, or raise ModelError for a recipe that cannot be read."""
    runs = folder / slug(asked.row.name) / str(asked.seed)
    stages = tuple(_stages(asked, asked.recipe, runs=runs, shared=folder / SHARED, above=()))
    own = stages[-1].content
    if "task" not in own:
        raise ModelError(f"{asked.recipe} has no task that could be scored: it is pre-training")
    names = {stage.name for stage in stages}
    encoders = [str(stage.content.get("encoder", "")) for stage in stages]
    said = json.dumps([stage.content for stage in stages], sort_keys=True)
    return Plan(
        row=asked.row.name,
        name=asked.name,
        seed=asked.seed,
        task=str(own["task"]),
        encoder=str(own.get("encoder", "")),
        stages=stages,
        encoders=tuple(dict.fromkeys(e for e in encoders if e and e not in names)),
        digest=hashlib.sha256(said.encode()).hexdigest()[:12],
    )


def _stages(
    asked: Asked, path: Path, *, runs: Path, shared: Path, above: tuple[Path, ...]
) -> Iterator[Stage]:
    """Yield the recipes that one names by their files beside it, each before it, then itself."""
    if path in above:
        raise ModelError(f"{path} names itself: {' -> '.join(p.stem for p in (*above, path))}")
    content = read_content(path)
    if "stages" in content:
        raise ModelError(f"{path} is a recipe of stages: expected one of a single model")
    common = "task" not in content
    changed = content if common else _changed(asked, path.stem, content)
    seen: set[str] = set()
    for before in _named(changed, path):
        for stage in _stages(asked, before, runs=runs, shared=shared, above=(*above, path)):
            if stage.name not in seen:
                seen.add(stage.name)
                yield stage
    yield Stage(path.stem, shared if common else runs, changed)


def _named(content: Mapping[str, Any], path: Path) -> Iterator[Path]:
    """Yield the recipes that a recipe names as what it starts from, its encoder, its words ...

    Its own name is none of them: that of ELMo also says what kind of encoder is made.
    """
    for key, value in content.items():
        if key in _NO_RUNS or not isinstance(value, str) or not value or Path(value).name != value:
            continue
        before = path.with_name(f"{value}.toml")
        if before != path and before.is_file():
            yield before


def _changed(asked: Asked, name: str, content: dict[str, Any]) -> dict[str, Any]:
    """Return a recipe with what its row says: values, the encoder, and the seed."""
    taken = keys_of(content)
    values = asked.values.get(name, asked.values[ALL])
    changed = merged(content, values)
    if asked.row.encoder and "encoder" in taken and "encoder" not in values:
        changed["encoder"] = asked.row.encoder
    if "seed" in taken and "seed" not in values:
        changed["seed"] = asked.seed
    return changed


def write_recipes(plan: Plan) -> None:
    """Write the recipes of a plan where they are run from, and link what all cells share."""
    for stage in plan.stages:
        stage.runs.mkdir(parents=True, exist_ok=True)
        stage.path.write_text(as_toml(stage.content), encoding="utf-8")
        link = plan.folder / stage.name
        if stage.runs != plan.folder and not link.exists():
            made = stage.runs / stage.name
            made.mkdir(exist_ok=True)
            plan.folder.mkdir(parents=True, exist_ok=True)
            link.symlink_to(made.resolve(), target_is_directory=True)


def as_toml(content: Mapping[str, Any]) -> str:
    """Return a recipe as TOML: strings, numbers, lists of them, and tables of one level."""
    tables = {key: value for key, value in content.items() if isinstance(value, Mapping)}
    lines = [f"{key} = {_value(content[key])}" for key in content if key not in tables]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(f"{key} = {_value(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    """Return a value as TOML writes it, which is as JSON does."""
    if isinstance(value, Mapping):
        raise ModelError("a recipe has no tables within tables")
    return msgspec.json.encode(value).decode()
