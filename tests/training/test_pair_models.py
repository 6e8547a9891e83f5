"""Models that read a document once for each pair, on the tiny invented corpus."""

import json
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from bluered.documents.document import Document
from bluered.errors import ModelError

pytestmark = pytest.mark.train

RECIPE = """
model = "{model}"
task = "biored"
types = ["Association", "Negative_Correlation"]
encoder = "{encoder}"
window = 60
dropout = 0.0
decides = "{decides}"
graph_layers = 1
{more}
[optimisation]
epochs = {epochs}
batch = 16
encoder_rate = 3e-3
head_rate = 1e-2
"""

RECIPES = {
    "marker-pair-novelty": ("marker-pair", "novelty", "", 4),
    "marker-pair": ("marker-pair", "types", 'novelty_run = "marker-pair-novelty"', 6),
    "marker-pair-both": ("marker-pair", "both", "negatives = 0.5", 6),
    "bert-gt": ("bert-gt", "both", "", 6),
}


@pytest.fixture(scope="module")
def runs(tiny, encoder_folder, tmp_path_factory) -> Path:
    """The runs of all four recipes."""
    from bluered.training.run import train

    folder = tmp_path_factory.mktemp("pairs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLUERED_DATA", str(tiny.data))
        for name, (model, decides, more, epochs) in RECIPES.items():
            path = folder / f"{name}.toml"
            path.write_text(
                RECIPE.format(
                    model=model,
                    decides=decides,
                    more=more,
                    epochs=epochs,
                    encoder=encoder_folder,
                )
            )
            train(path, folder / "runs")
    return folder / "runs"


@pytest.fixture
def gold(tiny, monkeypatch) -> list[Document]:
    """The documents of dev."""
    from bluered.corpora.catalog import task
    from bluered.tasks.examples import examples

    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    return [d for d in examples(task("biored"), "dev") if isinstance(d, Document)]


def log_of(run: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("name", RECIPES)
def test_the_loss_falls_and_dev_is_learned(runs, name):
    said = log_of(runs / name)
    assert said[-1]["loss"] < said[0]["loss"] / 2
    best = json.loads((runs / name / "result.json").read_text())["dev"]
    assert next(iter(best.values())) > 0.95  # of the related pairs half are novel, and of one type
    assert ("novelty" in best) == (RECIPES[name][1] == "both")


@pytest.mark.parametrize("name", ["marker-pair", "marker-pair-both", "bert-gt"])
def test_answers_have_relations_and_novelty(runs, gold, name):
    from bluered.tasks.biored import correct
    from bluered.training.predict import predict

    said = [each for each in predict(runs / name, gold) if isinstance(each, Document)]
    scores = correct.score(gold, said)
    for measure in ("pair", "type", "all"):
        assert scores.total("relations", measure).f1 > 0.95
    blank = [replace(d, relations=()) for d in gold]  # what is to be found is not looked at
    assert list(predict(runs / name, blank)) == said


def test_a_run_of_novelty_alone_finds_nothing(runs, gold):
    from bluered.training.predict import find_run, predict

    with pytest.raises(ModelError, match="novelty_run"):
        list(predict(runs / "marker-pair-novelty", gold))
    (runs.parent / "two").mkdir()
    for name in ("marker-pair", "marker-pair-novelty"):
        (runs.parent / "two" / name).symlink_to(runs / name)
    assert find_run(runs.parent / "two", "biored") == runs.parent / "two" / "marker-pair"


def test_relations_of_pairs_that_are_no_candidates_keep_what_is_said_of_them(runs, gold):
    import torch

    from bluered.documents.document import Relation
    from bluered.training.predict import novelty_of
    from bluered.training.run import recipe_of

    tell = novelty_of(recipe_of(runs / "marker-pair"), runs / "marker-pair")
    strange = Relation(type="Association", head="1", tail="2")
    known = replace(gold[0].relations[0], novel=None)
    with torch.inference_mode():
        (found,) = tell(replace(gold[0], relations=(strange, known)))
    assert found.relations[0] == strange
    assert found.relations[1].novel == gold[0].relations[0].novel
    assert 0.5 <= found.relations[1].novelty_confidence <= 1


def test_what_a_run_was_trained_on_names_the_run_of_novelty(runs):
    from bluered.training.run import stages_of

    assert [run.name for run in stages_of(runs / "marker-pair")] == [
        "marker-pair",
        "marker-pair-novelty",
    ]


@pytest.mark.parametrize("name", ["marker-pair-both", "bert-gt"])
def test_padding_and_batches_change_nothing(runs, gold, name):
    import torch

    from bluered.training import bert_gt, marker_pair
    from bluered.training.pair_rows import all_rows, all_scores
    from bluered.training.pair_targets import biored
    from bluered.training.run import load_run, recipe_tokenizer

    recipe, model = load_run(runs / name)
    run = bert_gt.scores if recipe.model == "bert-gt" else marker_pair.scores
    tokenizer = recipe_tokenizer(recipe)
    rows = [
        row
        for size in (24, 60)
        for document in gold[:3]
        for row in all_rows(biored(document, recipe.types), tokenizer, replace(recipe, window=size))
    ]
    assert len({row.length for row in rows}) > 1
    with torch.inference_mode():
        together = run(model, rows)
        each = [run(model, [row]) for row in rows]
        sorted_ones = all_scores(run, model, rows)
    for part in (0, 1):
        alone = torch.cat([scores[part] for scores in each])
        assert torch.allclose(together[part], alone, atol=1e-4)
        assert torch.allclose(torch.from_numpy(sorted_ones[part]), alone, atol=1e-4)


def test_negatives_are_drawn_by_the_seed(runs, gold):
    from bluered.training.pair_rows import rows
    from bluered.training.run import recipe_of, recipe_tokenizer

    recipe = recipe_of(runs / "marker-pair")
    tokenizer = recipe_tokenizer(recipe)

    def kept(**changes) -> list[tuple]:
        made = rows(gold * 10, tokenizer, replace(recipe, **changes))
        return [(row.type, row.mentions) for row in made]

    every = kept()
    related = [row for row in every if row[0]]
    some = kept(negatives=0.3)
    assert [row for row in some if row[0]] == related
    share = (len(some) - len(related)) / (len(every) - len(related))
    assert 0.15 < share < 0.45
    assert kept(negatives=0.3) == some
    assert kept(negatives=0.3, seed=14) != some
    assert kept(decides="novelty") == related


def test_a_stopped_run_goes_on_to_the_same_weights(runs, tiny, tmp_path, monkeypatch, stopped_once):
    import torch
    from safetensors.torch import load_file

    from bluered.training.run import train

    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    recipe = runs.parent / "marker-pair-both.toml"
    with pytest.raises(KeyboardInterrupt):
        train(recipe, tmp_path)
    train(recipe, tmp_path)
    one, two = (load_file(f / recipe.stem / "best.safetensors") for f in (runs, tmp_path))
    assert all(torch.equal(one[key], two[key]) for key in one)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('decides = "both"', 'decides = "both"\nnovelty_run = "x"'), "types alone"),
        (("negatives = 0.5", "negatives = 0"), "negatives"),
        (('decides = "both"', 'novelty_run = "nowhere"'), "no weights at .*nowhere"),
    ],
)
def test_a_wrong_recipe_is_told_before_training(runs, tiny, tmp_path, monkeypatch, change, message):
    from bluered.training.run import train

    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    path = tmp_path / "wrong.toml"
    path.write_text((runs.parent / "marker-pair-both.toml").read_text().replace(*change))
    with pytest.raises(ModelError, match=message):
        train(path, tmp_path / "runs")


