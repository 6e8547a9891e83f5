"""The reader learns mentions and relations of the invented corpus, from partial labels too."""

import numpy as np
import pytest
from msgspec.structs import replace

from bluered import corpora
from bluered.documents.biored_types import DISEASE, GENE

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")


@pytest.fixture
def documents(tiny, monkeypatch):
    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    return list(corpora.documents("biored", "dev"))


@pytest.fixture
def read(tiny, trained_reader):
    from bluered.training.run import load_run, recipe_tokenizer

    recipe, model = load_run(tiny.runs / "reader")
    return recipe, model, recipe_tokenizer(recipe)


def rows(read, documents, source=None):
    from bluered.training import reader
    from bluered.training.known_names import KnownNames
    from bluered.training.sources import SOURCES, Example

    recipe, _, tokenizer = read
    names = KnownNames(documents)
    own = source or SOURCES["biored:train"]
    return [reader.row_of(Example(d, own), tokenizer, recipe, names) for d in documents]


def test_it_learns_the_invented_corpus(tiny, trained_reader):
    from bluered.training.loop import read_log

    log = read_log(tiny.runs / "reader")
    assert log[-1]["loss"] < log[0]["loss"] / 4
    assert trained_reader.dev["f1"] > 0.9
    assert trained_reader.dev["pair"] > 0.9
    assert trained_reader.dev["all"] > 0.9
    both = (trained_reader.dev["f1"] + trained_reader.dev["mean"]) / 2
    assert trained_reader.dev["score"] == pytest.approx(both, abs=1e-4)


def test_its_loss_falls_only_where_something_is_known(read, documents):
    """A document whose types were not annotated, with no pairs, teaches next to nothing."""
    from bluered.training.reader import loss
    from bluered.training.sources import SOURCES

    _, model, _ = read
    bare = [replace(d, entities=(), relations=()) for d in documents]
    silent = replace(SOURCES["nlm-gene:train"], types={}, relations=None)
    with torch.inference_mode():
        known = float(loss(model, rows(read, bare)))
        unknown = float(loss(model, rows(read, bare, silent)))
    assert unknown < 1e-3 < known


def test_a_word_left_unmarked_is_open_for_types_that_were_not_annotated(read, documents):
    from bluered.training.sources import SOURCES

    recipe, _, _ = read
    genes = [replace(d, entities=tuple(e for e in d.entities if e.type == GENE)) for d in documents]
    source = replace(SOURCES["gnormplus:train"], types={"Gene": GENE})
    for row in rows(read, genes, source):
        assert row.pairs is None
        possible = np.concatenate(row.possible)
        disease = 1 + 2 * recipe.types.index(DISEASE)
        gene = 1 + 2 * recipe.types.index(GENE)
        inside = possible[:, gene] | possible[:, gene + 1]
        assert inside.any()
        assert not possible[inside][:, [0, disease, disease + 1]].any()
        assert possible[~inside][:, [0, disease, disease + 1]].all()


def test_documents_of_several_windows_are_put_together_in_order(read, documents):
    """Each piece's state is that of the window which decides it."""
    from bluered.training import reader

    long = replace(documents[0], id="long")
    recipe, model, tokenizer = read
    narrow = (replace(recipe, window=14, overlap=4), model, tokenizer)
    for row in rows(narrow, [long]):
        assert len(row.windows) > 1
        with torch.inference_mode():
            _, states = reader.read(model, row.windows)
            (hidden,) = reader.whole_states(states, [row])
            assert hidden.shape[0] == row.pieces
            for window in row.windows:
                span = window.pieces
                alone = reader.read(model, [window])[1][0]
                kept = alone[span.keep_start + 1 - span.start : span.keep_end + 1 - span.start]
                own = hidden[span.keep_start : span.keep_end]
                assert torch.allclose(own, kept, atol=1e-5)


def test_a_batch_gives_what_its_documents_give_alone(read, documents):
    from bluered.training import reader

    _, model, _ = read
    made = rows(read, documents[:4])
    with torch.inference_mode():
        together = reader.read(model, [w for row in made for w in row.windows])[1]
        hidden = reader.whole_states(together, made)
        for row, states in zip(made, hidden, strict=True):
            alone = reader.whole_states(reader.read(model, row.windows)[1], [row])[0]
            assert torch.allclose(states, alone, atol=1e-5)


