"""Tiny encoders of each architecture, untrained, in folders as Hugging Face writes them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

COMMON = {
    "vocab_size": 120,
    "hidden_size": 16,
    "num_hidden_layers": 3,
    "num_attention_heads": 2,
    "intermediate_size": 24,
    "max_position_embeddings": 40,
}
ARCHITECTURES: dict[str, dict[str, Any]] = {
    "Bert": {},
    "Roberta": {"type_vocab_size": 1},
    "Electra": {"embedding_size": 8},
    "DistilBert": {"dim": 16, "n_layers": 3, "n_heads": 2, "hidden_dim": 24},
    "Albert": {"embedding_size": 8},
    "DebertaV2": {  # as DeBERTa-v3 has it, and v2's convolution
        "relative_attention": True,
        "position_buckets": 8,
        "norm_rel_ebd": "layer_norm",
        "share_att_key": True,
        "pos_att_type": ["p2c", "c2p"],
        "position_biased_input": False,
        "type_vocab_size": 0,
        "conv_kernel_size": 3,
    },
    "ModernBert": {
        "local_attention": 8,
        "global_attn_every_n_layers": 2,
        "pad_token_id": 0,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "cls_token_id": 1,
        "sep_token_id": 2,
    },
}


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory) -> Callable[[str], Path]:
    """Give the folder of a tiny encoder of an architecture: 3 layers, 16 wide, 40 positions."""
    torch = pytest.importorskip("torch", reason="needs the train extra")
    import transformers

    made: dict[str, Path] = {}

    def folder(name: str) -> Path:
        if name not in made:
            torch.manual_seed(len(made))
            config = getattr(transformers, f"{name}Config")(**COMMON | ARCHITECTURES[name])
            made[name] = tmp_path_factory.mktemp(name)
            getattr(transformers, f"{name}Model")(config).save_pretrained(made[name])
        return made[name]

    return folder
