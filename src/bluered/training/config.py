"""One TOML recipe per model, read into one typed struct; an unknown key is an error."""

from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from bluered.errors import ModelError

SPECIAL = 2
"""Special tokens in each window."""

Positive = Annotated[int, Meta(ge=1)]
Count = Annotated[int, Meta(ge=0)]
Rate = Annotated[float, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0, lt=1)]


class Optimisation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """AdamW with linear warm-up and linear decay.

    `encoder_rate` is the learning rate of the pretrained encoder, `head_rate` that of everything
    new; `batch` counts documents. Training stops early after `patience` epochs that bring no better
    dev score (0: never), or after `stop` epochs; the schedule is laid out for all `epochs`.
    """

    epochs: Positive
    batch: Positive
    encoder_rate: Rate
    head_rate: Rate
    warmup: Share = 0.1
    weight_decay: Rate = 0.01
    clip: Annotated[float, Meta(gt=0)] = 1.0
    patience: Count = 0
    stop: Count = 0
    average: Share = 0.0  # decay of the running average of the weights; 0 for none


ModelName = Literal[
    "tagger", "relations", "similarity", "pair-labels", "sentence-relations", "sentence-labels"
]
"""What bluered.training.kinds can train."""


class Recipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one model is made of. `encoder` names a checkpoint, or the run it starts from.

    `types` are the entity types or labels it tells apart; left out, those of the task's entry.
    """

    model: ModelName
    task: str
    train: str = "train"
    dev: str = "dev"
    types: tuple[str, ...] = ()
    encoder: str
    layers: int = 0  # of the encoder, from the lowest; 0 for all
    start_from: str = ""  # a run whose weights are taken over where they fit
    seed: int = 13
    window: Positive = 512  # pieces, with the two special tokens
    overlap: Count = 128
    dropout: Share = 0.2
    optimisation: Optimisation


class LinearRecipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A linear baseline: the task, and the costs of an error among which dev decides."""

    model: Literal["linear"]
    task: str
    train: str = "train"
    dev: str = "dev"
    costs: Annotated[tuple[float, ...], Meta(min_length=1)] = (1.0, 3.0, 10.0, 30.0, 100.0)


def load_recipe(path: Path) -> Recipe | LinearRecipe:
    """Read a recipe, or raise ModelError naming the file and the key."""
    try:
        content = msgspec.toml.decode(path.read_bytes())
        linear = isinstance(content, dict) and content.get("model") == "linear"
        recipe = msgspec.convert(content, LinearRecipe if linear else Recipe)
    except FileNotFoundError:
        raise ModelError(f"no recipe at {path}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ModelError(f"{path} is no recipe: {error}") from None
    if isinstance(recipe, Recipe) and recipe.overlap >= recipe.window - SPECIAL:
        raise ModelError(
            f"{path}: windows of {recipe.window} pieces cannot overlap by {recipe.overlap}: "
            f"expected a window larger than overlap + {SPECIAL}"
        )
    return recipe
