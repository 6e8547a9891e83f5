"""The exported bundle gives what the torch models give, and says what is wrong with a bad one."""

import json
import shutil

import numpy as np
import pytest
from msgspec import structs

from bluered import corpora
from bluered.documents import Document
from bluered.errors import ModelError
from bluered.inference.bundle import load_bundle
from bluered.inference.relations import Relater
from bluered.inference.tagger import Tagger
from bluered.pipeline.load import reader_of

pytestmark = pytest.mark.train


@pytest.fixture
def documents(tiny, monkeypatch):
    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    return list(corpora.documents("biored", "dev"))


def spans(entities):
    return [(e.start, e.end, e.type) for e in entities]


def test_the_bundle_tags_what_it_learned(bundle_folder, documents):
    tagger = Tagger(reader_of(load_bundle(bundle_folder, verify=True)))
    found = [spans(tagger.tag(document)) for document in documents]
    gold = [spans(document.entities) for document in documents]
    right = sum(a == b for a, b in zip(found, gold, strict=True))
    assert right >= len(documents) - 2  # 8-bit weights may move a border case
    for document in documents:
        for entity in tagger.tag(document):
            assert document.text[entity.start : entity.end] == entity.text
            assert 0 < entity.confidence <= 1


def test_the_bundle_relates_what_it_learned_with_evidence(bundle_folder, documents):
    relater = Relater(reader_of(load_bundle(bundle_folder)), threads=1)
    right = 0
    for document in documents:
        bare = structs.replace(document, relations=())
        found = relater.relate(bare)
        right += {(frozenset((r.head, r.tail)), r.type, r.novel) for r in found} == {
            (frozenset((r.head, r.tail)), r.type, r.novel) for r in document.relations
        }
        for relation in found:
            assert 0 <= relation.confidence <= 1
            assert 0.5 <= relation.novelty_confidence <= 1
            assert relation.evidence
            names = {c for e in document.entities for c in e.concepts}
            assert {relation.head, relation.tail} <= names
    assert right >= len(documents) - 2


def test_the_gold_relations_are_not_looked_at(bundle_folder, documents):
    relater = Relater(reader_of(load_bundle(bundle_folder)), threads=1)
    document = documents[0]
    assert relater.relate(document) == relater.relate(structs.replace(document, relations=()))


@pytest.mark.parametrize("text", ["", " \n", "🧬" * 50, "Loss of SCN5A. " * 60])
def test_any_text_can_be_tagged(bundle_folder, text):
    reader = reader_of(load_bundle(bundle_folder))
    document = Document(id="x", text=text)
    entities = Tagger(reader).tag(document)
    for entity in entities:
        assert text[entity.start : entity.end] == entity.text
    named = structs.replace(
        document,
        entities=tuple(structs.replace(e, concepts=(e.text.lower(),)) for e in entities),
    )
    Relater(reader, threads=1).relate(named)
    if text.startswith("Loss"):
        assert len(entities) > 40  # far beyond one window of 40 pieces


def test_the_float_graphs_equal_torch(tiny, float_bundle, documents):
    import torch

    from bluered.encoding.surroundings import name_weights, zone_weights
    from bluered.encoding.tagging import tagger_batch
    from bluered.inference.session import open_session, run
    from bluered.training import reader as training
    from bluered.training.known_names import KnownNames
    from bluered.training.run import load_run, recipe_tokenizer
    from bluered.training.sources import Example, source

    recipe, model = load_run(tiny.runs / "reader")
    example = Example(documents[0], source("biored:train"))
    names = KnownNames([documents[0]])
    row = training.row_of(example, recipe_tokenizer(recipe), recipe, names)
    assert any(window.names.any() for window in row.windows)
    session = open_session(float_bundle / "reader.onnx", threads=1)
    for window in row.windows:
        batch = tagger_batch([window])
        with torch.inference_mode():
            emissions, states = training.read(model, [window])
        given = run(
            session, ids=batch.ids, first=batch.first, last=batch.last,
            characters=batch.characters, names=batch.names,
        )  # fmt: skip
        np.testing.assert_allclose(given[0], emissions.numpy(), atol=1e-4)
        np.testing.assert_allclose(given[1], states.numpy(), atol=1e-4)
    with torch.inference_mode():
        _, states = training.read(model, row.windows)
        hidden = training.whole_states(states, [row])[0]
        wanted = [t.numpy() for t in training.scores_of(model, hidden, row.pairs)]
    found = row.pairs.targets.found
    scored = run(
        open_session(float_bundle / "pairs.onnx", threads=1),
        hidden=hidden.numpy(), names=name_weights(found, row.pairs.around),
        pairs=found.pairs, features=row.pairs.features,
        zones=zone_weights(row.pairs.around, slice(0, len(found.pairs))),
    )  # fmt: skip
    for one, two in zip(scored, wanted, strict=True):
        np.testing.assert_allclose(one, two, atol=1e-4)


