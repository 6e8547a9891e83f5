"""ELMo equals a plain computation in loops, on files of the original layout made here."""

import json

import numpy as np
import pytest

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")
h5py = pytest.importorskip("h5py", reason="needs the train extra: pip install 'bluered[train]'")

FILTERS = [[1, 3], [2, 4], [5, 2]]
SENTENCES = [
    ["BRCA1", "mutations", "cause", "cancer"],
    ["α-synuclein", "µ"],
    ["x" * 60, "β" * 30, "x" * 61],
    [],
    ["a", "b", "a", "b", "a", "b", "a"],
]
CELL = "RNN_{}/RNN/MultiRNNCell/Cell{}/LSTMCell"


def options_of(**changes):
    lstm = {
        "dim": 5,
        "projection_dim": 4,
        "n_layers": 2,
        "cell_clip": 0.4,
        "proj_clip": 0.3,
        "use_skip_connections": True,
    }
    cnn = {
        "activation": "relu",
        "embedding": {"dim": 3},
        "filters": FILTERS,
        "n_highway": 2,
        "n_characters": 262,
        "max_characters_per_token": 50,
    }
    lstm |= {name: value for name, value in changes.items() if name in lstm}
    cnn |= {name: value for name, value in changes.items() if name in cnn}
    return {"bidirectional": True, "dropout": 0.1, "lstm": lstm, "char_cnn": cnn}


def weights_of(options, seed=0):
    """Return random weights by the names and shapes of the public files."""
    cnn, lstm = options["char_cnn"], options["lstm"]
    channels = sum(n for _, n in cnn["filters"])
    cells, size = lstm["dim"], lstm["projection_dim"]
    shapes = {"char_embed": (261, cnn["embedding"]["dim"])}
    for i, (width, n) in enumerate(cnn["filters"]):
        shapes[f"CNN/W_cnn_{i}"] = (1, width, cnn["embedding"]["dim"], n)
        shapes[f"CNN/b_cnn_{i}"] = (n,)
    for i in range(cnn["n_highway"]):
        for name in ("carry", "transform"):
            shapes[f"CNN_high_{i}/W_{name}"] = (channels, channels)
            shapes[f"CNN_high_{i}/b_{name}"] = (channels,)
    if channels != size:
        shapes |= {"CNN_proj/W_proj": (channels, size), "CNN_proj/b_proj": (size,)}
    for direction in (0, 1):
        for depth in range(lstm["n_layers"]):
            root = CELL.format(direction, depth)
            shapes |= {f"{root}/W_0": (2 * size, 4 * cells), f"{root}/B": (4 * cells,)}
            if size < cells:
                shapes[f"{root}/W_P_0"] = (cells, size)
    generator = np.random.default_rng(seed)
    return {
        name: generator.normal(0, 0.7, shape).astype(np.float32) for name, shape in shapes.items()
    }


@pytest.fixture
def written(tmp_path):
    def write(options, weights):
        (tmp_path / "options.json").write_text(json.dumps(options))
        with h5py.File(tmp_path / "weights.hdf5", "w") as file:
            for name, value in weights.items():
                file[name] = value
        return tmp_path / "options.json", tmp_path / "weights.hdf5"

    return write


def read(files):
    from bluered.models.elmo_files import read_elmo

    return read_elmo(*files)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def plain_word(ids, options, weights):
    """Return a word's vector from its character ids (without the shift by one)."""
    cnn, found = options["char_cnn"], []
    for i, (width, channels) in enumerate(cnn["filters"]):
        kernel = weights[f"CNN/W_cnn_{i}"].astype(float)[0]
        for channel in range(channels):
            best = -np.inf
            for at in range(len(ids) - width + 1):
                total = float(weights[f"CNN/b_cnn_{i}"][channel])
                for offset in range(width):
                    vector = weights["char_embed"][ids[at + offset]].astype(float)
                    total += float(vector @ kernel[offset, :, channel])
                best = max(best, total)
            found.append(np.tanh(best) if cnn["activation"] == "tanh" else max(best, 0))
    x = np.array(found)
    for i in range(cnn["n_highway"]):
        part = {k: weights[f"CNN_high_{i}/{k}"].astype(float) for k in ("W_carry", "b_carry")}
        part |= {
            k: weights[f"CNN_high_{i}/{k}"].astype(float) for k in ("W_transform", "b_transform")
        }
        gate = sigmoid(x @ part["W_carry"] + part["b_carry"])
        made = np.maximum(x @ part["W_transform"] + part["b_transform"], 0)
        x = gate * made + (1 - gate) * x
    if "CNN_proj/W_proj" in weights:
        x = x @ weights["CNN_proj/W_proj"].astype(float) + weights["CNN_proj/b_proj"]
    return x


def plain_lstm(inputs, root, lstm, weights):
    cells, size = lstm["dim"], lstm["projection_dim"]
    state, cell, found = np.zeros(size), np.zeros(cells), []
    for x in inputs:
        gates = np.concatenate([x, state]) @ weights[f"{root}/W_0"].astype(float)
        i, j, f, o = np.split(gates + weights[f"{root}/B"], 4)
        cell = sigmoid(f + 1) * cell + sigmoid(i) * np.tanh(j)
        if lstm["cell_clip"]:
            cell = np.clip(cell, -lstm["cell_clip"], lstm["cell_clip"])
        state = sigmoid(o) * np.tanh(cell)
        if size < cells:
            state = state @ weights[f"{root}/W_P_0"].astype(float)
            if lstm["proj_clip"]:
                state = np.clip(state, -lstm["proj_clip"], lstm["proj_clip"])
        found.append(state)
    return found


