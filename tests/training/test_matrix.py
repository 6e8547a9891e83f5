"""Tables of recipes: how they are read, what a row changes, and what a cell is trained from."""

import tomllib
from pathlib import Path

import pytest

from bluered.corpora.catalog import task
from bluered.errors import ModelError
from bluered.reports.blue import SYSTEMS
from bluered.reports.published import published_rows
from bluered.training.config import load_recipe
from bluered.training.matrix import (
    asked,
    load_matrix,
    merged,
    on_encoder,
    packaged_tables,
    recipes_folder,
    slug,
)
from bluered.training.plan import as_toml, plan, write_recipes

RECIPE = """
model = "similarity"
task = "biosses"
encoder = "all-MiniLM-L6-v2"
seed = 1
[optimisation]
epochs = 3
batch = 4
encoder_rate = 1e-3
head_rate = 1e-2
"""
STAGE = """
model = "language-model"
encoder = "all-MiniLM-L6-v2"
texts = ["biored:train"]
[optimisation]
epochs = 1
batch = 4
encoder_rate = 1e-3
head_rate = 1e-2
"""
TABLE = """
title = "Two"
seeds = [13, 14]
recipes = ["one.toml"]
[settings.gentle]
one = { window = 32, optimisation = { encoder_rate = 1e-5 } }
"*" = { window = 16, overlap = 0, optimisation = { encoder_rate = 1e-6 } }
[[rows]]
name = "A"
[[rows]]
name = "B"
encoder = "hf:some/where"
settings = "gentle"
values = { dropout = 0.5 }
each.one.optimisation = { epochs = 9 }
"""


@pytest.fixture
def table(tmp_path) -> Path:
    (tmp_path / "one.toml").write_text(RECIPE)
    (tmp_path / "table.toml").write_text(TABLE)
    return tmp_path / "table.toml"


def plans(path: Path, **chosen):
    return [plan(each, path.parent / "runs") for each in asked(load_matrix(path), path, **chosen)]


def test_a_row_changes_its_recipes_key_by_key(table):
    first, second, third, fourth = plans(table)
    assert [(p.row, p.seed) for p in (first, second, third, fourth)] == [
        ("A", 13),
        ("A", 14),
        ("B", 13),
        ("B", 14),
    ]
    (stage,) = first.stages
    assert stage.content == tomllib.loads(RECIPE) | {"seed": 13}
    (stage,) = fourth.stages
    assert stage.content == tomllib.loads(RECIPE) | {
        "seed": 14,
        "encoder": "hf:some/where",
        "window": 32,
        "overlap": 0,
        "dropout": 0.5,
        "optimisation": {"epochs": 9, "batch": 4, "encoder_rate": 1e-5, "head_rate": 1e-2},
    }
    assert fourth.encoders == ("hf:some/where",)
    assert fourth.folder == table.parent / "runs" / "b" / "14"
    assert len({p.digest for p in (first, second, third, fourth)}) == 4


def test_what_is_written_is_what_was_planned(table):
    last = plans(table)[-1]
    write_recipes(last)
    recipe = load_recipe(last.stages[-1].path)
    assert (recipe.seed, recipe.encoder, recipe.optimisation.epochs) == (14, "hf:some/where", 9)


def test_rows_recipes_and_seeds_can_be_chosen(table):
    assert [(p.row, p.seed) for p in plans(table, rows=["B"], seeds=[7])] == [("B", 7)]
    assert len(plans(table, only=["one.toml"])) == len(plans(table, only=["one"])) == 4
    for wrong in ({"rows": ["C"]}, {"only": ["two"]}):
        with pytest.raises(ModelError, match="did you mean"):
            plans(table, **wrong)


def test_an_encoder_takes_the_place_of_all_rows(table):
    matrix = on_encoder(load_matrix(table), "hf:new/one")
    (cell,) = asked(matrix, table, seeds=[13])
    (stage,) = plan(cell, table.parent).stages
    assert stage.content == tomllib.loads(RECIPE) | {"seed": 13, "encoder": "hf:new/one"}


