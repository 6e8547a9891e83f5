"""The words beside the reader: a convex fit that learns the invented corpus, and its run."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from bluered.errors import ModelError

pytestmark = pytest.mark.train


@pytest.fixture
def words_run(tiny, trained_reader):
    return tiny.runs / "pair-words"


def test_the_words_tell_the_relations_of_the_corpus(words_run):
    import json

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
    said = list(predict(words_run, gold))
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
