"""An ELMo pre-trained on texts: its two files, made once, resumed, refused."""

import json
from pathlib import Path

import numpy as np
import pytest

from bluered.errors import BlueredError, ModelError
from bluered.formats.files import read_file

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")
pytest.importorskip("h5py", reason="needs the train extra: pip install 'bluered[train]'")

LINES = [
    f"We found that the {word} ligase reduced {disease} in patients. It was a mutation of a {gene}."
    for word in ("kinase", "fever", "lung", "rat")
    for disease in ("pain", "cancer", "fever", "syndrome")
    for gene in ("BRCA1", "p53")
]
MADE = ("options.json", "weights.hdf5", "vocabulary.txt", "adapted.json")


@pytest.fixture
def texts(tiny, tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    (tmp_path / "texts.txt").write_text("\n".join(LINES))
    return tmp_path / "texts.txt"


@pytest.fixture
def recipe(texts):
    from bluered.training.config import BidirectionalRecipe, ElmoSizes, Optimisation

    return BidirectionalRecipe(
        texts=(str(texts),),
        sizes=ElmoSizes(characters=4, filters=((1, 8), (3, 8)), cells=32, projection=16),
        vocabulary=20,
        optimisation=Optimisation(epochs=2, batch=8, encoder_rate=2e-2, head_rate=2e-2),
    )


def test_numbers_are_read_and_guessed_as_their_words():
    from bluered.encoding.elmo_characters import character_ids
    from bluered.training.elmo_text import numbered

    learned, held_out = [["b", "a", "b"], ["c", "a", "b"]], [["a", "new", "c"]]
    text = numbered(learned, held_out, size=2, width=12)
    assert text.vocabulary == ("<S>", "</S>", "<UNK>", "b", "a")
    for row, sentence in zip([*text.rows, *text.held_out], [*learned, *held_out], strict=True):
        assert (text.characters[row] == character_ids([sentence], width=12)[0]).all()
        words = [text.vocabulary[place] for place in text.targets[row]]
        kept = [word if word in "ab" else "<UNK>" for word in sentence]
        assert words == ["<S>", *kept, "</S>"]
    assert text.targets[0] == -1
    assert not text.characters[0].any()


def test_sentences_are_cut_and_counted_line_by_line():
    from bluered.training.elmo_text import first_sentences

    lines = ["One two three. Four five.", "Six (p53).", "Seven."]
    found = first_sentences(lines, longest=3, limit=4)
    assert found == [
        [["One", "two", "three"], ["."], ["Four", "five", "."]],
        [["Six", "(", "p53"], [")", "."]],
    ]
    assert len(first_sentences(lines, longest=3, limit=0)) == 3


def test_what_comes_out_is_an_elmo_that_guesses(recipe, tmp_path):
    from msgspec.structs import replace
    from safetensors.torch import load_file

    from bluered.encoding.elmo_characters import character_ids
    from bluered.models.bidirectional import BidirectionalLanguageModel
    from bluered.models.elmo_files import read_elmo
    from bluered.training.loop import read_log
    from bluered.training.pretrain_elmo import pretrain_elmo, pretrained, start_of

    made = tmp_path / "made"
    recipe = replace(recipe, optimisation=replace(recipe.optimisation, epochs=8, batch=4))
    dev = pretrain_elmo(recipe, made)
    assert set(MADE) <= {path.name for path in made.iterdir()}
    record = pretrained(made)
    assert record.dev == dev
    assert (record.rows, record.held_out) == (2 * len(LINES) - 2, 2)
    assert record.words == 9 * (len(LINES) - 1) * 2 + len(LINES) - 1  # 10 and 9 with full stops
    assert record.vocabulary == 20
    words = (made / "vocabulary.txt").read_text().split("\n")[:-1]
    assert words[:3] == ["<S>", "</S>", "<UNK>"]
    assert len(words) == 23
    log = read_log(made)
    assert log[-1]["loss"] < log[0]["loss"] / 2
    assert dev["accuracy"] > 0.5  # most words of the invented lines follow from those before
    assert 1 < dev["forward_perplexity"] < 6
    assert 1 < dev["backward_perplexity"] < 6
    assert dev["entropy"] == pytest.approx(
        np.log([dev["forward_perplexity"], dev["backward_perplexity"]]).mean(), abs=1e-2
    )
    elmo = read_elmo(made / "options.json", made / "weights.hdf5")
    model = BidirectionalLanguageModel(start_of(recipe), vocabulary=len(words))
    model.load_state_dict(load_file(made / "best.safetensors"))
    ids = torch.from_numpy(character_ids([["We", "found", "p53"], ["x"]]))
    with torch.no_grad():
        assert torch.equal(elmo(ids), model.encoder(ids))
    options = json.loads((made / "options.json").read_text())
    assert options["char_cnn"]["n_characters"] == 262  # what AllenNLP asks of a model in use


def test_perplexity_is_that_of_every_word_one_by_one(recipe, tmp_path):
    from bluered.models.bidirectional import BidirectionalLanguageModel
    from bluered.training.elmo_text import numbered
    from bluered.training.pretrain_elmo import evaluation, start_of

    sentences = [line.split() for line in LINES[:3]]
    text = numbered(sentences, [*sentences, ["It"], ["was", "odd"]], size=5, width=50)
    torch.manual_seed(0)
    model = BidirectionalLanguageModel(start_of(recipe), vocabulary=len(text.vocabulary)).eval()
    found = [0.0, 0.0]
    right = count = 0
    with torch.no_grad():
        for row in text.held_out:
            characters = torch.from_numpy(text.characters[row].astype(np.int64))[None]
            states = model.encoder.states(characters)[-1, 0]
            scores = model.output.log_prob(torch.cat([states[:-1, :16], states[1:, 16:]]))
            asked = torch.from_numpy(np.append(text.targets[row][1:], text.targets[row][:-1]))
            each = scores[torch.arange(len(asked)), asked]
            right += int((scores.argmax(dim=1) == asked).sum())
            count += len(row) - 1
            found = [a - float(b.sum()) for a, b in zip(found, each.chunk(2), strict=True)]
        dev = evaluation(text)(model)
    assert dev["forward_perplexity"] == pytest.approx(np.exp(found[0] / count), rel=1e-3)
    assert dev["backward_perplexity"] == pytest.approx(np.exp(found[1] / count), rel=1e-3)
    assert dev["accuracy"] == pytest.approx(right / (2 * count), abs=1e-4)


def test_one_that_was_stopped_goes_on_to_the_same_files(recipe, texts, tmp_path, monkeypatch):
    from bluered.training import loop
    from bluered.training.pretrain_elmo import pretrain_elmo

    pretrain_elmo(recipe, tmp_path / "whole")
    monkeypatch.setattr(loop, "SAVE_EVERY", 0.0)
    real, steps = loop.Trainer._step, []

    def stops(self, batch):
        steps.append(1)
        if len(steps) == 11:
            raise KeyboardInterrupt
        real(self, batch)

    monkeypatch.setattr(loop.Trainer, "_step", stops)
    with pytest.raises(KeyboardInterrupt):
        pretrain_elmo(recipe, tmp_path / "cut")
    dev = pretrain_elmo(recipe, tmp_path / "cut")
    assert len(steps) == 2 * 8 + 1
    for name in MADE:
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    texts.unlink()
    assert pretrain_elmo(recipe, tmp_path / "cut") == dev  # finished: not done again


def test_one_goes_on_from_a_folder(recipe, tmp_path):
    from msgspec.structs import replace

    from bluered.models.elmo_files import datasets, read_elmo
    from bluered.training.config import ElmoSizes
    from bluered.training.pretrain_elmo import pretrain_elmo

    first, second = tmp_path / "first", tmp_path / "second"
    pretrain_elmo(recipe, first)
    still = replace(recipe.optimisation, encoder_rate=0.0, epochs=1)
    further = replace(recipe, encoder=str(first), sizes=ElmoSizes(), optimisation=still)
    dev = pretrain_elmo(further, second)
    one, other = (read_elmo(f / "options.json", f / "weights.hdf5") for f in (first, second))
    for name, weights in datasets(one).items():
        assert torch.equal(weights, datasets(other)[name]), name
    assert dev["accuracy"] > 0


def test_lines_of_held_out_documents_are_dropped(recipe, texts, tiny, tmp_path):
    from bluered.training.pretrain_elmo import pretrain_elmo, pretrained

    held_out = [d.text for d in read_file(tiny.data / "biored" / "Dev.PubTator")]
    texts.write_text("\n".join([*LINES, held_out[0], held_out[1].upper()]))
    pretrain_elmo(recipe, tmp_path / "made")
    assert pretrained(tmp_path / "made").dropped == 2
    assert pretrained(tmp_path / "made").rows == 2 * len(LINES) - 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"texts": ("nowhere.txt",)}, "nowhere.txt"),
        ({"encoder": "nowhere"}, "no ELMo at nowhere: expected elmo for a new one"),
        ({"rows": 1}, "expected two lines of text"),
        ({"projection": 33}, "sizes: projection_dim 33 is above dim 32"),
        ({"filters": ((51, 2),)}, "sizes: a filter of width 51 is wider than a word"),
    ],
)
def test_what_cannot_be_is_named_before_anything_is_made(recipe, tmp_path, change, message):
    from msgspec.structs import replace

    from bluered.training.pretrain_elmo import pretrain_elmo

    if change.keys() & {"projection", "filters"}:
        change = {"sizes": replace(recipe.sizes, **change)}
    with pytest.raises(BlueredError, match=message):
        pretrain_elmo(replace(recipe, **change), tmp_path / "made")
    assert not (tmp_path / "made").exists()


