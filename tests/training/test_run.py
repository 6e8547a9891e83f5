"""From a recipe to a run, resumed and repeated, on a tiny invented corpus."""

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.train


def test_both_models_learn_the_invented_corpus(trained):
    tagger, relations = trained
    assert tagger.dev["f1"] > 0.9
    assert relations.dev["pair"] > 0.9
    assert relations.dev["all"] > 0.9


def test_a_run_says_what_it_was_made_of(tiny, trained):
    result = json.loads((tiny.runs / "tagger" / "result.json").read_text())
    assert set(result["data"]) == {"train", "dev"}
    assert all(len(digest) == 64 for digest in result["data"].values())
    assert "torch" in result["versions"]


def test_a_finished_run_is_not_done_again(tiny, trained, monkeypatch):
    from bluered.training.run import train

    monkeypatch.setenv("BLUERED_DATA", str(tiny.root / "nowhere"))
    assert train(tiny.tagger, tiny.runs) == trained[0]


def test_a_stopped_run_goes_on_to_the_same_weights(
    tiny, trained, tmp_path, monkeypatch, stopped_once
):
    import torch
    from safetensors.torch import load_file

    from bluered.training.run import train

    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    with pytest.raises(KeyboardInterrupt):
        train(tiny.tagger, tmp_path)
    result = train(tiny.tagger, tmp_path)
    assert result.dev == trained[0].dev
    one = load_file(tiny.runs / "tagger" / "best.safetensors")
    two = load_file(tmp_path / "tagger" / "best.safetensors")
    assert all(torch.equal(one[key], two[key]) for key in one)


def test_a_folder_with_another_recipe_is_refused(tiny, trained, tmp_path):
    from bluered.errors import ModelError
    from bluered.training.run import train

    other = tmp_path / "tagger.toml"
    other.write_text(tiny.tagger.read_text().replace("epochs = 6", "epochs = 7"))
    with pytest.raises(ModelError, match="another recipe"):
        train(other, tiny.runs)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("batch = 4", "batch = 4\nbatsch = 5"), "batsch"),
        (("epochs = 6", "epochs = 'many'"), "int"),
        (("[optimisation]", "[optimisation"), "toml"),
        (("epochs = 6", "epochs = 0"), "epochs"),
        (("batch = 4", "batch = 0"), "batch"),
        (('model = "tagger"', 'model = "parser"'), "parser"),
        (("[optimisation]", "[optimisation]\nwarmup = 1.5"), "warmup"),
    ],
)
def test_a_wrong_recipe_names_its_file_and_key(tiny, tmp_path, change, message):
    from bluered.errors import ModelError
    from bluered.training.config import load_recipe

    path = tmp_path / "wrong.toml"
    path.write_text(tiny.tagger.read_text().replace(*change))
    with pytest.raises(ModelError, match=message) as caught:
        load_recipe(path)
    assert str(path) in str(caught.value)


def test_windows_must_be_larger_than_their_overlap(tiny, tmp_path):
    from bluered.errors import ModelError
    from bluered.training.config import load_recipe

    path = tmp_path / "wrong.toml"
    lines = [
        line
        for line in tiny.tagger.read_text().splitlines()
        if not line.startswith(("window", "overlap"))
    ]
    path.write_text("\n".join(["window = 20", "overlap = 18", *lines]))
    with pytest.raises(ModelError, match="windows of 20 pieces cannot overlap by 18"):
        load_recipe(path)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("task", "no task"),
        ("dev", "no split"),
        ("encoder", "no encoder"),
        ("start_from", "no w"),
    ],
)
def test_what_is_missing_is_told_before_a_run(tiny, tmp_path, monkeypatch, key, message):
    from bluered.errors import BlueredError
    from bluered.training.run import train

    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    lines = [
        line for line in tiny.tagger.read_text().splitlines() if not line.startswith(f"{key} =")
    ]
    path = tmp_path / "wrong.toml"
    path.write_text("\n".join([f'{key} = "nowhere"', *lines]))
    with pytest.raises(BlueredError, match=message):
        train(path, tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


RECIPES = sorted((Path(__file__).parents[2] / "recipes").glob("*.toml"))


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_a_recipe_that_comes_along_can_be_read_and_names_a_known_task(path):
    from bluered.corpora.catalog import task
    from bluered.training.config import load_recipe, stages

    for stage in stages(path):
        recipe = load_recipe(stage)
        if hasattr(recipe, "task"):
            assert task(recipe.task).name == recipe.task
