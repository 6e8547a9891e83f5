"""One TOML recipe per model, read into one typed struct; an unknown key is an error."""

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from bluered.documents.biored_types import RELATION_TYPES
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
    "reader",
    "tagger",
    "relations",
    "similarity",
    "pair-labels",
    "sentence-relations",
    "sentence-labels",
]
"""What bluered.training.kinds can train."""


class Recipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one model is made of. `encoder` names a checkpoint, or the run it starts from.

    `types` are the entity types or labels it tells apart; left out, those of the task's entry.
    A reader has `relations`, its relation types, and learns from further `corpora`
    (`training.sources`); `words` is a run of pair words that it is scored together with.
    """

    model: ModelName
    task: str
    train: str = "train"
    dev: str = "dev"
    types: tuple[str, ...] = ()
    relations: tuple[str, ...] = RELATION_TYPES
    corpora: tuple[str, ...] = ()
    encoder: str
    layers: int = 0  # of the encoder, from the lowest; 0 for all
    words: str = ""
    words_share: Share = 0.4  # of the scores of relations that are theirs, chosen on dev
    start_from: str = ""  # a run whose weights are taken over where they fit
    seed: int = 13
    window: Positive = 512  # pieces, with the two special tokens
    overlap: Count = 128
    dropout: Share = 0.2
    optimisation: Optimisation


class WordsRecipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The words beside a reader (`training.words`), cut as the tokenizer of `encoder` does.

    The penalties on the squares of the weights were chosen on dev. A feature must be seen with
    `least` pairs.
    """

    model: Literal["pair-words"]
    task: str
    train: str = "train"
    dev: str = "dev"
    relations: tuple[str, ...] = RELATION_TYPES
    encoder: str
    penalty: Rate = 0.4
    novelty_penalty: Rate = 1.6
    least: Positive = 2


class LinearRecipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A linear baseline: the task, and the costs of an error among which dev decides."""

    model: Literal["linear"]
    task: str
    train: str = "train"
    dev: str = "dev"
    costs: Annotated[tuple[float, ...], Meta(min_length=1)] = (1.0, 3.0, 10.0, 30.0, 100.0)


class AdaptRecipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Masked-language modelling of an encoder on texts, with a vocabulary fitted to them.

    `texts` are CORPUS:SPLIT of the catalogue, or files in any format, below BLUERED_DATA or where
    one stands. `vocabulary` is how many of their words become pieces (0: the vocabulary stays).
    `rows` bounds what is learned from, the first texts first (0: all); all texts give words.
    """

    model: Literal["language-model"] = "language-model"
    encoder: str
    texts: Annotated[tuple[str, ...], Meta(min_length=1)]
    vocabulary: Count = 0
    rows: Count = 0
    layers: int = 0
    window: Positive = 128
    seed: int = 13
    optimisation: Optimisation


TaskRecipe = Recipe | WordsRecipe | LinearRecipe
AnyRecipe = TaskRecipe | AdaptRecipe


class StagesRecipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Recipes that are trained one after the other, by their files beside this one."""

    stages: Annotated[tuple[str, ...], Meta(min_length=1)]


_STRUCTS: dict[object, type[Struct]] = {
    "linear": LinearRecipe,
    "pair-words": WordsRecipe,
    "language-model": AdaptRecipe,
}


def keys_of(content: dict[str, Any]) -> tuple[str, ...]:
    """Return the keys that a recipe of its model may have."""
    return _STRUCTS.get(content.get("model"), Recipe).__struct_fields__


def load_recipe(path: Path) -> AnyRecipe:
    """Read the recipe of one model, or raise ModelError naming the file and the key."""
    content = read_content(path)
    if "stages" in content:
        raise ModelError(f"{path} is a recipe of stages: expected one of a single model")
    recipe: AnyRecipe = _convert(path, content, _STRUCTS.get(content.get("model"), Recipe))
    if isinstance(recipe, Recipe) and recipe.overlap >= recipe.window - SPECIAL:
        raise ModelError(
            f"{path}: windows of {recipe.window} pieces cannot overlap by {recipe.overlap}: "
            f"expected a window larger than overlap + {SPECIAL}"
        )
    return recipe


def stages(path: Path) -> tuple[Path, ...]:
    """Return the recipes that a recipe of stages names, in order; any other is its own stage."""
    content = read_content(path)
    if "stages" not in content:
        return (path,)
    named: StagesRecipe = _convert(path, content, StagesRecipe)
    return tuple(path.parent / stage for stage in named.stages)


def read_content(path: Path) -> dict[str, Any]:
    """Return what a recipe says, not yet looked at; ModelError for what is no TOML."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=dict[str, Any])
    except FileNotFoundError:
        raise ModelError(f"no recipe at {path}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ModelError(f"{path} is no recipe: {error}") from None


def _convert(path: Path, content: dict[str, Any], kind: type[Any]) -> Any:  # noqa: ANN401
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError as error:
        raise ModelError(f"{path} is no recipe: {error}") from None
