"""The BiLSTM-CRF on word vectors, ELMo and characters: from recipe to answers."""

import numpy as np
import pytest
from msgspec.structs import replace

from bluered.corpora.catalog import task
from bluered.documents.document import Document
from bluered.errors import ModelError
from bluered.tasks.examples import examples

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")

RECIPE = """
model = "bilstm-crf"
task = "{task}"
types = ["GeneOrGeneProduct", "DiseaseOrPhenotypicFeature", "ChemicalEntity"]
vectors = "{vectors}"
elmo = "{elmo}"
hidden = 16
layers = {layers}
dropout = 0.1
[optimisation]
epochs = {epochs}
batch = 8
encoder_rate = {rate}
head_rate = 2e-2
weight_decay = 0.0
"""


def written(folder, name="words", **fields):
    given = {"task": "biored", "vectors": "", "elmo": "", "layers": 1, "epochs": 6, "rate": 0.0}
    path = folder / f"{name}.toml"
    path.write_text(RECIPE.format(**given | fields))
    return path


@pytest.fixture
def data(tiny, monkeypatch):
    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    return tiny.data


@pytest.fixture(scope="module")
def both(tiny, elmo_folder, vectors_file, tmp_path_factory):
    """A run on vectors that are trained on, ELMo and characters; its recipe."""
    from bluered.training.run import train

    root = tmp_path_factory.mktemp("both")
    path = written(root, vectors=vectors_file, elmo=elmo_folder, rate=1e-2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLUERED_DATA", str(tiny.data))
        train(path, root / "runs")
    return path


@pytest.mark.parametrize(
    ("parts", "rate", "layers"),
    [("", 0.0, 1), ("vectors", 0.0, 2), ("elmo", 0.0, 1), ("vectors elmo", 1e-2, 1)],
)
def test_it_learns_the_invented_corpus(
    data, tmp_path, elmo_folder, vectors_file, parts, rate, layers
):
    from bluered.training.run import train

    given = {"vectors": vectors_file, "elmo": elmo_folder}
    fields = {part: given[part] for part in parts.split()}
    path = written(tmp_path, layers=layers, rate=rate, epochs=6 * layers, **fields)
    result = train(path, tmp_path / "runs")
    assert result.dev["f1"] > 0.9
    assert set(result.data) == {"train", "dev"}


def test_its_vectors_are_trained_only_where_the_recipe_says(data, tmp_path, vectors_file, both):
    import json

    from safetensors.torch import load_file

    from bluered.models.word_vector_files import read_vectors
    from bluered.training.run import train

    file = read_vectors(vectors_file)
    train(written(tmp_path, vectors=vectors_file, epochs=1), tmp_path / "runs")
    for run, kept in {
        tmp_path / "runs" / "words": True,
        both.parent / "runs" / "words": False,
    }.items():
        state = load_file(run / "best.safetensors")
        words = json.loads((run / "words.json").read_text())
        first = file.vectors[[file.rows[word] for word in words]]
        assert "ibuprofen" not in words
        assert np.array_equal(state["encoder.known"].numpy(), first) is kept
        assert state["encoder.unknown"].abs().sum() > 0


def test_a_stopped_run_goes_on_to_the_same_weights(data, tmp_path, both, stopped_once):
    from safetensors.torch import load_file

    from bluered.training.run import train

    with pytest.raises(KeyboardInterrupt):
        train(both, tmp_path)
    train(both, tmp_path)
    one, two = (
        load_file(runs / "words" / "best.safetensors") for runs in (tmp_path, both.parent / "runs")
    )
    assert all(torch.equal(one[key], two[key]) for key in one)


def test_padding_and_batch_size_change_nothing(data, both):
    from bluered.models.word_vector_files import read_vectors
    from bluered.training import bilstm_crf, word_rows
    from bluered.training.run import read_recipe
    from bluered.training.word_encoders import load_elmo

    recipe = read_recipe(both, runs=both.parent / "runs")
    elmo = load_elmo(recipe.elmo)
    documents = [e for e in examples(task("biored"), "dev") if isinstance(e, Document)]
    longer = replace(documents[0], text=documents[0].text.replace("We", "Then we all in turn"))

    def rows(*some):
        read = word_rows.read(some, recipe.types, elmo, lambda items, _: items)
        return [row for document in read for row in document.rows]

    torch.manual_seed(3)
    model = bilstm_crf.build(recipe, read_vectors(both.parent / recipe.vectors), elmo).eval()
    torch.nn.init.normal_(model.encoder.unknown)
    batch = rows(*documents, longer)
    assert len({len(row.tags) for row in batch}) > 2
    with torch.no_grad():
        together = bilstm_crf.emissions(model, batch)
        alone = [bilstm_crf.emissions(model, [row])[0] for row in batch]
        for one, other in zip(together, alone, strict=True):
            torch.testing.assert_close(one[: len(other)], other, atol=1e-5, rtol=0)
        losses = torch.stack([bilstm_crf.loss(model, [row]) * len(row.tags) for row in batch])
        mean = losses.sum() / sum(len(row.tags) for row in batch)
        torch.testing.assert_close(bilstm_crf.loss(model, batch), mean, atol=1e-5, rtol=0)


def test_a_run_knows_the_words_of_the_file_that_it_was_not_trained_on(both, vectors_file):
    from bluered.models.word_vector_files import read_vectors
    from bluered.training import bilstm_crf
    from bluered.training.run import read_recipe

    run = both.parent / "runs" / "words"
    recipe = read_recipe(both, runs=run.parent)
    elmo = bilstm_crf.load_elmo(recipe.elmo)
    file = read_vectors(vectors_file, words=["ibuprofen", "reduced", "zebra"])
    model = bilstm_crf._load(run, recipe, elmo, file)
    ids = torch.from_numpy(model.encoder.ids([["Ibuprofen", "reduced", "zebra"]]))
    new, seen, unknown = model.encoder(ids)[0].detach()
    np.testing.assert_array_equal(new, file.vectors[file.rows["ibuprofen"]])
    assert not np.array_equal(seen, file.vectors[file.rows["reduced"]])  # it was trained
    torch.testing.assert_close(unknown, model.encoder.unknown[0].detach())


def test_it_answers_any_text(data, both):
    from bluered.training.predict import predict

    asked = [
        Document(id="1", text=""),
        Document(id="2", text="We found that ibuprofen \ud800 reduced pain in 犬."),
        *examples(task("biored"), "test"),
    ]
    answered = list(predict(both.parent / "runs" / "words", asked))
    assert [document.id for document in answered] == [document.id for document in asked]
    assert answered[0].entities == ()
    for document, gold in zip(answered[2:], asked[2:], strict=True):
        assert {(e.start, e.end, e.type) for e in document.entities} == {
            (e.start, e.end, e.type) for e in gold.entities
        }
    for document in answered:
        assert all(document.text[e.start : e.end] == e.text for e in document.entities)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"vectors": "nowhere"}, "no word vectors at nowhere"),
        ({"elmo": "nowhere"}, "no ELMo at nowhere"),
    ],
)
def test_what_is_missing_is_told_before_a_run(data, tmp_path, fields, message):
    from bluered.training.run import train

    with pytest.raises(ModelError, match=message):
        train(written(tmp_path, **fields), tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def test_vectors_of_another_size_are_refused(data, both, tmp_path):
    from bluered.training import bilstm_crf
    from bluered.training.run import read_recipe

    run = both.parent / "runs" / "words"
    other = tmp_path / "vectors.txt"
    other.write_text("pain 1 2 3\n")
    recipe = replace(read_recipe(both, runs=run.parent), vectors=str(other))
    with pytest.raises(ModelError, match=r"vectors of 3 numbers.* trained on 5"):
        list(bilstm_crf.bilstm_crf_answers(run, [Document(id="1", text="pain")], recipe))


def test_encoders_are_runs_by_their_names(data, both, tmp_path, elmo_folder, vectors_file):
    import shutil

    from bluered.training.run import all_trained_on, check, read_recipe, stages_of

    path = written(tmp_path, vectors="word-vectors", elmo="elmo")
    with pytest.raises(ModelError):
        check([path], tmp_path)
    shutil.copytree(elmo_folder, tmp_path / "elmo")
    (tmp_path / "word-vectors").mkdir()
    shutil.copy(vectors_file, tmp_path / "word-vectors")
    recipe = read_recipe(path, runs=tmp_path)
    assert recipe.elmo == str(tmp_path / "elmo")
    assert recipe.vectors == str(tmp_path / "word-vectors" / "vectors.txt")
    check([path], tmp_path)
    run = tmp_path / "words"
    for folder, text in {
        run: path.read_text(),
        tmp_path / "word-vectors": 'model = "word-vectors"\ntexts = ["biored:train"]',
    }.items():
        folder.mkdir(exist_ok=True)
        (folder / "recipe.toml").write_text(text)
    assert list(stages_of(run)) == [run, tmp_path / "word-vectors"]
    assert list(all_trained_on(run)) == ["biored:train"]
