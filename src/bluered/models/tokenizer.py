"""The tokenizer of an encoder's folder, made from what is there."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer
from transformers import AutoTokenizer

from bluered.encoding.tokens import cut_at_words, load_tokenizer
from bluered.errors import ModelError
from bluered.models.encoder import encoder_config

_SPECIAL = ("[", "<")
"""How a piece begins that stands for no text: [CLS], <mask>."""


def encoder_tokenizer(folder: Path) -> Tokenizer:
    """Return the tokenizer of an encoder, ready for `bluered.encoding.tokens.tokenize`.

    From its tokenizer.json, or else from vocab.txt, vocab.json with merges.txt or a SentencePiece
    model. BERT's vocab.txt is read in lower case as tokenizer_config.json says, and where it says
    nothing (BlueBERT, the first BioBERT) if no piece has a capital. ModelError for none of these.
    """
    if (folder / "tokenizer.json").is_file():
        return load_tokenizer(folder / "tokenizer.json")
    if not any(any(folder.glob(name)) for name in ("vocab.*", "*.model")):
        raise ModelError(
            f"no tokenizer at {folder}: expected tokenizer.json, vocab.txt, vocab.json with "
            "merges.txt, or a SentencePiece model"
        )
    if not any(folder.glob("vocab.*")) and find_spec("sentencepiece") is None:
        raise ModelError(
            f"the tokenizer at {folder} is a SentencePiece model without tokenizer.json: "
            "pip install sentencepiece"
        )
    options: dict[str, Any] = {"config": encoder_config(folder)}
    if (folder / "vocab.txt").is_file() and not _says_case(folder):
        options["do_lower_case"] = not _has_capitals(folder / "vocab.txt")
    try:
        made = AutoTokenizer.from_pretrained(folder, **options)
        return cut_at_words(made.backend_tokenizer)
    except (OSError, ValueError, ImportError, AttributeError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise ModelError(f"no tokenizer can be made of the files in {folder}: {reason}") from None


def _says_case(folder: Path) -> bool:
    path = folder / "tokenizer_config.json"
    return path.is_file() and "do_lower_case" in json.loads(path.read_text(encoding="utf-8"))


def _has_capitals(vocabulary: Path) -> bool:
    pieces = vocabulary.read_text(encoding="utf-8").splitlines()
    return any(p != p.lower() for p in pieces if not p.startswith(_SPECIAL))