def test_answers_are_the_relations_of_dev(read, documents, trained_reader):
    from bluered.training.reader import answers

    recipe, model, tokenizer = read
    bare = [replace(document, relations=()) for document in documents]
    with torch.inference_mode():
        said = list(answers(model, bare, tokenizer, recipe, trained_reader.dev))
    found = [{(frozenset((r.head, r.tail)), r.type, r.novel) for r in d.relations} for d in said]
    gold = [
        {(frozenset((r.head, r.tail)), r.type, r.novel) for r in d.relations} for d in documents
    ]
    assert sum(a == b for a, b in zip(found, gold, strict=True)) >= len(documents) - 1


def test_the_run_names_all_its_corpora(tiny, tmp_path, monkeypatch):
    """With a further corpus: its checksum in result.json, and what a card says of it."""
    import hashlib
    import json

    from bluered.training.run import all_trained_on, train

    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    path = tmp_path / "reader.toml"
    written = tiny.reader.read_text().replace("epochs = 8", "epochs = 1")
    written = written.replace('words = "pair-words"\n', "")
    path.write_text(written.replace("layers = 1", 'layers = 1\ncorpora = ["tmvar3:train"]'))
    file = tiny.data / "ner_pubtator" / "tmVar3_Train.PubTator"
    file.parent.mkdir(exist_ok=True)
    body = "A note on BRCA2 and on marshes, none of which was ever seen in another paper of ours."
    file.write_text(f"7|t|{body}\n7|a|\n7\t10\t15\tBRCA2\tGene\t675\n\n")
    train(path, tmp_path / "runs")
    data = json.loads((tmp_path / "runs" / "reader" / "result.json").read_text())["data"]
    assert set(data) == {"train", "dev", "tmvar3:train"}
    assert data["tmvar3:train"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert list(all_trained_on(tmp_path / "runs" / "reader")) == [
        "biored:train",
        "tmvar3:train without biored:dev and biored:test",
    ]


def test_padding_changes_nothing(read, documents):
    """A window of three words beside one of forty pieces is read as it is alone."""
    from bluered.training import reader

    _, model, _ = read
    short = replace(documents[0], text="Loss of pain", passages=(), entities=(), relations=())
    made = rows(read, [short, documents[1]])
    windows = [window for row in made for window in row.windows]
    assert len(windows[0].ids) < len(windows[1].ids) / 3
    with torch.inference_mode():
        together = reader.read(model, windows)
        for number, window in enumerate(windows):
            emissions, states = reader.read(model, [window])
            words, pieces = len(window.first), len(window.ids)
            assert torch.allclose(together[0][number, :words], emissions[0], atol=1e-5)
            assert torch.allclose(together[1][number, :pieces], states[0], atol=1e-5)


def test_a_batch_costs_what_its_documents_cost(read, documents):
    """The pairs' loss is per pair of the batch, the tags' per word: no document alters another."""
    from bluered.training import reader

    _, model, _ = read
    made = rows(read, documents[:4])
    with torch.inference_mode():
        read_all = reader.read(model, [w for row in made for w in row.windows])[1]
        hidden = reader.whole_states(read_all, made)
        told = [row.pairs for row in made if row.pairs is not None]
        pairs = list(zip(hidden, told, strict=True))
        together = float(reader._pairs_loss(model, pairs))
        alone = [float(reader._pairs_loss(model, [each])) for each in pairs]
    counts = [len(each.targets.found.pairs) for each in told]
    assert together == pytest.approx(np.average(alone, weights=counts), abs=1e-5)


def test_a_text_without_words_teaches_and_answers_nothing(read, documents, trained_reader):
    from bluered.training import reader

    recipe, model, tokenizer = read
    empty = [
        replace(document, text=text, passages=(), entities=(), relations=())
        for document, text in zip(documents, ("", "  ", "\x01"), strict=False)
    ]
    made = reader.rows([documents[3], *empty], tokenizer, recipe)
    assert len(made) == 1
    with torch.inference_mode():
        said = list(reader.answers(model, empty, tokenizer, recipe, trained_reader.dev))
    assert said == empty


def test_a_stopped_reader_goes_on_to_the_same_weights(
    tiny, trained_reader, tmp_path, monkeypatch, stopped_once
):
    from safetensors.torch import load_file

    from bluered.training.run import train

    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    train(tiny.words, tmp_path)
    with pytest.raises(KeyboardInterrupt):
        train(tiny.reader, tmp_path)
    assert train(tiny.reader, tmp_path).dev == trained_reader.dev
    one, two = (load_file(runs / "reader" / "best.safetensors") for runs in (tiny.runs, tmp_path))
    assert one.keys() == two.keys()
    assert all(torch.equal(one[key], two[key]) for key in one)
