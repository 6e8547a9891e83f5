"""The plain BERT taggers learn an invented corpus, from a recipe to the answers of a run."""

import pytest

pytestmark = pytest.mark.train


@pytest.fixture(scope="module", params=["bert-softmax", "bert-crf"])
def run(request, tiny, tmp_path_factory):
    """A finished run of each of the two."""
    from bluered.training.run import train

    root = tmp_path_factory.mktemp("token-tagger")
    text = tiny.tagger.read_text().replace('model = "tagger"', f'model = "{request.param}"')
    (root / f"{request.param}.toml").write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLUERED_DATA", str(tiny.data))
        train(root / f"{request.param}.toml", root / "runs")
    return root / "runs" / request.param


def test_it_learns_and_its_loss_falls(run):
    from bluered.training.loop import read_log

    log = read_log(run)
    assert log[-1]["loss"] < log[0]["loss"] / 4
    assert max(epoch["f1"] for epoch in log) > 0.9


def test_a_run_answers_texts_without_looking_at_their_mentions(run, tiny, monkeypatch):
    from msgspec.structs import replace

    from bluered.corpora.catalog import task
    from bluered.tasks.examples import examples
    from bluered.training.predict import predict
    from bluered.training.tagger import strict_scores

    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    gold = list(examples(task("biored"), "test"))
    answers = list(predict(run, [replace(d, entities=()) for d in gold]))
    assert [d.id for d in answers] == [d.id for d in gold]
    assert strict_scores(gold, [d.entities for d in answers])["f1"] > 0.8
    assert answers == list(predict(run, gold))


def test_long_texts_are_read_in_windows(run, tiny, tiny_tokenizer):
    """A text of three windows has the mentions that its sentences have, wherever they are cut."""
    import torch

    from bluered.training.run import load_run
    from bluered.training.tagger import mentions_of
    from bluered.training.token_tagger import predict

    recipe, model = load_run(run)
    text = "Loss of SCN5A in long QT syndrome . " * 12
    with torch.inference_mode():
        tokens, tags = predict(model, text, tiny_tokenizer, recipe)
        assert len(tags) == len(tokens.first) == 96
    found = mentions_of(text, tokens, tags, recipe.types)
    assert sum(entity.text == "SCN5A" for entity in found) >= 11
    with torch.inference_mode():
        nothing, none = predict(model, " ", tiny_tokenizer, recipe)
    assert len(nothing.first) == len(none) == 0


def test_tags_that_break_bio_are_read_as_conlleval_reads_them():
    import numpy as np
    from seqeval.metrics.sequence_labeling import get_entities

    from bluered.encoding.tags import decode_tags

    names = ["O", "B-x", "I-x", "B-y", "I-y"]
    for seed in range(200):
        tags = np.random.default_rng(seed).integers(5, size=8)
        read = [("xy"[s.type_index], s.first, s.end - 1) for s in decode_tags(tags)]
        assert read == get_entities([names[tag] for tag in tags])


def test_a_window_that_an_encoder_cannot_read_is_told_before_a_run(tiny, tmp_path, monkeypatch):
    from bluered.errors import ModelError
    from bluered.training.run import train

    monkeypatch.setenv("BLUERED_DATA", str(tiny.data))
    text = tiny.tagger.read_text().replace("window = 40", "window = 65")
    (tmp_path / "long.toml").write_text(text)
    with pytest.raises(ModelError, match=r"windows of 65 pieces .* set window = 64"):
        train(tmp_path / "long.toml", tmp_path / "runs")
    assert not (tmp_path / "runs").exists()