def test_runs_that_a_recipe_names_come_before_it_and_pre_training_is_shared(table):
    folder = table.parent
    (folder / "stage.toml").write_text(STAGE)
    (folder / "biosses.toml").write_text(RECIPE)  # called as the task, which names no run
    (folder / "before.toml").write_text(RECIPE.replace("all-MiniLM-L6-v2", "stage"))
    (folder / "one.toml").write_text('start_from = "before"\n' + RECIPE)
    first, *_, last = plans(table)
    assert [(s.name, s.runs.name) for s in first.stages] == [
        ("stage", "shared"),
        ("before", "13"),
        ("one", "13"),
    ]
    assert [s.content.get("seed") for s in first.stages] == [None, 13, 13]
    assert first.encoders == ("all-MiniLM-L6-v2",)  # the stage's own is to be made
    assert [s.name for s in last.stages] == ["before", "one"]  # an encoder of its own
    write_recipes(first)
    link = first.folder / "stage"
    assert link.resolve() == (folder / "runs" / "shared" / "stage").resolve()
    write_recipes(first)


def test_a_recipe_may_say_its_own_name_as_a_kind(table):
    """As elmo.toml does, whose encoder is a new "elmo"."""
    (table.parent / "stage.toml").write_text(STAGE.replace("all-MiniLM-L6-v2", "stage"))
    (table.parent / "one.toml").write_text(RECIPE.replace("all-MiniLM-L6-v2", "stage"))
    first = plans(table)[0]
    assert [stage.name for stage in first.stages] == ["stage", "one"]
    assert first.encoders == ()


def test_recipes_that_name_each_other_are_refused(table):
    (table.parent / "one.toml").write_text('start_from = "two"\n' + RECIPE)
    (table.parent / "two.toml").write_text('start_from = "one"\n' + RECIPE)
    with pytest.raises(ModelError, match="one -> two -> one"):
        plans(table)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "B"', 'name = "a"', "share the folder a"),
        ('settings = "gentle"', 'settings = "gentil"', "did you mean 'gentle'"),
        ("each.one.opt", "each.ones.opt", "did you mean 'one'"),
        ('["one.toml"]', '["one.toml", "x/one.toml"]', "two recipes called one"),
        ('recipes = ["one.toml"]', "", "has no recipes"),
        ('title = "Two"', 'titel = "Two"', "no table of recipes"),
        ('title = "Two"', "title = ", "no table of recipes"),
    ],
)
def test_a_table_that_does_not_fit_together_is_refused(table, old, new, said):
    table.write_text(TABLE.replace(old, new))
    with pytest.raises(ModelError, match=said) as caught:
        load_matrix(table)
    assert str(caught.value).startswith(str(table))


@pytest.mark.parametrize("path", sorted(recipes_folder().glob("*.toml")), ids=lambda p: p.stem)
def test_recipes_are_written_as_they_were_read(path):
    content = tomllib.loads(path.read_text("utf-8"))
    assert tomllib.loads(as_toml(content)) == content


def test_tables_are_merged_and_all_else_replaced():
    one = {"a": {"x": 1, "y": 2}, "b": [1], "c": 3}
    assert merged(one, {"a": {"y": 5}, "b": [2]}) == {"a": {"x": 1, "y": 5}, "b": [2], "c": 3}
    assert one["a"] == {"x": 1, "y": 2}


def test_folders_are_named_like_their_rows():
    names = ["BlueBERT base P", "BlueBERT base P+M", "dmis-lab/biobert-v1.1", "../x"]
    slugs = ["bluebert-base-p", "bluebert-base-p+m", "dmis-lab-biobert-v1.1", "x"]
    assert list(map(slug, names)) == slugs


def named(table: str) -> set[str]:
    content = tomllib.loads(packaged_tables()[table].read_text("utf-8"))
    return {row.get("published", row["name"]) for row in content["rows"]}


def test_every_published_baseline_is_a_row():
    assert set(SYSTEMS) - {"SOTA of April 2019"} <= named("blue")
    published = {row.system for row in published_rows() if row.comparable}
    assert published | {"BERT-GT"} <= named("biored")


RECIPES = sorted(
    {
        (table, recipe)
        for table, path in packaged_tables().items()
        for content in [tomllib.loads(path.read_text("utf-8"))]
        for recipe in [
            *content.get("recipes", []),
            *(name for row in content["rows"] for name in row.get("recipes", [])),
        ]
    }
)


@pytest.mark.parametrize(("table", "recipe"), RECIPES)
def test_every_recipe_of_a_table_is_there_and_takes_what_rows_change(table, recipe, tmp_path):
    path = packaged_tables()[table].parent / recipe
    if not path.is_file():
        pytest.skip(f"{path.name} is yet to come")
    matrix = load_matrix(packaged_tables()[table])
    chosen = asked(matrix, packaged_tables()[table], only=[path.stem], seeds=[13])
    for each in (plan(cell, tmp_path) for cell in chosen):
        write_recipes(each)
        assert task(each.task).entry.type
        for stage in each.stages:
            load_recipe(stage.path)
