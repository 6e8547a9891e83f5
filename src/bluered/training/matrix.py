"""A matrix of recipes: systems by tasks, one TOML file, as the papers' tables of baselines have it.

Rows are systems: an encoder, and the recipes that are trained on it. What a row says else than its
recipes (published learning rates, more epochs) is merged into them key by key.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from os.path import normpath
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, structs

from bluered.errors import ModelError, unknown_name

Values = dict[str, Any]
"""Keys of a recipe, `optimisation` with some of its own, that take the place of the recipe's."""

SEEDS = (13, 14, 15)

ALL = "*"
"""In settings, what is for all recipes; a recipe's own come before it."""


class Row(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A system.

    `encoder` takes the place of its recipes' encoder ("": theirs stays). `recipes` and `seeds` are
    the matrix's where left out. `settings` names values for each recipe that several rows share,
    `values` are for all of its recipes, `each` for single ones; the latter win. `published` is what
    published tables call the system, if that is not its name.
    """

    name: Annotated[str, Meta(min_length=1)]
    encoder: str = ""
    recipes: tuple[str, ...] = ()
    seeds: tuple[int, ...] = ()
    settings: str = ""
    values: Values = {}
    each: dict[str, Values] = {}
    published: str = ""


class Matrix(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rows and the recipes of their columns, by their paths from the matrix's own file.

    `settings` are named sets of values: of each, by the stem of a recipe's file, what it changes,
    and by `*` what it changes of all.
    """

    title: str
    rows: tuple[Row, ...]
    recipes: tuple[str, ...] = ()
    seeds: Annotated[tuple[int, ...], Meta(min_length=1)] = SEEDS
    settings: dict[str, dict[str, Values]] = {}


class Asked(Struct, frozen=True):
    """A cell of the matrix for one seed: the recipe's file and the values that change it."""

    row: Row
    recipe: Path
    seed: int
    values: Mapping[str, Values]

    @property
    def name(self) -> str:
        """What the recipe is called: the stem of its file."""
        return self.recipe.stem


def recipes_folder() -> Path:
    """Return the folder of the recipes that come with BlueRED: in the wheel, or in the checkout."""
    packaged = Path(__file__).with_name("recipes")
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "recipes"


def packaged_tables() -> dict[str, Path]:
    """Return the matrices that come with BlueRED, by name."""
    return {path.stem: path for path in sorted((recipes_folder() / "tables").glob("*.toml"))}


def find_matrix(name: str) -> Path:
    """Return the file of a matrix: a path, or the name of one that comes with BlueRED."""
    path, packaged = Path(name), packaged_tables()
    if path.is_file():
        return path
    if name in packaged:
        return packaged[name]
    if path.suffix or len(path.parts) > 1:
        raise ModelError(f"no table of recipes at {name}")
    raise ModelError(unknown_name("table of recipes", name, list(packaged), "or a file's path"))


def load_matrix(path: Path) -> Matrix:
    """Read a matrix, or raise ModelError that names the file and what does not fit."""
    try:
        matrix = msgspec.toml.decode(path.read_bytes(), type=Matrix)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ModelError(f"{path} is no table of recipes: {error}") from None
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror}") from None
    for fault in _faults(matrix, path.parent):
        raise ModelError(f"{path}: {fault}")
    return matrix


def _faults(matrix: Matrix, folder: Path) -> Iterator[str]:
    """Yield what does not fit together; what is changed may also be what a recipe stands on."""
    folders: dict[str, str] = {}
    recipes = {folder / name for row in matrix.rows for name in row.recipes or matrix.recipes}
    known = {recipe.stem for recipe in recipes}
    known |= {path.stem for beside in {r.parent for r in recipes} for path in beside.glob("*.toml")}
    for row in matrix.rows:
        place = slug(row.name)
        if place in folders:
            yield f"the rows {folders[place]!r} and {row.name!r} would share the folder {place}"
        folders[place] = row.name
        named = row.recipes or matrix.recipes
        if not named:
            yield f"the row {row.name!r} has no recipes, nor has the table"
        stems = [Path(recipe).stem for recipe in named]
        if twice := [stem for stem in stems if stems.count(stem) > 1]:
            yield f"the row {row.name!r} has two recipes called {twice[0]}"
        if row.settings and row.settings not in matrix.settings:
            yield unknown_name("settings", row.settings, list(matrix.settings))
        for name in sorted(set(row.each) - known):
            yield f"the row {row.name!r}: {unknown_name('recipe', name, sorted(known))}"
    for name, each in matrix.settings.items():
        for strange in sorted(set(each) - known - {ALL}):
            yield f"the settings {name!r}: {unknown_name('recipe', strange, sorted(known))}"


def slug(name: str) -> str:
    """Return the name of the folder of a row.

    >>> slug("BlueBERT base P+M")
    'bluebert-base-p+m'
    """
    return re.sub(r"[^a-z0-9+._]+", "-", name.lower()).strip("-.") or "row"


def asked(
    matrix: Matrix,
    path: Path,
    *,
    rows: Sequence[str] = (),
    only: Sequence[str] = (),
    seeds: Sequence[int] = (),
) -> list[Asked]:
    """Return the cells of a matrix, row by row; the selections leave out all others.

    `path` is the file of the matrix, `rows` are names of rows, `only` stems or files of recipes.
    """
    names = [row.name for row in matrix.rows]
    for name in rows:
        if name not in names:
            raise ModelError(unknown_name("row", name, names))
    wanted = [Path(name).stem for name in only]
    stems = {Path(name).stem for row in matrix.rows for name in row.recipes or matrix.recipes}
    for name in wanted:
        if name not in stems:
            raise ModelError(unknown_name("recipe in this table", name, sorted(stems)))
    return [
        Asked(row, Path(normpath(path.parent / recipe)), seed, _values(matrix, row))
        for row in matrix.rows
        if not rows or row.name in rows
        for recipe in row.recipes or matrix.recipes
        if not wanted or Path(recipe).stem in wanted
        for seed in seeds or row.seeds or matrix.seeds
    ]


def _values(matrix: Matrix, row: Row) -> dict[str, Values]:
    """Return what a row changes, by the stem of the recipe; `*` stands for all others."""
    shared = matrix.settings.get(row.settings, {})
    found = {
        name: merged(merged(shared.get(ALL, {}), shared.get(name, {})), row.values)
        for name in {ALL, *shared, *row.each}
    }
    return {name: merged(values, row.each.get(name, {})) for name, values in found.items()}


def merged(values: Mapping[str, Any], others: Mapping[str, Any]) -> Values:
    """Return values with others in their place; of tables, key by key."""
    both = {**values, **others}
    for key, value in others.items():
        if isinstance(value, Mapping) and isinstance(values.get(key), Mapping):
            both[key] = merged(values[key], value)
    return both


def on_encoder(matrix: Matrix, encoder: str, *, name: str = "") -> Matrix:
    """Return the matrix's own recipes on one encoder, as they stand in their files."""
    if not matrix.recipes:
        raise ModelError(f"the table {matrix.title!r} has no recipes that are common to all rows")
    row = Row(name=name or encoder, encoder=encoder)
    return structs.replace(matrix, rows=(row,), settings={})
