"""An encoder adapted to texts: a folder like the one it came from, made once, resumed, refused."""

import json
from pathlib import Path

import pytest

from bluered import corpora
from bluered.corpora.overlap import by_text, overlaps
from bluered.corpora.texts import part
from bluered.documents.document import Document
from bluered.errors import BlueredError, ModelError
from bluered.formats.files import read_file

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")

LINES = [
    f"We found that the {word} ligase reduced {disease} in patients with a mutation of the gene."
    for word in ("kinase", "fever", "lung", "rat", "cell", "breast")
    for disease in ("pain", "cancer", "fever", "long QT syndrome")
]


@pytest.fixture
def texts(tiny, tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    (tmp_path / "texts.txt").write_text("\n".join(LINES))
    return tmp_path / "texts.txt"


@pytest.fixture
def recipe(encoder_folder, texts):
    from bluered.training.config import AdaptRecipe, Optimisation

    return AdaptRecipe(
        encoder=str(encoder_folder),
        texts=(str(texts),),
        vocabulary=3,
        window=40,
        optimisation=Optimisation(epochs=2, batch=4, encoder_rate=1e-3, head_rate=1e-2),
    )


def test_what_comes_out_is_an_encoder(recipe, tmp_path):
    from bluered.encoding.tokens import load_tokenizer, tokenize
    from bluered.models.encoder import build_encoder
    from bluered.training.adapt import adapt, adapted

    dev = adapt(recipe, tmp_path / "made")
    encoder = build_encoder(tmp_path / "made", pretrained=True)
    tokenizer = load_tokenizer(tmp_path / "made" / "tokenizer.json")
    assert encoder.get_input_embeddings().weight.shape[0] == tokenizer.get_vocab_size()
    ids = torch.from_numpy(tokenize("the ligase", tokenizer).ids)[None]
    assert ids.shape == (1, 2)
    before = build_encoder(Path(recipe.encoder), pretrained=True)
    assert encoder(ids).last_hidden_state.isfinite().all()
    one, other = encoder.state_dict(), before.state_dict()
    name = "encoder.layer.0.output.dense.weight"
    assert not torch.equal(one[name], other[name])
    record = adapted(tmp_path / "made")
    assert record.dev == dev
    assert record.rows == len(LINES) - 1  # one is held out
    assert record.pieces == tokenizer.get_vocab_size()
    assert record.pieces_per_word[1] < record.pieces_per_word[0]
    assert set(record.data) == set(recipe.texts)


def test_a_finished_one_is_not_done_again(recipe, texts, tmp_path):
    from bluered.training.adapt import adapt

    dev = adapt(recipe, tmp_path / "made")
    texts.unlink()
    assert adapt(recipe, tmp_path / "made") == dev


def test_one_that_was_stopped_goes_on_to_the_same_encoder(recipe, tmp_path, monkeypatch):
    from bluered.training import loop
    from bluered.training.adapt import adapt

    adapt(recipe, tmp_path / "whole")
    monkeypatch.setattr(loop, "SAVE_EVERY", 0.0)
    real, steps = loop.Trainer._step, []

    def stops(self, batch):
        steps.append(1)
        if len(steps) == 8:
            raise KeyboardInterrupt
        real(self, batch)

    monkeypatch.setattr(loop.Trainer, "_step", stops)
    with pytest.raises(KeyboardInterrupt):
        adapt(recipe, tmp_path / "cut")
    adapt(recipe, tmp_path / "cut")
    assert len(steps) == 2 * 6 + 1
    for name in ("model.safetensors", "tokenizer.json", "adapted.json"):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.parametrize("finished", [True, False])
def test_the_folder_of_another_recipe_is_refused(recipe, tmp_path, finished):
    from msgspec.structs import replace

    from bluered.training.adapt import adapt

    adapt(recipe, tmp_path / "made")
    if not finished:
        (tmp_path / "made" / "adapted.json").unlink()
    with pytest.raises(ModelError, match=r"another recipe \(vocabulary, seed differ\)"):
        adapt(replace(recipe, seed=5, vocabulary=0), tmp_path / "made")


def test_an_encoder_is_not_written_over(recipe):
    from bluered.training.adapt import adapt

    with pytest.raises(ModelError, match="holds an encoder already"):
        adapt(recipe, Path(recipe.encoder))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"texts": ("nowhere.txt",)}, "nowhere.txt"),
        ({"encoder": "nowhere"}, "no encoder at nowhere"),
    ],
)
def test_what_is_not_there_is_named_before_anything_is_made(recipe, tmp_path, change, message):
    from msgspec.structs import replace

    from bluered.training.adapt import adapt

    with pytest.raises(BlueredError, match=message):
        adapt(replace(recipe, **change), tmp_path / "made")
    assert not (tmp_path / "made").exists()


