"""An encoder's vocabulary fitted to a field: words it cuts into pieces in, unused pieces out.

A general vocabulary writes "methyltransferase" in six pieces and has thousands of pieces that no
abstract contains. Fewer pieces are faster; a smaller table of embeddings leaves room in the bundle.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable

import numpy as np
import torch
from msgspec import Struct
from tokenizers import Tokenizer
from torch import Tensor

from bluered.errors import ModelError

SEEN = 5
"""Times that a word must occur to be taken in."""

_SPECIAL = re.compile(r"\[[A-Z]+\]|<\w+>")
"""Pieces that stand for no text, also where a tokenizer does not list them apart."""


class Vocabulary(Struct, frozen=True):
    """A tokenizer with another vocabulary; `pieces` are the old ids each new one stands for."""

    tokenizer: Tokenizer
    pieces: tuple[tuple[int, ...], ...]


def fitted(tokenizer: Tokenizer, texts: Iterable[str], *, new: int) -> Vocabulary:
    """Return the vocabulary with `new` words of the texts, those that save most pieces.

    Pieces that occur in none of the texts are left out; single characters and special tokens stay,
    so that every text can still be written. ModelError for another tokenizer than WordPiece.
    """
    content = json.loads(tokenizer.to_str())
    if content["model"]["type"] != "WordPiece":
        raise ModelError(
            f"expected a WordPiece tokenizer to fit to texts, not {content['model']['type']}: "
            "keep its vocabulary (0 new words)"
        )
    old: dict[str, int] = content["model"]["vocab"]
    words, cuts = _words(tokenizer, texts)
    saving = {
        word: count * (len(cuts[word]) - 1)
        for word, count in words.items()
        if count >= SEEN and word not in old
    }
    added = sorted(saving, key=lambda word: (-saving[word], word))[:new]
    used = _used(old, words, set(added), content["model"]["continuing_subword_prefix"])
    special = {token["content"] for token in content["added_tokens"]}
    special |= {piece for piece in old if _SPECIAL.fullmatch(piece)}
    kept = [
        piece
        for piece in sorted(old, key=old.__getitem__)
        if piece in used or piece in special or piece.startswith("[unused1]")
    ]
    names = [*kept, *added]
    content["model"]["vocab"] = {piece: number for number, piece in enumerate(names)}
    for token in content["added_tokens"]:
        token["id"] = content["model"]["vocab"][token["content"]]
    _renumber(content.get("post_processor") or {}, content["model"]["vocab"])
    pieces = [(old[piece],) for piece in kept] + [cuts[word] for word in added]
    return Vocabulary(Tokenizer.from_str(json.dumps(content)), tuple(pieces))


def _words(
    tokenizer: Tokenizer, texts: Iterable[str]
) -> tuple[Counter[str], dict[str, tuple[int, ...]]]:
    """Return how often each word occurs, as the tokenizer writes it, and its pieces."""
    words: Counter[str] = Counter()
    for text in texts:
        normal = tokenizer.normalizer.normalize_str(text) if tokenizer.normalizer else text
        words.update(word for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(normal))
    names = list(words)
    encoded = tokenizer.encode_batch(
        [[name] for name in names], is_pretokenized=True, add_special_tokens=False
    )
    return words, {name: tuple(e.ids) for name, e in zip(names, encoded, strict=True)}


def _used(old: dict[str, int], words: Iterable[str], added: set[str], prefix: str) -> set[str]:
    """Return the old pieces that are met when the words are cut with the new ones at hand."""
    used = {piece for piece in old if len(piece.removeprefix(prefix)) == 1}
    known = old.keys() | added
    for word in words:
        start = 0
        while start < len(word):
            head = prefix if start else ""
            for end in range(len(word), start, -1):
                if (piece := head + word[start:end]) in known:
                    used.add(piece)
                    break
            else:
                break
            start = end
    return used


def _renumber(post_processor: dict[str, object], vocabulary: dict[str, int]) -> None:
    """Give the special tokens that a tokenizer puts around a text their new ids."""
    for key in ("sep", "cls"):
        if isinstance(pair := post_processor.get(key), list):
            pair[1] = vocabulary[pair[0]]
    specials = post_processor.get("special_tokens")
    if isinstance(specials, dict):
        for token in specials.values():
            token["ids"] = [vocabulary[name] for name in token["tokens"]]


def fitted_embeddings(embeddings: Tensor, vocabulary: Vocabulary) -> Tensor:
    """Return the embeddings of the new vocabulary: a word's is the mean of its pieces'."""
    rows = [embeddings[list(pieces)].mean(dim=0) for pieces in vocabulary.pieces]
    return torch.stack(rows)


def pieces_per_word(tokenizer: Tokenizer, texts: Iterable[str]) -> float:
    """Return how many pieces a word of the texts is written in, on average."""
    encoded = tokenizer.encode_batch(list(texts), add_special_tokens=False)
    pieces = sum(len(e.ids) for e in encoded)
    words = sum(len(np.unique([w for w in e.word_ids if w is not None])) for e in encoded)
    return pieces / max(1, words)
