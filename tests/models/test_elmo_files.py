"""ELMo's files: what is missing or does not fit is refused by name; what is written reads back."""

import json

import numpy as np
import pytest

from bluered.errors import ModelError

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")
h5py = pytest.importorskip("h5py", reason="needs the train extra: pip install 'bluered[train]'")

OPTIONS = {
    "lstm": {"dim": 4, "projection_dim": 3, "n_layers": 2, "cell_clip": 3, "proj_clip": 3},
    "char_cnn": {"embedding": {"dim": 2}, "filters": [[1, 2], [3, 3]], "n_highway": 1},
}
NAMES = [
    "char_embed",
    "CNN/W_cnn_1",
    "CNN/b_cnn_0",
    "CNN_high_0/W_carry",
    "CNN_high_0/b_transform",
    "CNN_proj/W_proj",
    "CNN_proj/b_proj",
    "RNN_0/RNN/MultiRNNCell/Cell0/LSTMCell/W_0",
    "RNN_1/RNN/MultiRNNCell/Cell1/LSTMCell/B",
    "RNN_1/RNN/MultiRNNCell/Cell0/LSTMCell/W_P_0",
]


@pytest.fixture
def files(tmp_path):
    import msgspec

    from bluered.models.elmo import Elmo, ElmoOptions
    from bluered.models.elmo_files import write_elmo

    torch.manual_seed(1)
    written = tmp_path / "options.json", tmp_path / "weights.hdf5"
    write_elmo(Elmo(msgspec.convert(OPTIONS, ElmoOptions)), *written)
    return written


def refused(files) -> str:
    from bluered.models.elmo_files import read_elmo

    with pytest.raises(ModelError) as caught:
        read_elmo(*files)
    return str(caught.value)


def test_what_is_written_reads_back(files, tmp_path):
    from bluered.models.elmo_files import datasets, read_elmo, write_elmo

    model = read_elmo(*files)
    again = tmp_path / "again.json", tmp_path / "again.hdf5"
    write_elmo(model, *again)
    assert again[0].read_bytes() == files[0].read_bytes()
    with h5py.File(files[1]) as one, h5py.File(again[1]) as other:
        for name in datasets(model):
            assert np.array_equal(one[name][...], other[name][...])
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "again.hdf5", "again.json", "options.json", "weights.hdf5",
    ]  # fmt: skip


def test_the_names_and_shapes_are_the_public_ones(files):
    with h5py.File(files[1]) as file:
        assert [name for name in NAMES if name not in file] == []
        assert file["char_embed"].shape == (261, 2)
        assert file["CNN/W_cnn_1"].shape == (1, 3, 2, 3)
        assert file[NAMES[-3]].shape == (6, 16)
        assert file[NAMES[-1]].shape == (4, 3)


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_dataset_is_named_with_its_shape(files, name):
    with h5py.File(files[1], "a") as file:
        shape = file[name].shape
        del file[name]
    message = refused(files)
    assert str(files[1]) in message
    assert f"no dataset {name}, expected one of shape {shape}" in message


@pytest.mark.parametrize("name", NAMES)
def test_another_shape_is_refused(files, name):
    with h5py.File(files[1], "a") as file:
        value = file[name][...]
        del file[name]
        file[name] = value[:-1]
    message = refused(files)
    assert f"dataset {name} has shape {value[:-1].shape}" in message
    assert f"of shape {value.shape}" in message


def test_datasets_of_text_are_refused(files):
    with h5py.File(files[1], "a") as file:
        del file["CNN/b_cnn_0"]
        file["CNN/b_cnn_0"] = np.array([b"a", b"b"])
    assert "dataset CNN/b_cnn_0" in refused(files)


def test_a_group_where_a_dataset_should_be(files):
    with h5py.File(files[1], "a") as file:
        del file["char_embed"]
        file.create_group("char_embed")
    assert "no dataset char_embed" in refused(files)


def test_numbers_of_double_precision_are_read(files):
    from bluered.models.elmo_files import read_elmo

    before = read_elmo(*files).characters.char_embed
    with h5py.File(files[1], "a") as file:
        value = file["char_embed"][...]
        del file["char_embed"]
        file["char_embed"] = value.astype(np.float64)
    assert torch.equal(read_elmo(*files).characters.char_embed, before)


def test_files_that_are_absent_or_something_else(files, tmp_path):
    options, weights = files
    assert str(tmp_path / "no.hdf5") in refused((options, tmp_path / "no.hdf5"))
    weights.write_bytes(b"PK\x03\x04 not this")
    assert f"{weights}: expected ELMo weights in an HDF5 file" in refused(files)
    weights.write_bytes(b"")
    assert str(weights) in refused(files)
    assert str(tmp_path / "no.json") in refused((tmp_path / "no.json", weights))


def test_a_truncated_weight_file_is_refused(files):
    whole = files[1].read_bytes()
    files[1].write_bytes(whole[: len(whole) // 2])
    assert str(files[1]) in refused(files)


@pytest.mark.parametrize(
    ("part", "name", "value", "said"),
    [
        ("lstm", "dim", None, "$.lstm.dim"),
        ("lstm", "dim", 2, "projection_dim 3 is above dim 2"),
        ("lstm", "n_layers", 0, "$.lstm.n_layers"),
        ("lstm", "cell_clip", -1, "$.lstm.cell_clip"),
        ("char_cnn", "activation", "gelu", "$.char_cnn.activation"),
        ("char_cnn", "n_characters", 300, "n_characters 261 or 262"),
        ("char_cnn", "filters", [], "$.char_cnn.filters"),
        ("char_cnn", "filters", [[0, 2]], "$.char_cnn.filters"),
        ("char_cnn", "filters", [[51, 5]], "width 51 is wider than a word of 50"),
    ],
)
def test_options_that_make_no_model_are_refused(files, part, name, value, said):
    options = json.loads(files[0].read_text())
    options[part][name] = value
    files[0].write_text(json.dumps(options))
    message = refused(files)
    assert str(files[0]) in message
    assert said in message


def test_options_without_a_part_or_not_json(files):
    files[0].write_text('{"lstm": {}}')
    assert "char_cnn" in refused(files) or "dim" in refused(files)
    files[0].write_text("{")
    assert str(files[0]) in refused(files)
