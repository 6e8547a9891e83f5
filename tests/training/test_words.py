"""The words beside the reader: a convex fit that learns the invented corpus, and its run."""

import json
import shutil
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from bluered.documents import Document, Entity, Span
from bluered.errors import ModelError

pytestmark = pytest.mark.train


@pytest.fixture
def words_run(tiny, trained_reader):
    return tiny.runs / "pair-words"


def test_the_words_tell_the_relations_of_the_corpus(words_run):
    dev = json.loads((words_run / "result.json").read_text())["dev"]
    assert dev["pair"] > 0.9  # by layout alone one pair in three would be wrong
    assert dev["type"] > 0.9
    weights = np.load(words_run / "words.npy")
    assert weights.dtype == np.float16
    assert weights.shape == (1 << 18, 1 + 2 + 2)


def test_the_fit_is_where_the_penalised_loss_is_least():
    from bluered.training import words

    rng = np.random.default_rng(2)
    features = csr_matrix((rng.random((40, 6)) < 0.4).astype(float))
    possible = np.eye(3, dtype=bool)[rng.integers(0, 3, 40)]
    possible[:5] |= rng.random((5, 3)) < 0.5  # of some only a part is known
    found = words._fit(features, possible, 0.5)

    def loss(weights):
        scores = features @ weights
        chances = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        return -np.log((chances * possible).sum(axis=1)).sum() + 0.25 * (weights**2).sum()

    least = loss(found)
    for _ in range(50):
        assert loss(found + rng.normal(size=found.shape) * 0.02) > least


def test_a_reader_whose_words_are_not_there_says_so(tiny, tmp_path, monkeypatch):
    from bluered.training.run import train

    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    with pytest.raises(ModelError, match=r"no weights at .*pair-words.*train that recipe first"):
        train(tiny.reader, tmp_path / "runs")


def test_a_run_of_words_answers(tiny, words_run, monkeypatch):
    from bluered import corpora
    from bluered.training.predict import predict

    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    gold = list(corpora.documents("biored", "dev"))
    said = [each for each in predict(words_run, gold) if isinstance(each, Document)]
    right = sum(
        {(frozenset((r.head, r.tail)), r.type) for r in a.relations}
        == {(frozenset((r.head, r.tail)), r.type) for r in b.relations}
        for a, b in zip(said, gold, strict=True)
    )
    assert right >= len(gold) - 1


def test_a_reader_without_words_makes_a_bundle_whose_words_are_silent(tiny, tmp_path, monkeypatch):
    from bluered.export.bundle import export_bundle
    from bluered.inference.bundle import load_bundle
    from bluered.training.run import train

    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    recipe = tmp_path / "reader.toml"
    written = tiny.reader.read_text().replace('words = "pair-words"\n', "")
    recipe.write_text(written.replace("epochs = 8", "epochs = 1"))
    train(recipe, tmp_path / "runs")
    bundle = load_bundle(export_bundle(tmp_path / "runs" / "reader", tmp_path / "b", name="quiet"))
    assert bundle.settings.relations.words == 0
    assert not np.load(bundle.folder / "words.npy").any()


def test_its_gradient_is_that_of_finite_differences(monkeypatch):
    from bluered.training import words

    caught = []

    def catch(loss, start, **_):
        caught.append(loss)
        return SimpleNamespace(x=start)

    monkeypatch.setattr(words, "minimize", catch)
    rng = np.random.default_rng(8)
    features = csr_matrix(rng.random((12, 5)) * (rng.random((12, 5)) < 0.5))
    possible = rng.random((12, 3)) < 0.5
    possible[:, 0] |= ~possible.any(axis=1)
    possible[0] = True  # of which nothing is known
    words._fit(features, possible, 0.7)
    flat = rng.normal(size=15)
    value, gradient = caught[0](flat)
    steps = np.eye(15) * 1e-6
    slopes = [(caught[0](flat + s)[0] - caught[0](flat - s)[0]) / 2e-6 for s in steps]
    np.testing.assert_allclose(gradient, slopes, rtol=1e-5, atol=1e-6)
    scores = features @ flat.reshape(5, 3)
    chances = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    wanted = -np.log((chances * possible).sum(axis=1)).sum() + 0.35 * (flat**2).sum()
    assert value == pytest.approx(wanted)


