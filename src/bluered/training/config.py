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
    "document-pairs",
    "marker-pair",
    "bert-gt",
    "similarity",
    "pair-labels",
    "sentence-relations",
    "sentence-labels",
    "bert-softmax",
    "bert-crf",
    "bert",
]
"""What bluered.training.kinds can train."""

PAIR_MODELS = ("document-pairs", "marker-pair", "bert-gt")
"""Models of relations of a document, on an encoder of their own."""

ONE_WINDOW = ("marker-pair", "bert-gt", "bert")
"""Models that read a text in one window, which overlaps with no other."""


class Recipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one model is made of. `encoder` names a checkpoint, or the run it starts from.

    `types` are the entity types or labels it tells apart; left out, those of the task's entry.
    A reader has `relations`, its relation types, and learns from further `corpora`
    (`training.sources`); `words` is a run of pair words that it is scored together with.

    Models that read a document once for each pair (`marker-pair`, `bert-gt`) count pairs in a
    batch. `decides` says what of a pair; `novelty_run` is a run that decides novelty, whose answers
    to the pairs that this one relates go with them.
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
    decides: Literal["types", "novelty", "both"] = "types"
    novelty_run: str = ""
    negatives: Annotated[float, Meta(gt=0, le=1)] = 1.0  # share of the empty pairs learned from
    graph_layers: Count = 0  # of the graph transformer of bert-gt; 0 for the encoder's number
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


class BilstmCrfRecipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A BiLSTM-CRF on vectors of words and their characters (`training.bilstm_crf`).

    `vectors` is a file of static vectors, `elmo` a folder with ELMo's two files, or either the run
    of a recipe that made it; without both there are only characters. The static vectors are
    trained with `encoder_rate` (0: they stay as they are), ELMo stays as it is. `hidden` is the
    width of the LSTM in each direction; a `batch` counts sentences.
    """

    model: Literal["bilstm-crf"]
    task: str
    train: str = "train"
    dev: str = "dev"
    types: tuple[str, ...] = ()
    vectors: str = ""
    elmo: str = ""
    hidden: Positive = 200
    layers: Positive = 1
    seed: int = 13
    dropout: Share = 0.5
    optimisation: Optimisation


class ElmoRecipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """BLUE's fine-tuning of ELMo (`training.elmo`): two hidden layers on an ELMo that stays.

    `elmo` is a folder with its two files, or the run of a recipe that made one. `hidden` is the
    width of both layers; a `batch` counts examples, for named entities sentences.
    """

    model: Literal["elmo"]
    task: str
    train: str = "train"
    dev: str = "dev"
    types: tuple[str, ...] = ()
    elmo: str
    hidden: Positive = 500
    seed: int = 13
    dropout: Share = 0.5
    optimisation: Optimisation


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


class ElmoSizes(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How large a new ELMo is: a small one, of the published architecture.

    `filters` are pairs of a convolution's width and its channels; an LSTM has so many `cells`, its
    states are projected to `projection` places. Cells and states are clipped at `clip`.
    """

    characters: Positive = 16
    filters: Annotated[tuple[tuple[Positive, Positive], ...], Meta(min_length=1)] = (
        (1, 32),
        (2, 32),
        (3, 64),
        (4, 128),
        (5, 128),
    )
    highways: Count = 1
    cells: Positive = 256
    projection: Annotated[int, Meta(ge=4)] = 128
    layers: Positive = 2
    clip: Annotated[float, Meta(gt=0)] = 3.0


NEW_ELMO = "elmo"
"""What `encoder` says where an ELMo is made, and no folder of one is gone on from."""

GUESSED = 30000
"""How many words an ELMo learns to guess, where nothing else is said."""


class BidirectionalRecipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bidirectional language model on texts: pre-training an ELMo (`training.pretrain_elmo`).

    `encoder` is `elmo` for a new one of `sizes`, or a folder with an ELMo's two files to go on
    from, which has its own sizes. Of the `vocabulary` most frequent words each is guessed, of all
    others that it is none of them. `rows` bounds the sentences (0: all), the first texts first;
    longer ones than `window` words are cut. A `batch` counts sentences.
    """

    model: Literal["bidirectional-language-model"] = "bidirectional-language-model"
    encoder: str = NEW_ELMO
    texts: Annotated[tuple[str, ...], Meta(min_length=1)]
    sizes: ElmoSizes = ElmoSizes()
    vocabulary: Positive = GUESSED
    rows: Count = 0
    window: Positive = 100
    seed: int = 13
    optimisation: Optimisation


class VectorsRecipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Static word vectors of texts by word2vec's skip-gram (`training.pretrain_vectors`).

    Words are lower-cased; each must be met `least` times. `window` words on either side are
    guessed, against `negative` words drawn by chance for each.
    """

    model: Literal["word-vectors"] = "word-vectors"
    texts: Annotated[tuple[str, ...], Meta(min_length=1)]
    size: Positive = 200
    window: Positive = 5
    negative: Positive = 5
    least: Positive = 3
    epochs: Positive = 5
    rate: Rate = 0.025
    seed: int = 13


TextRecipe = AdaptRecipe | BidirectionalRecipe | VectorsRecipe
"""What learns from texts alone and answers no task."""

WordLevelRecipe = BilstmCrfRecipe | ElmoRecipe
TaskRecipe = Recipe | WordsRecipe | LinearRecipe | WordLevelRecipe
AnyRecipe = TaskRecipe | TextRecipe


class StagesRecipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Recipes that are trained one after the other, by their files beside this one."""

    stages: Annotated[tuple[str, ...], Meta(min_length=1)]


_STRUCTS: dict[object, type[Struct]] = {
    "linear": LinearRecipe,
    "pair-words": WordsRecipe,
    "bilstm-crf": BilstmCrfRecipe,
    "elmo": ElmoRecipe,
    "language-model": AdaptRecipe,
    "bidirectional-language-model": BidirectionalRecipe,
    "word-vectors": VectorsRecipe,
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
    if isinstance(recipe, ElmoRecipe) and recipe.optimisation.encoder_rate:
        raise ModelError(f"{path}: ELMo stays as it is: expected encoder_rate = 0")
    if not isinstance(recipe, Recipe):
        return recipe
    if recipe.novelty_run and recipe.decides != "types":
        raise ModelError(f"{path}: `novelty_run` is for a model that decides types alone")
    if recipe.model not in ONE_WINDOW and recipe.overlap >= recipe.window - SPECIAL:
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
