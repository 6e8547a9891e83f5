"""Filling a table of recipes: trained, asked and scored for real on a tiny corpus and encoder."""

import json
import stat
import sys
from pathlib import Path

import msgspec
import pytest

from bluered.corpora.added import Added, remember
from bluered.formats.files import read_file
from bluered.tasks.answers import read
from bluered.tasks.cells import Cell, Gap
from bluered.training import cell as cells
from bluered.training import fill as filling
from bluered.training.cell import Done, Work, do, peak_memory
from bluered.training.fill import fill, in_process
from bluered.training.matrix import asked, load_matrix

pytestmark = pytest.mark.train

TABLE = """
title = "Tiny"
seeds = [13, 14]
recipes = ["tagger.toml", "relations.toml"]
[[rows]]
name = "tiny"
values = { optimisation = { epochs = 3 } }
[[rows]]
name = "of a hub"
encoder = "hf:nobody/nothing"
"""


@pytest.fixture
def table(tiny, tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    for recipe in (tiny.tagger, tiny.relations):
        (tmp_path / recipe.name).write_text(recipe.read_text())
    (tmp_path / "table.toml").write_text(TABLE)
    return tmp_path / "table.toml"


def filled(path: Path, *, runs: Path | None = None, **options) -> list[Cell | Gap]:
    chosen = {name: options.pop(name) for name in ("rows", "only", "seeds") if name in options}
    cells = asked(load_matrix(path), path, **chosen)
    return list(fill(cells, runs or path.parent / "runs", **({"do": do} | options)))


def test_cells_are_trained_scored_and_then_left(table):
    said: list[str] = []
    first = filled(table, say=said.append)
    done, lacking = first[:4], first[4:]
    assert [(c.row, c.recipe, c.seed) for c in done] == [
        ("tiny", "tagger", 13),
        ("tiny", "tagger", 14),
        ("tiny", "relations", 13),
        ("tiny", "relations", 14),
    ]
    for found in done:
        assert isinstance(found, Cell)
        names = ["mentions"] if found.recipe == "tagger" else ["pair", "type", "novelty", "all"]
        assert list(found.figures) == names
        assert found.metric == names[-1]
        assert (found.units, found.task, found.split) == (2, "biored", "test")
        assert found.score is not None
        assert found.score > 0
        assert found.answer_seconds > 0
        assert found.train_seconds > 0
        assert found.left_out  # an invented corpus compares with nothing
    assert len(lacking) == 4
    for found in lacking:
        assert isinstance(found, Gap)
        assert "hf:nobody/nothing" in found.reason
        assert "\n" not in found.reason
    assert said[0] == "[1/8] tiny, tagger, seed 13 ..."

    def refuse(work: Work) -> Done:
        assert work.what == "check", "a finished cell was done again"
        return do(work)

    assert filled(table, do=refuse)[:4] == done
    assert filled(table, train=False, do=refuse)[4].reason == "not trained yet"
    folder = table.parent / "runs" / "tiny" / "13"
    assert not list(folder.glob("*/state.pt"))
    answers = list(read_file(folder / done[2].answers))
    assert sum(len(document.relations) for document in answers) > 0
    assert json.loads((folder / "relations.test.json").read_text())["seed"] == 13
    _another_recipe_is_told(table, done)


def _another_recipe_is_told(table: Path, done: list[Cell]) -> None:
    """What was trained by other values is neither shown nor trained over."""
    table.write_text(TABLE.replace("epochs = 3", "epochs = 4"))
    (gap,) = filled(table, rows=["tiny"], only=["tagger"], seeds=[13])
    assert isinstance(gap, Gap)
    assert "another recipe" in gap.reason
    assert done[0].digest != ""


def test_a_cell_that_was_stopped_goes_on_and_comes_out_alike(table, tmp_path, stopped_once):
    from safetensors.torch import load_file

    chosen = {"rows": ["tiny"], "only": ["tagger"], "seeds": [13]}
    with pytest.raises(KeyboardInterrupt):
        filled(table, **chosen)
    folder = tmp_path / "runs" / "tiny" / "13"
    assert (folder / "tagger" / "state.pt").is_file()
    assert not (folder / "tagger.test.json").exists()
    (again,) = filled(table, **chosen)
    (whole,) = filled(table, runs=tmp_path / "other", **chosen)
    assert isinstance(again, Cell)
    assert again.figures == whole.figures
    one, other = (
        load_file(root / "tiny" / "13" / "tagger" / "best.safetensors")
        for root in (tmp_path / "runs", tmp_path / "other")
    )
    assert all((one[name] == other[name]).all() for name in one)
    lines = (folder / "tagger" / "log.jsonl").read_text().splitlines()
    assert [json.loads(line)["epoch"] for line in lines] == [1, 2, 3]


def test_a_corpus_that_is_absent_says_how_to_get_it(table, monkeypatch, tmp_path):
    monkeypatch.setenv("BLUERED_DATA", str(tmp_path / "nothing"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = filled(table, rows=["tiny"], do=lambda work: pytest.fail(work.what))
    assert {gap.reason for gap in found} == {"not on this machine: bluered corpora fetch biored"}


def test_an_error_in_one_cell_stops_no_other(table, monkeypatch):
    def broken(recipe, runs):
        raise ZeroDivisionError("of what\nis unknown")

    monkeypatch.setattr("bluered.training.run.train", broken)
    found = filled(table, rows=["tiny"], only=["tagger"])
    kept = table.parent / "runs" / "tiny" / "13" / "tagger.error.txt"
    assert found[0].reason == f"ZeroDivisionError: of what (all of it: {kept})"
    assert "Traceback" in kept.read_text()
    assert len(found) == 2


def test_without_torch_every_cell_says_what_to_install(table, monkeypatch):
    def missing(*_):
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr(cells, "_why_not", missing)
    found = filled(table)
    assert {g.reason for g in found} == {"training needs torch: pip install 'bluered[train]'"}


@pytest.mark.parametrize(
    ("line", "said"),
    [("kill -9 $$", "too little memory"), ("kill -15 $$", "signal 15"), ("exit 3", "status 3")],
)
def test_a_process_that_dies_is_told(tmp_path, monkeypatch, line, said):
    program = tmp_path / "python"
    program.write_text(f"#!/bin/sh\n{line}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(sys, "executable", str(program))
    assert said in filling.in_process(Work(what="train")).reason


NAMES = """
name = "names"
title = "Invented"
version = "1"
licence = "CC0"
format = "pubtator"
citation = { text = "Nobody 2020" }
splits = { train = "Train.PubTator", dev = "Dev.PubTator", test = "Test.PubTator" }
[tasks.names]
type = "named-entities"
metric = "mention-f1"
entity_types = ["ChemicalEntity", "DiseaseOrPhenotypicFeature"]
"""


def test_a_process_of_its_own_measures_its_memory_and_keeps_answers(tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    (tmp_path / "names.toml").write_text(NAMES)
    remember("names", Added(str(tiny.data / "biored"), str(tmp_path / "names.toml")))
    (tmp_path / "linear.toml").write_text('model = "linear"\ntask = "names"\ncosts = [10.0]\n')
    (tmp_path / "table.toml").write_text(
        'title = "One"\nrecipes = ["linear.toml"]\n[[rows]]\nname = "linear"\n'
    )
    (found,) = filled(tmp_path / "table.toml", do=in_process)  # one: it comes out alike
    assert isinstance(found, Cell), found
    assert found.figures["mention-f1"].score == 1.0
    assert found.train_memory
    assert found.answer_memory
    assert 2**26 < found.answer_memory < 2**32
    kept = tmp_path / "runs" / "linear" / "13" / found.answers
    assert kept.name == "names.linear.jsonl.gz"
    from bluered.corpora.catalog import task

    answered = read(task("names"), kept, rules="correct")
    assert (
        sum(len(document.entities) for document in answered)
        == found.figures["mention-f1"].details["tp"]
    )


def test_memory_that_was_held_is_seen():
    before = peak_memory()
    assert before
    block = bytearray(1 << 28)
    block[:: 1 << 12] = b"1" * (1 << 16)
    assert peak_memory() >= min(before, 1 << 28)
    del block


def test_seconds_leave_out_what_is_loaded_once():
    from bluered.documents.examples import LabelledText

    texts = [LabelledText(id=str(n), document=str(n // 2), text="") for n in range(10)]
    assert cells._per_unit(whole=4.0, one=2.2, gold=texts) == pytest.approx(0.4)
    assert cells._per_unit(whole=1.0, one=2.0, gold=texts) == pytest.approx(0.2)


def test_a_cell_is_read_as_it_was_written(tmp_path):
    work = Work(what="train", recipes=(("a.toml", "runs"),), name="a")
    assert msgspec.json.decode(msgspec.json.encode(work), type=Work) == work
