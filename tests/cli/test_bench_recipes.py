"""`bluered bench --recipes` and `--model hf:NAME`: options, what is printed and what is written."""

import json
from functools import partial
from pathlib import Path

import pytest

from bluered.cli.bench_recipes import is_encoder
from bluered.tasks.cells import RELATIONS, Cell, Figure, write_cell
from bluered.training.matrix import asked, load_matrix, on_encoder
from bluered.training.plan import plan

TABLE = """
title = "Made up"
seeds = [13, 14]
[[rows]]
name = "pairs"
recipes = ["pairs.toml"]
published = "PubMedBERT"
[[rows]]
name = "none"
recipes = ["nothing.toml"]
"""
RECIPE = """
model = "relations"
task = "biored"
encoder = "{encoder}"
[optimisation]
epochs = 1
batch = 4
encoder_rate = 1e-3
head_rate = 1e-2
"""


@pytest.fixture
def bench(monkeypatch, tmp_path, command_line):
    """Run `bluered bench` in an empty folder; returns exit status, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("BLUERED_DATA", str(tmp_path / "nothing"))
    return partial(command_line, "bench")


@pytest.fixture
def table(tmp_path) -> Path:
    """A table of which the cells of seed 13 are there."""
    path = tmp_path / "table.toml"
    path.write_text(TABLE)
    (tmp_path / "pairs.toml").write_text(RECIPE.format(encoder="all-MiniLM-L6-v2"))
    cells = asked(load_matrix(path), path, rows=["pairs"], seeds=[13])
    finished(plan(cells[0], tmp_path / "runs" / "table"))
    return path


def finished(each) -> None:
    """Write the cell of a plan as if it had been trained."""
    each.folder.mkdir(parents=True)
    cell = Cell(
        row=each.row,
        recipe=each.name,
        seed=each.seed,
        task=each.task,
        split="test",
        encoder=each.encoder,
        model="relations",
        metric="all",
        figures={name: Figure(score=0.5) for name in RELATIONS},
        units=100,
        gold="0123",
        train_seconds=60.0,
        answer_seconds=0.5,
        train_memory=2**30,
        answer_memory=2**29,
        answers="test/x",
        digest=each.digest,
    )
    write_cell(cell, each.folder / f"{each.name}.test.json")


def test_what_is_there_is_printed_and_written_without_training(bench, table, tmp_path):
    status, out, err = bench(
        "--recipes", table, "--no-train", "-o", "out.json", "--picture", "out.svg"
    )
    assert (status, err) == (0, "")
    assert ["pairs", *["50.0"] * 4] in [line.split() for line in out.splitlines()]
    assert "  none (nothing): no recipe at " in out
    assert "  pairs (pairs): not on this machine: bluered corpora fetch biored" in out
    assert "pairs (pairs): 1 of 2 seeds" in out
    result = json.loads((tmp_path / "out.json").read_text())
    assert result["title"] == "Made up"
    pairs, none = result["rows"]
    assert pairs["recipes"][0]["figures"]["all"] == {"mean": 0.5, "deviation": None, "seeds": 1}
    assert pairs["published"]["biored"]["relations"]["all"] == 47.7
    assert list(none["recipes"][0]["reasons"]) == ["13"]
    report = (tmp_path / "out.md").read_text()
    assert "| pairs | 50.0 | 50.0 | 50.0 | 50.0 |" in report
    assert report.rstrip().endswith(f"`{result['signature']}`")
    assert "benchmark:table|scorer:correct|split:test|seeds:13|gold:biored=0123" in report
    assert "documents a second" in (tmp_path / "out.svg").read_text()
    assert json.loads(bench("--recipes", table, "--no-train", "--json")[1]) == result
    _, out, _ = bench("--recipes", table, "--no-train", "--markdown", "--seeds", "13")
    assert "1 of 2 seeds" not in out


def test_a_table_without_any_figure_is_an_error(bench, table):
    status, out, err = bench("--recipes", table, "--row", "none", "--json")
    assert status == 1
    assert json.loads(out)["rows"][0]["system"] == "none"
    assert "none of the tasks was scored" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("", "name what shall be scored"),
        ("biored --recipes table.toml", "leave out TASK"),
        ("--recipes table.toml --model hf:x/y", "leave out --model"),
        ("--recipes table.toml --tasks hoc", "leave out --tasks"),
        ("--recipes table.toml --name me", "leave out --name"),
        ("--recipes table.toml --waterfall x.svg", "--waterfall is not for recipes"),
        ("--recipes table.toml --scorer blue", "--scorer is not for recipes"),
        ("--recipes table.toml --seeds 13,x", "expected numbers"),
        ("--recipes table.toml --row nobody", "did you mean"),
        ("--recipes table.toml --only nothin", "did you mean 'nothing'"),
        ("--recipes tables.toml", "no table of recipes at tables.toml"),
        ("--recipes bleu", "did you mean 'blue'"),
        ("biored --seeds 13", "--seeds is for `bluered bench --recipes`"),
        ("blue --no-train", "--no-train is for `bluered bench --recipes`"),
        ("--model hf:x/y", "is fine-tuned for blue, biored"),
        ("i2b2 --model hf:x/y", "is fine-tuned for blue, biored"),
        ("blue --model hf:x/y --row a", "--row is for `bluered bench --recipes`"),
        ("blue --model hf:x/y --align ids", "--align is not for recipes"),
        ("blue --model hf:x/y --tasks names", "no recipe for names"),
    ],
)
def test_options_that_do_not_go_together_are_told(bench, table, arguments, said):
    status, out, err = bench(*arguments.split())
    assert (status, out) == (1, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_picture_of_no_biored_is_an_error_and_leaves_no_file(bench, table, tmp_path):
    status, _, err = bench(
        "--recipes", table, "--row", "none", "--picture", "x.svg", "-o", "x.json"
    )
    assert status == 1
    assert "--picture shows BioRED" in err
    assert not (tmp_path / "x.svg").exists()
    assert not (tmp_path / "x.json").exists()


def test_an_encoder_is_told_from_a_bundle_and_from_runs(tmp_path):
    assert is_encoder("hf:dmis-lab/biobert-v1.1")
    assert is_encoder("all-MiniLM-L6-v2")
    assert not is_encoder("all-MiniLM-L6-v2-mine")
    assert not is_encoder(str(tmp_path))
    (tmp_path / "config.json").touch()
    assert is_encoder(str(tmp_path))
    (tmp_path / "bundle.json").touch()
    assert not is_encoder(str(tmp_path))


def test_a_new_encoder_gets_a_row_by_the_benchmarks_own_recipes(bench, tmp_path, monkeypatch):
    folder = tmp_path / "recipes" / "tables"
    folder.mkdir(parents=True)
    (folder / "biored.toml").write_text('title = "B"\nrecipes = ["../pairs.toml"]\nrows = []\n')
    (folder.parent / "pairs.toml").write_text(RECIPE.format(encoder="all-MiniLM-L6-v2"))
    monkeypatch.setattr("bluered.training.matrix.recipes_folder", lambda: folder.parent)
    runs = tmp_path / "runs" / "biored-a-b" / "a-b" / "13"
    assert bench("biored", "--model", "hf:a/b", "--no-train")[0] == 1
    path = folder / "biored.toml"
    (cell,) = asked(on_encoder(load_matrix(path), "hf:a/b", name="a/b"), path, seeds=[13])
    finished(plan(cell, tmp_path / "runs" / "biored-a-b"))
    assert (runs / "pairs.test.json").is_file()
    status, out, err = bench("biored", "--model", "hf:a/b", "-o", "report.md")
    assert (status, err) == (0, "")
    assert ["a/b", *["50.0"] * 4] in [line.split() for line in out.splitlines()]
    assert "PubMedBERT (published)" in out
    assert "BERT" in (tmp_path / "report.md").read_text()
    assert json.loads((tmp_path / "report.json").read_text())["rows"][0]["system"] == "a/b"
