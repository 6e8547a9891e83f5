"""BLUE's ELMo: its head against its formulas, and from recipe to answers."""

import numpy as np
import pytest
from msgspec.structs import replace

from bluered.corpora.catalog import task
from bluered.documents.document import Document
from bluered.documents.examples import LabelledText, TextPair
from bluered.errors import ModelError
from bluered.tasks.examples import examples

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")

RECIPE = """
model = "elmo"
task = "biored"
types = ["GeneOrGeneProduct", "DiseaseOrPhenotypicFeature", "ChemicalEntity"]
elmo = "{elmo}"
hidden = 32
dropout = 0.1
[optimisation]
epochs = 8
batch = 8
encoder_rate = {rate}
head_rate = 1e-2
"""


@pytest.fixture(scope="module")
def trained_run(tiny, elmo_folder, tmp_path_factory):
    """A run on named entities; the path of its recipe."""
    from bluered.training.run import train

    root = tmp_path_factory.mktemp("elmo-run")
    path = root / "elmo.toml"
    path.write_text(RECIPE.format(elmo=elmo_folder, rate=0.0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLUERED_DATA", str(tiny.data))
        result = train(path, root / "runs")
    assert result.dev["f1"] > 0.9
    return path


@pytest.fixture
def data(tiny, monkeypatch):
    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))


def head(**given):
    from bluered.models.elmo_head import ElmoHead

    torch.manual_seed(2)
    model = ElmoHead(6, hidden=5, dropout=0.5, **given)
    for _ in range(3):
        model(torch.randn(8, given.get("texts", 1), 6) * 2 + 1)  # it has seen something
    return model.eval()


@pytest.mark.parametrize("limits", [None, (1.0, 4.0)])
def test_the_head_is_what_its_formulas_say(limits):
    model = head(texts=2, labels=1 if limits else 3, limits=limits)
    weights = {name: value.numpy() for name, value in model.state_dict().items()}
    vectors = np.random.default_rng(1).normal(size=(4, 2, 6)).astype(np.float32)
    normal = (vectors - weights["norm.running_mean"]) / np.sqrt(
        weights["norm.running_var"] + model.norm.eps
    )
    layer = np.concatenate([normal[:, 0], normal[:, 1]], axis=1)
    for number in (0, 2):
        bias = weights[f"layers.{number}.bias"]
        layer = np.maximum(layer @ weights[f"layers.{number}.weight"].T + bias, 0)
    expected = layer @ weights["layers.4.weight"].T + weights["layers.4.bias"]
    if limits:
        expected = 1 + 3 / (1 + np.exp(-expected))
    with torch.no_grad():
        found = model(torch.from_numpy(vectors)).numpy()
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_a_batch_of_one_vector_is_trained_on():
    model = head(labels=2).train()
    before = model.norm.running_mean.clone()
    model(torch.randn(1, 1, 6)).sum().backward()
    assert model.norm.weight.grad is not None
    torch.testing.assert_close(model.norm.running_mean, before)


def test_a_text_is_the_mean_of_both_lstms_states(elmo_folder):
    from bluered.encoding.word_sentences import words_of
    from bluered.training.elmo_texts import read
    from bluered.training.sequences import Outputs
    from bluered.training.word_encoders import elmo_size, load_elmo

    elmo = load_elmo(str(elmo_folder))
    texts = ["Aspirin helped.", "", "It did not help in any of the many mice that we saw"]
    pairs = [
        TextPair(id=str(number), first=text, second=texts[0], score=1.0)
        for number, text in enumerate(texts)
    ]
    rows = read(pairs, Outputs("score"), elmo, lambda items, _: items)
    for text, row in zip(texts, rows, strict=True):
        alone = elmo.embed([words_of(text)])[0]
        expected = torch.cat([alone[1], alone[2]], dim=1)
        assert row.vectors.shape == (2, elmo_size(elmo))
        mean = expected.sum(dim=0) / max(1, len(expected))
        np.testing.assert_allclose(row.vectors[0], mean, atol=1e-5)
        np.testing.assert_array_equal(row.vectors[1], rows[0].vectors[0])


def test_elmo_reads_each_text_once(elmo_folder, monkeypatch):
    from bluered.training.word_encoders import embedded, load_elmo, mean_word

    elmo, seen = load_elmo(str(elmo_folder)), []
    real = type(elmo).embed

    def counted(self, sentences, *, batch):
        seen.extend(sentences)
        return real(self, sentences, batch=batch)

    monkeypatch.setattr(type(elmo), "embed", counted)
    one, two = ("a", "b"), ("c",)
    found = embedded(elmo, [one, two, one], mean_word)
    assert sorted(seen) == [one, two]
    np.testing.assert_array_equal(found[0], found[2])