def test_pairs_in_parts_score_as_together(bundle_folder, documents, monkeypatch):
    from bluered.inference import relations

    relater = Relater(reader_of(load_bundle(bundle_folder)), threads=1)
    for document in documents[:3]:
        whole = relater.scores(document)
        monkeypatch.setattr(relations, "_AT_ONCE", 1)
        parts = relater.scores(document)
        monkeypatch.undo()
        assert len(whole.types) > 1
        for name in ("types", "novelty", "weights"):  # 8 bits are scaled over what runs together
            np.testing.assert_allclose(getattr(parts, name), getattr(whole, name), atol=0.2)
        np.testing.assert_allclose(whole.weights.sum(axis=1), 1, atol=1e-5)


def test_the_words_have_their_share(bundle_folder, documents, tmp_path):
    """Silent words leave the reader's scores alone, shrunk by its share."""
    settings = load_bundle(bundle_folder).settings
    assert settings.relations.words == 0.4
    shutil.copytree(bundle_folder, tmp_path / "silent")
    weights = np.load(bundle_folder / "words.npy")
    assert weights.dtype == np.float16
    np.save(tmp_path / "silent" / "words.npy", np.zeros_like(weights))
    whole, silent = (
        Relater(reader_of(load_bundle(folder)), threads=1).scores(documents[0])
        for folder in (bundle_folder, tmp_path / "silent")
    )
    reader = silent.types / 0.6
    words = (whole.types - silent.types) / 0.4
    assert np.abs(words).max() > 0.1
    np.testing.assert_allclose(whole.types, 0.6 * reader + 0.4 * words, atol=1e-5)


def test_an_absent_bundle_is_named(tmp_path):
    with pytest.raises(ModelError, match="no model bundle at"):
        load_bundle(tmp_path)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda f: (f / "pairs.onnx").unlink(), "lacks pairs.onnx"),
        (lambda f: (f / "words.npy").unlink(), r"lacks words\.npy"),
        (lambda f: (f / "bundle.json").write_text("{"), "truncated"),
        (lambda f: (f / "reader.onnx").write_bytes(b"nothing"), "checksum"),
        (
            lambda f: (f / "bundle.json").write_text(
                json.dumps(json.loads((f / "bundle.json").read_text()) | {"layout": 99})
            ),
            "layout 99",
        ),
    ],
)
def test_a_spoiled_bundle_is_refused(bundle_folder, tmp_path, spoil, message):
    folder = tmp_path / "bundle"
    shutil.copytree(bundle_folder, folder)
    spoil(folder)
    with pytest.raises(ModelError, match=message):
        load_bundle(folder, verify=True)


def test_a_file_that_is_no_graph_is_one_line(tmp_path):
    from bluered.inference.session import open_session

    path = tmp_path / "tagger.onnx"
    path.write_bytes(b"nothing")
    with pytest.raises(ModelError, match="not a graph") as caught:
        open_session(path)
    assert "\n" not in str(caught.value)


def test_the_card_names_recipe_data_and_scores(bundle_folder):
    card = load_bundle(bundle_folder).card
    assert "recipes/reader.toml" in card
    assert "biored:train" in card
    assert "f1" in card
