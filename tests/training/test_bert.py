"""BLUE's fine-tuning of BERT on tiny invented tasks of all its types but named entities."""

import json
import logging
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from bluered.corpora.added import Added, remember
from bluered.corpora.catalog import task
from bluered.documents.examples import TextPair
from bluered.errors import ModelError
from bluered.tasks.examples import examples
from bluered.tasks.scoring import score

pytestmark = pytest.mark.train

WORDS = "patients mice rat loss gene mutation cancer breast syndrome fever cell line".split()
VERBS = {"reduce": "down", "cause": "up", "and": "none"}


def _likeness(chance: random.Random, number: int) -> list[str]:
    """A pair is as alike as its second text says."""
    degrees = ["mice", "rat", "gene"]
    rows = ["id\tfirst\tsecond\tscore"]
    for index in range(number):
        degree = chance.randrange(3)
        first = " ".join(chance.sample(WORDS, chance.randint(1, 4)))
        rows.append(f"{index}\t{first}\tfound {degrees[degree]}\t{degree}")
    return rows


def _inferred(chance: random.Random, number: int) -> list[str]:
    """The second text says whether there is a loss; the first speaks of one or not."""
    rows = ["id\tfirst\tsecond\tlabel"]
    for index in range(number):
        other = chance.choice(["loss", "fever"])
        word, label = chance.choice([("loss", "yes"), ("cancer", "no"), ("fever", "no")])
        rows.append(f"{index}\twith {other}\tfound {word}\t{label}")
    return rows


def _marked(chance: random.Random, number: int) -> list[str]:
    """Two sentences a document: the words pain and cancer are labels."""
    rows = ["id\tdocument\ttext\tlabels"]
    for index in range(number):
        for place in range(2):
            words = chance.sample(["pain", "cancer", "mice", "gene", "cell"], 2)
            labels = ";".join(w for w in ("pain", "cancer") if w in words)
            rows.append(f"{index}_s{place}\t{index}\twe found {' '.join(words)}\t{labels}")
    return rows


def _sorted(chance: random.Random, number: int) -> list[str]:
    """Each text has exactly one label."""
    rows = ["id\tdocument\ttext\tlabels"]
    for index in range(number):
        word = chance.choice(["pain", "cancer", "cell"])
        label = "well" if word == "cell" else "sick"
        rows.append(f"{index}\t{index}\twe found {word}\t{label}")
    return rows


def _verbs(chance: random.Random, number: int) -> list[str]:
    """The verb between two placeholders decides."""
    rows = ["id\tdocument\thead\ttail\ttext\tlabel"]
    for index in range(number):
        verb = chance.choice(list(VERBS))
        text = f"@GENE$ {verb} @GENE$ {chance.choice(['', 'in mice', 'in a cell line'])}"
        rows.append(f"{index}\t{index}\tT1\tT2\t{text}\t{VERBS[verb]}")
    return rows


TASKS = {
    "likeness": ("sentence-similarity", "pearson", _likeness, ""),
    "inferred": ("inference", "accuracy", _inferred, 'labels = ["yes", "no"]'),
    "marked": ("document-classification", "example-f1", _marked, 'labels = ["pain", "cancer"]'),
    "sorted": ("document-classification", "accuracy", _sorted, ""),
    "verbs": (
        "relation-extraction",
        "micro-f1",
        _verbs,
        'labels = ["down", "up"]\nnegative = "none"',
    ),
}


@pytest.fixture
def corpora(tmp_path, monkeypatch) -> Path:
    """The invented corpora, added by their TOML files."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    for name, (kind, metric, rows, more) in TASKS.items():
        folder = tmp_path / name
        folder.mkdir()
        chance = random.Random(3)
        for split, number in {"train": 60, "dev": 20, "test": 30}.items():
            (folder / f"{split}.tsv").write_text("\n".join(rows(chance, number)) + "\n")
        header = rows(chance, 0)[0].split("\t")
        columns = "\n".join(f'{column} = "{column}"' for column in header)
        entry = folder / f"{name}.toml"
        entry.write_text(
            f"""