def plain_elmo(sentence, options, weights):
    """Return (layers, words, size) of one sentence."""
    width = options["char_cnn"]["max_characters_per_token"]
    rows = [[256], *[list(word.encode()[: width - 2]) for word in sentence], [257]]
    ids = [[258, *row, 259] + [260] * (width - 2 - len(row)) for row in rows]
    words = [plain_word(row, options, weights) for row in ids]
    layers = [[np.concatenate([x, x]) for x in words]]
    both = [words, words[::-1]]
    for depth in range(options["lstm"]["n_layers"]):
        for direction in (0, 1):
            root = CELL.format(direction, depth)
            made = plain_lstm(both[direction], root, options["lstm"], weights)
            if depth and options["lstm"]["use_skip_connections"]:
                made = [a + b for a, b in zip(made, both[direction], strict=True)]
            both[direction] = made
        layers.append([np.concatenate(pair) for pair in zip(both[0], both[1][::-1], strict=True)])
    return np.array(layers)[:, 1:-1]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"activation": "tanh", "n_highway": 0, "use_skip_connections": False},
        {"cell_clip": None, "proj_clip": None, "n_layers": 3},
        {"dim": 4},  # nothing is projected, so no W_P_0 and no clipping of states
        {"projection_dim": 9, "dim": 11},  # as many channels: no CNN_proj
        {"max_characters_per_token": 12, "n_characters": 261, "n_layers": 1},
    ],
)
def test_it_equals_a_plain_computation(written, changes):
    options = options_of(**changes)
    weights = weights_of(options)
    found = read(written(options, weights)).embed(SENTENCES)
    for sentence, vectors in zip(SENTENCES, found, strict=True):
        expected = plain_elmo(sentence, options, weights)
        assert vectors.shape == expected.shape
        np.testing.assert_allclose(vectors.numpy(), expected, atol=1e-5, rtol=0)


def test_clipping_matters_in_these_weights(written):
    options = options_of()
    weights = weights_of(options)
    tight = read(written(options, weights)).embed(SENTENCES[:1])[0]
    for name in ("cell_clip", "proj_clip"):
        loose = read(written(options_of(**{name: 50.0}), weights)).embed(SENTENCES[:1])[0]
        assert float((tight - loose).abs().max()) > 0.01


@pytest.mark.parametrize("batch", [1, 2, 3, 32])
def test_batches_and_padding_change_nothing(written, batch):
    options = options_of()
    model = read(written(options, weights_of(options)))
    for sentence, vectors in zip(SENTENCES, model.embed(SENTENCES, batch=batch), strict=True):
        alone = model.embed([sentence])[0]
        torch.testing.assert_close(vectors, alone, atol=1e-6, rtol=0)


def test_past_a_sentences_words_all_is_zero(written):
    from bluered.encoding.elmo_characters import character_ids

    options = options_of()
    model = read(written(options, weights_of(options)))
    made = model(torch.from_numpy(character_ids(SENTENCES)))
    assert made.shape == (3, 5, 7, 8)
    for number, sentence in enumerate(SENTENCES):
        assert not made[:, number, len(sentence) :].any()
        assert made[:, number, : len(sentence)].any(dim=2).all()


def test_words_with_the_same_first_bytes_are_one_word(written):
    options = options_of(n_layers=1)
    model = read(written(options, weights_of(options)))
    one, other = model.embed([["x" * 48], ["x" * 70]])
    assert torch.equal(one, other)


def test_layers_stand_side_by_side(written):
    from bluered.models.elmo import concatenated

    options = options_of()
    layers = read(written(options, weights_of(options))).embed(SENTENCES[:1])[0]
    assert concatenated(layers).shape == (4, 24)
    assert torch.equal(concatenated(layers)[:, 8:16], layers[1])
    assert torch.equal(concatenated(layers[1:]), concatenated(layers)[:, 8:])
    assert torch.equal(layers[0, :, :4], layers[0, :, 4:])


def test_no_sentence_and_only_empty_ones(written):
    options = options_of()
    model = read(written(options, weights_of(options)))
    assert model.embed([]) == []
    assert [tuple(made.shape) for made in model.embed([[], []])] == [(3, 0, 8)] * 2


def test_half_a_state_has_not_read_what_follows(written):
    from bluered.encoding.elmo_characters import character_ids

    options = options_of()
    model = read(written(options, weights_of(options)))
    ids = character_ids([["a", "b", "c"], ["a", "b", "d"], ["x", "b", "c"]])
    with torch.no_grad():
        states = model.states(torch.from_numpy(ids))[1:]
    same, different = torch.testing.assert_close, torch.equal
    same(states[:, 0, :3, :4], states[:, 1, :3, :4])
    assert not different(states[:, 0, 3, :4], states[:, 1, 3, :4])
    same(states[:, 0, 2:, 4:], states[:, 2, 2:, 4:])
    assert not different(states[:, 0, 1, 4:], states[:, 2, 1, 4:])


def test_every_parameter_learns(written):
    options = options_of(cell_clip=None, proj_clip=None)
    model = read(written(options, weights_of(options))).train()
    from bluered.encoding.elmo_characters import character_ids

    model(torch.from_numpy(character_ids(SENTENCES))).square().sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.any(), name
