"""A name of the hub is taken from its cache; what is not there says how to get it. No network."""

import shutil

import pytest

pytestmark = pytest.mark.train
pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache of the hub, and no network."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    return tmp_path / "hub"


def test_what_is_in_the_cache_is_taken_offline(cache, tiny_encoder):
    from bluered.models.encoder import build_encoder, encoder_folder

    folder = cache / "models--somebody--tiny" / "snapshots" / ("0" * 40)
    shutil.copytree(tiny_encoder("Bert"), folder)
    (cache / "models--somebody--tiny" / "refs").mkdir()
    (cache / "models--somebody--tiny" / "refs" / "main").write_text("0" * 40)
    assert encoder_folder("hf:somebody/tiny") == folder
    build_encoder(folder, pretrained=True)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "hf:somebody/BERT-x",
            r"hf:somebody/BERT-x is neither .* `hf download somebody/BERT-x --local-dir BERT-x`.*"
            r'encoder = "BERT-x"',
        ),
        ("hf:a/b/c", "hf:a/b/c is no name on the hub: expected hf:OWNER/NAME"),
    ],
)
def test_what_cannot_be_had_is_one_line(cache, name, message):
    from bluered.errors import ModelError
    from bluered.models.encoder import encoder_folder

    with pytest.raises(ModelError, match=message) as caught:
        encoder_folder(name)
    assert "\n" not in str(caught.value)


def test_only_names_of_the_hub_are_looked_for_there(monkeypatch):
    from bluered.errors import ModelError
    from bluered.models import encoder

    monkeypatch.setattr(encoder, "fetched", lambda name: pytest.fail("asked the hub"))
    with pytest.raises(ModelError, match=r"no encoder at somebody/tiny: .*hf:OWNER/NAME"):
        encoder.encoder_folder("somebody/tiny")


@pytest.mark.parametrize("form", ["safetensors", "bin"])
def test_one_form_of_the_weights_is_fetched(monkeypatch, tmp_path, form):
    from fnmatch import fnmatch

    from bluered.models import hub

    there = ["config.json", "vocab.txt", "pytorch_model.bin", "tf_model.h5", "flax_model.msgpack"]
    there += ["onnx/model.onnx", "README.md", *(["model.safetensors"] * (form == "safetensors"))]

    def snapshot(repository, *, allow_patterns):
        assert repository == "somebody/tiny"
        for file in there:
            if any(fnmatch(file, pattern) for pattern in allow_patterns):
                (tmp_path / file).touch()
        return str(tmp_path)

    monkeypatch.setattr(hub, "snapshot_download", snapshot)
    assert hub.fetched("hf:somebody/tiny") == tmp_path
    weights = {"safetensors": "model.safetensors", "bin": "pytorch_model.bin"}[form]
    assert {path.name for path in tmp_path.iterdir()} == {"config.json", "vocab.txt", weights}