name = "{name}"
title = "Invented"
version = "1"
licence = "CC0"
layout = "table"
separator = ";"
citation = {{ text = "Nobody 2020" }}
splits = {{ train = "train.tsv", dev = "dev.tsv", test = "test.tsv" }}
[columns]
{columns}
[tasks.{name}]
type = "{kind}"
metric = "{metric}"
{more}
"""
        )
        remember(name, Added(str(folder), str(entry)))
    return tmp_path


RECIPE = """
model = "bert"
task = "{task}"
encoder = "{encoder}"
window = {window}
dropout = 0.1
[optimisation]
epochs = {epochs}
batch = 8
encoder_rate = 2e-3
head_rate = 1e-2
"""


def _recipe(folder: Path, encoder: Path, name: str, *, window: int = 40, epochs: int = 16) -> Path:
    path = folder / f"bert-{name}.toml"
    path.write_text(RECIPE.format(task=name, encoder=encoder, window=window, epochs=epochs))
    return path


def _majority(name: str) -> float:
    """Return the score on test of one answer for all: the best that needs no text."""
    from msgspec.structs import replace

    from bluered.documents.examples import LabelledText, RelationExample
    from bluered.training.types import types_of

    gold = list(examples(task(name), "test"))
    found = [0.0]
    for label in types_of(task(name), gold):
        said = [
            replace(e, labels=(label,)) if isinstance(e, LabelledText) else replace(e, label=label)
            for e in gold
            if isinstance(e, (LabelledText, RelationExample, TextPair))
        ]
        found.append(score(task(name), gold, said).score or 0.0)
    return max(found)


@pytest.mark.parametrize("name", TASKS)
def test_each_type_of_task_is_learned(corpora, encoder_folder, name):
    from bluered.training.predict import find_run, predict
    from bluered.training.run import train

    result = train(_recipe(corpora, encoder_folder, name), corpora / "runs")
    metric = TASKS[name][1]
    assert list(result.dev) == [metric]
    run = find_run(corpora / "runs", name)
    assert run is not None
    losses = [json.loads(line)["loss"] for line in (run / "log.jsonl").read_text().splitlines()]
    assert losses[-1] < losses[0] / 2
    gold = list(examples(task(name), "test"))
    found = score(task(name), gold, list(predict(run, gold)))
    assert found.score is not None
    assert found.score > 0.9
    assert found.score > 0.2 + (0 if metric == "pearson" else _majority(name)) or found.score == 1
    kept = score(task(name), dev := list(examples(task(name), "dev")), list(predict(run, dev)))
    assert round(kept.score or 0, 4) == result.dev[metric]


def _parts(corpora: Path, encoder: Path, name: str, window: int = 40):
    """Return the recipe of a task, its untrained model, and its tokenizer."""
    import torch

    from bluered.models.sequence import SequenceModel
    from bluered.training.config import Recipe
    from bluered.training.run import build_model, read_recipe, recipe_tokenizer

    recipe = read_recipe(_recipe(corpora, encoder, name, window=window), runs=corpora / "runs")
    assert isinstance(recipe, Recipe)
    torch.manual_seed(1)
    model = build_model(recipe, pretrained=True).eval()
    assert isinstance(model, SequenceModel)
    with torch.no_grad():  # weights as small as untrained ones hardly tell texts apart
        for parameter in model.parameters():
            if parameter.ndim > 1:
                parameter.mul_(8)
    return recipe, model, recipe_tokenizer(recipe)


@pytest.mark.parametrize("name", ["likeness", "verbs"])
def test_padding_and_batches_change_nothing(corpora, encoder_folder, name, monkeypatch):
    import torch

    from bluered.training import bert

    recipe, model, tokenizer = _parts(corpora, encoder_folder, name)
    rows = bert.rows(list(examples(task(name), "test")), tokenizer, recipe)
    assert len({bert.length(row) for row in rows}) > 1
    with torch.inference_mode():
        alone = np.concatenate([bert.forward(model, [row]).numpy() for row in rows])
        found: list[np.ndarray] = []
        for size in (1, 7, 100):
            monkeypatch.setattr(bert, "TOGETHER", size)
            found.append(bert.numbers(model, rows))
    assert all(np.allclose(alone, each, atol=1e-5) for each in found)
    assert np.ptp(alone, axis=0).max() > 1e-2


def test_the_numbers_are_those_of_transformers(corpora, encoder_folder):
    """The same encoder and layer in Hugging Face's own model for sequences."""
    import torch
    from transformers import AutoModelForSequenceClassification

    from bluered.training import bert

    recipe, model, tokenizer = _parts(corpora, encoder_folder, "inferred")
    other = AutoModelForSequenceClassification.from_pretrained(encoder_folder, num_labels=2).eval()
    other.bert.load_state_dict(model.encoder.encoder.state_dict())
    other.classifier.load_state_dict(model.classify.state_dict())
    pair = next(iter(examples(task("inferred"), "test")))
    assert isinstance(pair, TextPair)
    (row,) = bert.rows([pair], tokenizer, recipe)
    whole = tokenizer.encode(pair.first, pair.second)
    with torch.inference_mode():
        expected = other(
            input_ids=torch.tensor([whole.ids]), token_type_ids=torch.tensor([whole.type_ids])
        ).logits
        assert torch.allclose(bert.forward(model, [row]), expected, atol=1e-5)