def test_lines_of_held_out_documents_are_dropped(recipe, texts, tiny, tmp_path):
    from bluered.training.adapt import adapt, adapted

    held_out = [d.text for d in read_file(tiny.data / "biored" / "Dev.PubTator")]
    texts.write_text("\n".join([*LINES, held_out[0], held_out[1].upper()]))
    adapt(recipe, tmp_path / "made")
    assert adapted(tmp_path / "made").dropped == 2
    assert adapted(tmp_path / "made").rows == len(LINES) - 1


def test_a_run_of_a_recipe_is_the_encoder_of_later_ones(recipe, tiny, tmp_path):
    from bluered.models.encoder import encoder_folder
    from bluered.training.run import all_trained_on, load_run, train

    first, second, stages = (tmp_path / f"{n}.toml" for n in ("words", "tagger", "all"))
    first.write_text(
        f'''model = "language-model"
encoder = "{recipe.encoder}"
texts = ["{recipe.texts[0]}", "biored:train"]
vocabulary = 3
window = 40
[optimisation]
epochs = 1
batch = 4
encoder_rate = 1e-3
head_rate = 1e-2
'''
    )
    written = tiny.tagger.read_text().replace(recipe.encoder, "words")
    second.write_text(written.replace("epochs = 6", "epochs = 1"))
    stages.write_text('stages = ["words.toml", "tagger.toml"]')
    from bluered.training.config import stages as stages_of
    from bluered.training.run import check

    assert stages_of(stages) == (first, second)
    check([first, second], tmp_path / "runs")
    with pytest.raises(ModelError, match="no encoder at words"):
        check([second], tmp_path / "runs")
    made = [train(path, tmp_path / "runs") for path in stages_of(stages)]
    assert set(made[0].data) == {recipe.texts[0], "biored:train"}
    taken, model = load_run(tmp_path / "runs" / "tagger")
    assert encoder_folder(taken.encoder) == tmp_path / "runs" / "words"
    size = json.loads((tmp_path / "runs" / "words" / "adapted.json").read_text())["pieces"]
    assert model.encoder.encoder.get_input_embeddings().weight.shape[0] == size
    assert list(all_trained_on(tmp_path / "runs" / "tagger")) == ["biored:train"]
    with pytest.raises(ModelError, match="adapted encoder, which answers nothing"):
        load_run(tmp_path / "runs" / "words")
    assert [train(path, tmp_path / "runs") for path in (first, second)] == made


def test_the_lines_of_the_shipped_encoder_are_none_of_biored_dev_or_test(data_dir, monkeypatch):
    """Texts of the recipe, most of which share documents with BioRED; compared on their own."""
    from bluered.training.config import load_recipe
    from bluered.training.texts import lines_of

    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    recipe = load_recipe(Path(__file__).parents[2] / "recipes" / "encoder.toml")
    lines, _, dropped = lines_of(recipe.texts)
    assert dropped > 50
    kept = part("lines", [Document(id=f"line {n}", text=text) for n, text in enumerate(lines)])
    tested = [part(split, corpora.documents("biored", split)) for split in ("dev", "test")]
    for overlap in overlaps(tested, [kept]):
        assert overlap.sizes == (100, len(lines))
        assert [match for match in overlap.matches if by_text(match)] == []
