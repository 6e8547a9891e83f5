"""ELMo's files: sizes in `options.json`, weights in an HDF5 file, as bilm-tf writes them.

The published models (Peters et al. 2018, and its PubMed model, which BLUE used) come so. The
weights have the names and shapes of `datasets`; the output layer that training needed is not
among them. The forget gate's bias lacks the 1.0 that TensorFlow adds (`elmo.FORGET_BIAS`), and
the table of characters lacks the row for places past a sentence's end.
"""

from pathlib import Path

import h5py
import msgspec
import numpy as np
import torch
from torch import nn

from bluered.encoding.elmo_characters import CHARACTERS
from bluered.encoding.viterbi import Floats
from bluered.errors import ModelError
from bluered.models.elmo import Elmo, ElmoOptions

_CELL = "RNN_{}/RNN/MultiRNNCell/Cell{}/LSTMCell/{}"


def read_elmo(options: Path, weights: Path) -> Elmo:
    """Return the model of an options file and a weight file.

    ModelError names the file, and the dataset with its expected shape, where something is missing
    or does not fit the options.
    """
    model = Elmo(read_options(options))
    try:
        with h5py.File(weights, "r") as file, torch.no_grad():
            for name, parameter in datasets(model).items():
                parameter.copy_(torch.from_numpy(_dataset(file, name, parameter, weights)))
    except OSError as error:
        raise ModelError(f"{weights}: expected ELMo weights in an HDF5 file: {error}") from None
    return model.eval()


def read_options(path: Path) -> ElmoOptions:
    """Return the sizes an `options.json` gives; what it says of the training is not read."""
    try:
        options = msgspec.json.decode(path.read_bytes(), type=ElmoOptions)
    except OSError as error:
        raise ModelError(f"{path}: expected ELMo's options.json: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise ModelError(f"{path}: not ELMo's options: {error}") from None
    check_options(options, str(path))
    return options


def check_options(options: ElmoOptions, path: str) -> None:
    """Raise ModelError for sizes that fit no ELMo; `path` says where they stand."""
    cnn, lstm = options.char_cnn, options.lstm
    if cnn.n_characters not in (CHARACTERS - 1, CHARACTERS):  # in training, in use
        raise ModelError(
            f"{path}: expected n_characters {CHARACTERS - 1} or {CHARACTERS} (bytes and marks), "
            f"found {cnn.n_characters}"
        )
    if lstm.projection_dim > lstm.dim:
        raise ModelError(
            f"{path}: projection_dim {lstm.projection_dim} is above dim {lstm.dim}: "
            "an LSTM's states are projected to fewer places, or not at all"
        )
    widest = max(width for width, _ in cnn.filters)
    if widest > cnn.max_characters_per_token:
        raise ModelError(
            f"{path}: a filter of width {widest} is wider than a word of "
            f"{cnn.max_characters_per_token} characters"
        )


def write_elmo(model: Elmo, options: Path, weights: Path) -> None:
    """Write a model as `read_elmo` and the original programs read it."""
    partial = options.with_name(options.name + ".partial")
    partial.write_bytes(msgspec.json.format(msgspec.json.encode(model.options), indent=2))
    partial.replace(options)
    partial = weights.with_name(weights.name + ".partial")
    with h5py.File(partial, "w") as file:
        for name, parameter in datasets(model).items():
            file.create_dataset(name, data=parameter.detach().cpu().numpy())
    partial.replace(weights)


def datasets(model: Elmo) -> dict[str, nn.Parameter]:
    """Return a model's parameters by the names of their datasets, all of the datasets' shapes."""
    layer = model.characters
    found = {"char_embed": layer.char_embed}
    for number, (kernel, bias) in enumerate(zip(layer.W_cnn, layer.b_cnn, strict=True)):
        found |= {f"CNN/W_cnn_{number}": kernel, f"CNN/b_cnn_{number}": bias}
    for number, highway in enumerate(layer.highways):
        found |= {f"CNN_high_{number}/{name}": p for name, p in highway.named_parameters()}
    if layer.W_proj is not None and layer.b_proj is not None:
        found |= {"CNN_proj/W_proj": layer.W_proj, "CNN_proj/b_proj": layer.b_proj}
    for direction, lstms in enumerate(model.directions):
        for depth, lstm in enumerate(lstms):  # type: ignore[arg-type]
            found |= {_CELL.format(direction, depth, n): p for n, p in lstm.named_parameters()}
    return found


def _dataset(file: h5py.File, name: str, parameter: nn.Parameter, path: Path) -> Floats:
    shape = tuple(parameter.shape)
    found = file.get(name)
    if not isinstance(found, h5py.Dataset):
        raise ModelError(f"{path}: no dataset {name}, expected one of shape {shape}")
    if found.shape != shape or found.dtype.kind != "f":
        raise ModelError(
            f"{path}: dataset {name} has shape {found.shape} of {found.dtype}, expected numbers "
            f"of shape {shape}, by the options file"
        )
    return found[...].astype(np.float32)