def test_the_second_text_has_a_segment_of_its_own(corpora, encoder_folder):
    import torch
    from msgspec.structs import replace

    from bluered.training import bert

    recipe, model, tokenizer = _parts(corpora, encoder_folder, "inferred")
    (row,) = bert.rows(list(examples(task("inferred"), "test"))[:1], tokenizer, recipe)
    flat = replace(row, pieces=replace(row.pieces, segments=row.pieces.segments * 0))
    with torch.inference_mode():
        change = bert.forward(model, [row]) - bert.forward(model, [flat])
    assert change.abs().max() > 1e-3


def test_an_encoder_without_a_pooler_gives_its_first_state(corpora, encoder_folder, tmp_path):
    import torch
    from safetensors.torch import load_file, save_file

    from bluered.models.sequence import has_pooler
    from bluered.training import bert

    bare = Path(shutil.copytree(encoder_folder, tmp_path / "bare"))
    weights = load_file(bare / "model.safetensors")
    kept = {name: value for name, value in weights.items() if not name.startswith("pooler.")}
    assert len(kept) == len(weights) - 2
    save_file(kept, bare / "model.safetensors", metadata={"format": "pt"})
    assert has_pooler(encoder_folder)
    assert not has_pooler(bare)
    recipe, model, tokenizer = _parts(corpora, bare, "verbs")
    assert not any("pooler" in name for name in model.state_dict())
    (row,) = bert.rows(list(examples(task("verbs"), "test"))[:1], tokenizer, recipe)
    with torch.inference_mode():
        states = model.encoder.encoder(input_ids=torch.from_numpy(row.pieces.ids)[None])
        expected = model.classify(states.last_hidden_state[:, 0])
        assert torch.allclose(bert.forward(model, [row]), expected, atol=1e-5)


def test_poolers_are_found_in_every_file_of_weights(tmp_path):
    import torch

    from bluered.models.sequence import has_pooler

    assert not has_pooler(tmp_path)
    name = "bert.pooler.dense.weight"
    torch.save({name: torch.zeros(2)}, tmp_path / "pytorch_model.bin")
    assert has_pooler(tmp_path)
    index = {"weight_map": {"embeddings.word_embeddings.weight": "1.safetensors"}}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    assert not has_pooler(tmp_path)


def test_long_texts_are_cut_and_the_log_says_how_many(corpora, encoder_folder, caplog):
    from bluered.training import bert

    recipe, _, tokenizer = _parts(corpora, encoder_folder, "verbs", window=6)
    with caplog.at_level(logging.INFO):
        rows = bert.rows(list(examples(task("verbs"), "test")), tokenizer, recipe)
    assert {bert.length(row) for row in rows} == {6}
    assert "30 of 30 sequences cut to 6 pieces" in caplog.text


@pytest.mark.usefixtures("stopped_once")
def test_a_stopped_run_goes_on_to_the_same_weights(corpora, encoder_folder, monkeypatch):
    import torch
    from safetensors.torch import load_file

    from bluered.training.run import train

    recipe = _recipe(corpora, encoder_folder, "verbs", epochs=4)
    with pytest.raises(KeyboardInterrupt):
        train(recipe, corpora / "stopped")
    resumed = train(recipe, corpora / "stopped")
    straight = train(recipe, corpora / "straight")
    assert resumed.dev == straight.dev
    one, two = (
        load_file(corpora / runs / recipe.stem / "best.safetensors")
        for runs in ("stopped", "straight")
    )
    assert all(torch.equal(one[key], two[key]) for key in one)


def test_named_entities_need_another_model(corpora, encoder_folder):
    from bluered.training.config import Recipe
    from bluered.training.run import build_model, read_recipe

    path = corpora / "wrong.toml"
    path.write_text(
        RECIPE.format(task="bc5cdr-disease", encoder=encoder_folder, window=40, epochs=1)
    )
    recipe = read_recipe(path, runs=corpora / "runs")
    assert isinstance(recipe, Recipe)
    with pytest.raises(ModelError, match="bc5cdr-disease is a task of named-entities"):
        build_model(recipe, pretrained=False)