def test_a_run_for_novelty_must_decide_novelty(runs, gold, tmp_path):
    from bluered.training.predict import predict

    for name in ("marker-pair", "marker-pair-both"):
        shutil.copytree(runs / name, tmp_path / name)
    recipe = tmp_path / "marker-pair" / "recipe.toml"
    recipe.write_text(recipe.read_text().replace("marker-pair-novelty", "marker-pair-both"))
    with pytest.raises(ModelError, match='decides = "novelty"'):
        list(predict(tmp_path / "marker-pair", gold))


def test_texts_without_words_are_answered(runs, wordless):
    from bluered.training.predict import predict

    for name in ("marker-pair", "bert-gt"):
        (said,) = predict(runs / name, [wordless])
        assert isinstance(said, Document)
        assert said.entities == wordless.entities


def test_all_pairs_at_once_need_no_other_run(tiny, encoder_folder, tmp_path, monkeypatch):
    from bluered.training.run import train

    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    path = tmp_path / "document-pairs.toml"
    path.write_text(tiny.relations.read_text().replace('start_from = "tagger"', ""))
    assert "start_from" not in path.read_text()
    assert train(path, tmp_path / "runs").dev["pair"] > 0.9


def test_predictions_are_scored_by_bench(runs, tiny, tmp_path, monkeypatch, capsys):
    import sys

    from bluered.cli.main import main

    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))

    def command_line(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["bluered", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        return int(stop.value.code or 0), *capsys.readouterr()

    file = tmp_path / "answers.jsonl"
    status, _, err = command_line("predict", runs / "bert-gt", "--split", "dev", "-o", file)
    assert status == 0, err
    status, out, _ = command_line(
        "bench", "biored", "--split", "dev", "--predictions", file, "--json"
    )
    assert status == 0
    found = json.loads(out)["relations"]
    assert found["pair"]["f1"] > 0.95
    assert found["all"]["f1"] > 0.95