def test_batch_size_and_neighbours_change_nothing(data, trained_run):
    from bluered.training import elmo_tagger, word_rows
    from bluered.training.run import read_recipe
    from bluered.training.word_encoders import load_elmo

    recipe = read_recipe(trained_run, runs=trained_run.parent)
    elmo = load_elmo(recipe.elmo)
    documents = [e for e in examples(task("biored"), "dev") if isinstance(e, Document)]
    rows = word_rows.rows_of(word_rows.read(documents, recipe.types, elmo, lambda items, _: items))
    torch.manual_seed(4)
    model = elmo_tagger.build(recipe, elmo).eval()
    with torch.no_grad():
        together = elmo_tagger.tag_scores(model, rows)
        alone = [elmo_tagger.tag_scores(model, [row]) for row in rows]
        torch.testing.assert_close(together, torch.cat(alone), atol=1e-5, rtol=0)
        found = elmo_tagger.tags_of(model, rows)
    assert [len(tags) for tags in found] == [len(row.tags) for row in rows]
    np.testing.assert_array_equal(np.concatenate(found), together.argmax(dim=1))


def test_a_stopped_run_goes_on_to_the_same_weights(data, tmp_path, trained_run, stopped_once):
    from safetensors.torch import load_file

    from bluered.training.run import train

    with pytest.raises(KeyboardInterrupt):
        train(trained_run, tmp_path)
    train(trained_run, tmp_path)
    one, two = (
        load_file(runs / "elmo" / "best.safetensors")
        for runs in (tmp_path, trained_run.parent / "runs")
    )
    assert all(torch.equal(one[key], two[key]) for key in one)


def test_it_answers_any_document(data, trained_run):
    from bluered.training.predict import predict

    asked = [
        Document(id="1", text=""),
        Document(id="2", text="We found that ibuprofen \ud800 reduced pain in 犬."),
        *examples(task("biored"), "test"),
    ]
    answered = list(predict(trained_run.parent / "runs" / "elmo", asked))
    assert [document.id for document in answered] == ["1", "2", *(d.id for d in asked[2:])]
    assert answered[0].entities == ()
    for document, gold in zip(answered[2:], asked[2:], strict=True):
        said = {(e.start, e.end, e.type) for e in document.entities}
        assert said == {(e.start, e.end, e.type) for e in gold.entities}


def test_tags_that_break_bio_are_read_as_conlleval_reads_them():
    from bluered.training.word_rows import mentions, read

    document = Document(id="1", text="We saw long pain. Pain")
    (read_once,) = read([document], ("A", "B"), None, lambda items, _: items)
    broken = [np.array([0, 2, 2, 4, 0]), np.array([4])]  # O I-A I-A I-B O | I-B
    (found,) = mentions(lambda _: broken, [read_once], ("A", "B"))
    assert [(e.type, e.text) for e in found] == [("A", "saw long"), ("B", "pain"), ("B", "Pain")]


def test_the_command_writes_answers(data, trained_run, tmp_path):
    from typer.testing import CliRunner

    from bluered.cli.main import app

    out = tmp_path / "answers.jsonl"
    run = trained_run.parent / "runs" / "elmo"
    result = CliRunner().invoke(app, ["predict", str(run), "-o", str(out)])
    assert result.exit_code == 0, result.output
    assert out.read_text().count("GeneOrGeneProduct") >= 2


def test_elmo_is_not_trained(data, tmp_path, elmo_folder):
    from bluered.training.config import load_recipe

    path = tmp_path / "elmo.toml"
    path.write_text(RECIPE.format(elmo=elmo_folder, rate=1e-3))
    with pytest.raises(ModelError, match="ELMo stays as it is"):
        load_recipe(path)


def test_labels_and_losses_follow_the_rule_of_the_task(elmo_folder):
    from bluered.training.elmo_texts import loss, read
    from bluered.training.sequences import Outputs
    from bluered.training.word_encoders import elmo_size, load_elmo

    elmo = load_elmo(str(elmo_folder))
    texts = [
        LabelledText(id="1", document="1", text="It hurt", labels=("a", "c")),
        LabelledText(id="2", document="1", text="It did not", labels=()),
    ]
    rows = read(texts, Outputs("labels", ("a", "b", "c")), elmo, lambda items, _: items)
    assert [row.target.tolist() for row in rows] == [[1, 0, 1], [0, 0, 0]]
    from bluered.models.elmo_head import ElmoHead

    model = ElmoHead(elmo_size(elmo), hidden=4, labels=3, dropout=0.0).eval()
    with torch.no_grad():
        scores = model(torch.from_numpy(np.stack([row.vectors for row in rows]))).numpy()
        found = loss(model, rows, rule="labels").item()
    chance = 1 / (1 + np.exp(-scores))
    gold = np.asarray([[1, 0, 1], [0, 0, 0]])
    expected = -(gold * np.log(chance) + (1 - gold) * np.log(1 - chance)).mean()
    assert found == pytest.approx(expected, abs=1e-5)


def test_what_predict_sees_has_no_answers(data, trained_run):
    """The same answers come out whether the examples hold the gold ones or not."""
    from bluered.training.predict import predict

    run = trained_run.parent / "runs" / "elmo"
    gold = list(examples(task("biored"), "test"))
    blank = [replace(document, entities=(), relations=()) for document in gold]
    assert [d.entities for d in predict(run, gold)] == [d.entities for d in predict(run, blank)]
