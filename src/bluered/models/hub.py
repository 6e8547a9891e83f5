"""Encoders of the Hugging Face hub: fetched once, then taken from its cache, also offline."""

from pathlib import Path

from huggingface_hub import snapshot_download
from huggingface_hub.errors import (
    GatedRepoError,
    HFValidationError,
    RepositoryNotFoundError,
)

from bluered.errors import ModelError

PREFIX = "hf:"
"""What a name begins with that is to be fetched from the hub."""

_TEXTS = (
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "spiece.model",
    "spm.model",
    "sentencepiece.bpe.model",
)
_SAFETENSORS = ("model.safetensors", "model.safetensors.index.json", "model-*.safetensors")
_PICKLES = ("pytorch_model.bin", "pytorch_model.bin.index.json", "pytorch_model-*.bin")


def fetched(name: str) -> Path:
    """Return the cached folder of `hf:OWNER/NAME`, fetched where it is not yet there.

    Only the configuration, the tokenizer and one form of the weights are. HF_HUB_OFFLINE and
    HF_HOME are the hub's own settings. ModelError for what cannot be had, and how to get it.
    """
    repository = name.removeprefix(PREFIX)
    try:
        folder = Path(snapshot_download(repository, allow_patterns=[*_TEXTS, *_SAFETENSORS]))
        if not any(folder.glob("*.safetensors")):
            wanted = [*_TEXTS, *_PICKLES]  # the same again, so that a cache is seen to be whole
            folder = Path(snapshot_download(repository, allow_patterns=wanted))
    except HFValidationError:
        raise ModelError(f"{name} is no name on the hub: expected hf:OWNER/NAME") from None
    except GatedRepoError:
        raise ModelError(
            f"{name} is given only to those who accepted its terms: do so at "
            f"https://huggingface.co/{repository}, then `hf auth login`"
        ) from None
    except RepositoryNotFoundError:
        raise ModelError(f"no model {repository} on huggingface.co: check its name") from None
    except Exception as error:  # a network's errors are of several libraries
        raise ModelError(_absent(name, error)) from None
    if not (folder / "config.json").is_file():
        raise ModelError(_absent(name, FileNotFoundError("no config.json in the cache")))
    return folder


def _absent(name: str, error: Exception) -> str:
    repository = name.removeprefix(PREFIX)
    folder = repository.rpartition("/")[2]
    return (
        f"{name} is neither in the cache nor to be had from the hub ({type(error).__name__}): on a "
        f"machine with a network run `hf download {repository} --local-dir {folder}`, then give "
        f'that folder: encoder = "{folder}"'
    )