def test_a_stopped_run_of_words_is_done_again_and_gives_the_same(
    tiny, words_run, tmp_path, monkeypatch
):
    from bluered.training import words
    from bluered.training.run import train

    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))

    def stops(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(words, "_fit", stops)
        with pytest.raises(KeyboardInterrupt):
            train(tiny.words, tmp_path)
    assert not (tmp_path / "pair-words" / "result.json").exists()
    result = train(tiny.words, tmp_path)
    again = tmp_path / "pair-words" / "words.npy"
    assert again.read_bytes() == (words_run / "words.npy").read_bytes()
    monkeypatch.setattr(words, "_fit", stops)
    assert train(tiny.words, tmp_path) == result


def test_a_run_of_words_says_what_it_was_made_of(words_run):
    said = json.loads((words_run / "result.json").read_text())
    assert set(said["data"]) == {"train", "dev"}
    assert set(said["versions"]) == {"scipy", "tokenizers", "numpy"}


@pytest.mark.parametrize(
    "relations", ['["Association"]', '["Negative_Correlation", "Association"]']
)
def test_words_of_other_relations_are_refused_before_training(
    tiny, words_run, tmp_path, monkeypatch, relations
):
    """In another order too: the scores of one type would be added to those of another."""
    from bluered.training.run import train

    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    shutil.copytree(words_run, tmp_path / "runs" / "pair-words")
    recipe = tmp_path / "reader.toml"
    written = tiny.reader.read_text()
    assert '["Association", "Negative_Correlation"]' in written
    recipe.write_text(written.replace('["Association", "Negative_Correlation"]', relations))
    with pytest.raises(ModelError, match="expected pair words of "):
        train(recipe, tmp_path / "runs")
    assert not (tmp_path / "runs" / "reader").exists()


def test_words_of_a_task_without_pairs_are_one_line(tiny, tmp_path, monkeypatch):
    from bluered.training.run import train

    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    file = tiny.data / "biored" / "Dev.PubTator"
    bare = [line for line in file.read_text().splitlines() if "\t" not in line]
    for split in ("Train", "Dev"):
        (tmp_path / "biored").mkdir(exist_ok=True)
        (tmp_path / "biored" / f"{split}.PubTator").write_text("\n".join(bare) + "\n")
    monkeypatch.setenv("BLUERED_DATA", str(tmp_path))
    with pytest.raises(ModelError, match="biored:train has no pairs") as caught:
        train(tiny.words, tmp_path / "runs")
    assert "\n" not in str(caught.value)


def test_what_is_seen_with_few_pairs_weighs_nothing(tiny, tmp_path, monkeypatch):
    from bluered.training.run import train

    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    recipe = tmp_path / "pair-words.toml"
    counts = {}
    for least in (1, 40, 100_000):
        recipe.write_text(tiny.words.read_text() + f"least = {least}\n")
        train(recipe, tmp_path / str(least))
        weights = np.load(tmp_path / str(least) / "pair-words" / "words.npy")
        counts[least] = int(weights.any(axis=1).sum())
    assert counts[1] > counts[40] > counts[100_000] == 0


def test_blank_documents_are_answered_with_what_names_say(tiny, words_run):
    from bluered.training.predict import predict

    names = (("6331", "GeneOrGeneProduct"), ("D1", "DiseaseOrPhenotypicFeature"))
    entities = tuple(
        Entity(type=kind, spans=(Span(0, 0),), text="", concepts=(c,)) for c, kind in names
    )
    blank = [Document(id="1", text=""), Document(id="2", text="  ", entities=entities)]
    said = [each for each in predict(words_run, blank) if isinstance(each, Document)]
    assert [document.entities for document in said] == [(), entities]
    assert said[0].relations == ()
