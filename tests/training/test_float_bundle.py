"""A bundle of 32 bits scores as torch does, whatever runs beside it and however it is cut."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from msgspec.structs import replace

from bluered import corpora
from bluered.documents import Document, Span
from bluered.inference import relations
from bluered.inference.bundle import load_bundle
from bluered.inference.reading import Reader
from bluered.inference.relations import PairScores, Relater, softmax
from bluered.inference.tagger import Tagger
from bluered.pipeline.load import reader_of

pytestmark = pytest.mark.train

OUTPUTS = ("types", "novelty", "weights")


@pytest.fixture
def documents(tiny, monkeypatch):
    """Those of dev, and one of several windows."""
    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    found = list(corpora.documents("biored", "dev"))
    return [*found, joined(found[:3])]


def joined(documents) -> Document:
    """Return one document of the text and mentions of several."""
    text, entities = "", []
    for document in documents:
        for entity in document.entities:
            span = Span(len(text) + entity.start, len(text) + entity.end)
            entities.append(replace(entity, spans=(span,)))
        text += document.text + " "
    return Document(id="joined", text=text, entities=tuple(entities))


def relater(folder, *, threads: int = 1) -> Relater:
    return Relater(reader_of(load_bundle(folder)), threads=threads)


def test_words_and_pair_head_together_are_what_torch_gives(
    tiny, float_bundle, documents, monkeypatch
):
    """From the text to the chances of its pairs; neither is told of known names."""
    import torch

    from bluered.models.reader import Reader as Trained
    from bluered.training.known_names import KnownNames
    from bluered.training.reader import Given, chances, words_of
    from bluered.training.run import load_run, recipe_tokenizer

    recipe, model = load_run(tiny.runs / "reader")
    assert isinstance(model, Trained)
    bundle = load_bundle(float_bundle)
    assert recipe.words
    assert (recipe.window, recipe.overlap) == (bundle.settings.window, bundle.settings.overlap)
    own = Relater(Reader(bundle, lambda _: (), threads=1), threads=1)
    monkeypatch.setattr(KnownNames, "__call__", lambda *_: [])
    given = Given(recipe, recipe_tokenizer(recipe), KnownNames(documents), words_of(recipe))
    for document in documents:
        scored = scores(own, document)
        with torch.inference_mode():
            wanted = chances(model, document, given)
        assert wanted.types is not None
        np.testing.assert_allclose(softmax(scored.types), wanted.types, atol=1e-4)
        np.testing.assert_allclose(scored.novelty, wanted.novelty, atol=1e-3)


def scores(own: Relater, document: Document) -> PairScores:
    found = own.scores(document)
    assert found is not None
    return found


@pytest.mark.parametrize("at_once", [1, 150, 400])
def test_pairs_in_parts_score_as_together_but_for_rounding(
    float_bundle, documents, monkeypatch, at_once
):
    own = relater(float_bundle)
    for document in documents[-3:]:
        whole = scores(own, document)
        monkeypatch.setattr(relations, "_AT_ONCE", at_once)
        parts = scores(own, document)
        monkeypatch.undo()
        assert len(whole.types) > 2
        for name in OUTPUTS:
            np.testing.assert_allclose(getattr(parts, name), getattr(whole, name), atol=1e-5)


def test_threads_of_a_graph_change_nothing(bundle_folder, documents):
    one, four = relater(bundle_folder), relater(bundle_folder, threads=4)
    for document in documents:
        for name in OUTPUTS:
            a, b = (getattr(scores(each, document), name) for each in (one, four))
            np.testing.assert_allclose(a, b, atol=1e-5)


def test_one_relater_serves_many_threads(bundle_folder, documents):
    own = relater(bundle_folder)
    alone = [own.relate(document) for document in documents]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(own.relate, documents * 5)) == alone * 5


def test_a_text_without_words_has_no_relations(bundle_folder, wordless):
    """Whatever mentions are given with it."""
    reader = reader_of(load_bundle(bundle_folder))
    assert Relater(reader, threads=1).relate(wordless) == ()
    assert Tagger(reader).tag(replace(wordless, entities=())) == ()
