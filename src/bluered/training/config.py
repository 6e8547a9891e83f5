"""One TOML recipe per model, read into one typed struct; an unknown key is an error."""

from pathlib import Path

import msgspec
from msgspec import Struct

from bluered.errors import ModelError


class Optimisation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """AdamW with linear warm-up and linear decay.

    `encoder_rate` is the learning rate of the pretrained encoder, `head_rate` that of everything
    new; `batch` counts documents. Training stops early after `patience` epochs that bring no better
    dev score (0: never); the schedule is laid out for all `epochs`.
    """

    epochs: int
    batch: int
    encoder_rate: float
    head_rate: float
    warmup: float = 0.1
    weight_decay: float = 0.01
    clip: float = 1.0
    patience: int = 0
    average: float = 0.0  # decay of the running average of the weights; 0 for none


class Recipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one model is made of. `encoder` names a checkpoint, or the run it starts from."""

    model: str  # "tagger" or "relations"
    corpus: str
    train: str
    dev: str
    types: tuple[str, ...]
    encoder: str
    layers: int = 0  # of the encoder, from the lowest; 0 for all
    start_from: str = ""  # a run whose encoder weights are taken over
    seed: int = 13
    window: int = 512  # pieces, with the two special tokens
    overlap: int = 128
    dropout: float = 0.2
    optimisation: Optimisation


def load_recipe(path: Path) -> Recipe:
    """Read a recipe, or raise ModelError naming the file and the key."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Recipe)
    except FileNotFoundError:
        raise ModelError(f"no recipe at {path}") from None
    except msgspec.DecodeError as error:
        raise ModelError(f"{path}: {error}") from None