def test_another_recipe_and_another_encoder_are_refused(recipe, encoder_folder, tmp_path):
    from msgspec.structs import replace

    from bluered.training.pretrain_elmo import pretrain_elmo

    quick = replace(recipe, optimisation=replace(recipe.optimisation, epochs=1))
    pretrain_elmo(quick, tmp_path / "made")
    with pytest.raises(ModelError, match=r"another recipe \(vocabulary, seed differ\)"):
        pretrain_elmo(replace(quick, seed=5, vocabulary=9), tmp_path / "made")
    with pytest.raises(ModelError, match="holds an encoder already"):
        pretrain_elmo(quick, encoder_folder)


def test_train_and_adapt_know_it(recipe, tiny, tmp_path, monkeypatch, capsys):
    import logging
    import sys

    from bluered.cli.main import main
    from bluered.training.run import load_run, train

    monkeypatch.setattr(logging, "basicConfig", lambda **_: None)
    path = tmp_path / "small.toml"
    path.write_text(
        f"""model = "bidirectional-language-model"
texts = ["{recipe.texts[0]}", "biored:train"]
vocabulary = 20
[sizes]
characters = 4
filters = [[1, 8], [3, 8]]
cells = 16
projection = 8
[optimisation]
epochs = 1
batch = 8
encoder_rate = 1e-2
head_rate = 1e-2
"""
    )
    result = train(path, tmp_path / "runs")
    assert set(result.data) == {recipe.texts[0], "biored:train"}
    assert train(path, tmp_path / "runs") == result
    with pytest.raises(ModelError, match="answers nothing"):
        load_run(tmp_path / "runs" / "small")
    start, made = tmp_path / "runs" / "small", tmp_path / "made"
    arguments = ["adapt", start, recipe.texts[0], "-o", made, "--batch", 8]
    for more in ((), ("--json",), ("--layers", 1)):
        monkeypatch.setattr(sys, "argv", ["bluered", *map(str, [*arguments, *more])])
        try:
            main()
        except SystemExit as stop:
            assert not stop.code or "an ELMo keeps all of its layers" in str(stop.code)  # noqa: PT017
    out = capsys.readouterr().out
    assert "made: dev perplexity" in out
    assert json.loads(out[out.index("{") :])["vocabulary"] > 20
