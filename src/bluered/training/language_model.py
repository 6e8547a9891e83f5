"""Training a language model: texts as rows of pieces, some hidden and guessed."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from bluered.encoding.batches import lengths_mask, pad
from bluered.encoding.tagging import special_ids
from bluered.encoding.tokens import Ints
from bluered.errors import ModelError
from bluered.models.language_model import LanguageModel
from bluered.training.loop import Scores

Row = TypeVar("Row")

HIDDEN = 0.2
"""Share of the pieces that are to be guessed; more than BERT's 0.15 since every step is dear
(Wettig et al. 2023 find 0.15 to 0.4 about as good)."""

_MASKS = ("[MASK]", "<mask>")
"""The piece that hides others, as BERT's and RoBERTa's kin write it."""

_SHORTEST = 12
"""Pieces below which a line is no text worth learning from: a heading, an id."""

_HELD_OUT = 256
"""Rows at most that show how well the model guesses."""


def rows(texts: Iterable[str], tokenizer: Tokenizer, *, window: int) -> list[Ints]:
    """Return the lines of texts as rows of at most `window` pieces with the special tokens."""
    opening, closing = special_ids(tokenizer)
    lines = [line for text in texts for line in text.splitlines() if line.strip()]
    made = []
    for encoding in tokenizer.encode_batch(lines, add_special_tokens=False):
        ids = np.asarray(encoding.ids, dtype=np.int64)
        size = window - 2
        pieces = (ids[start : start + size] for start in range(0, len(ids), size))
        made += [np.concatenate([[opening], p, [closing]]) for p in pieces if len(p) >= _SHORTEST]
    return made


def split_rows(made: Sequence[Row], *, seed: int) -> tuple[list[Row], list[Row]]:
    """Return the rows to learn from and those held out (1%, a few hundred at most)."""
    order = np.random.default_rng(seed).permutation(len(made)).tolist()
    out = max(1, min(_HELD_OUT, len(made) // 100))
    return [made[i] for i in order[out:]], [made[i] for i in order[:out]]


class Masking:
    """Hides pieces as BERT does: 8 of 10 behind [MASK], 1 as another piece, 1 as it is."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        """Take the mask's id from the tokenizer; ModelError for one that has no such piece."""
        known = map(tokenizer.token_to_id, _MASKS)
        mask = next((number for number in known if number is not None), None)
        if mask is None:
            raise ModelError(f"expected a tokenizer with the piece {' or '.join(_MASKS)}")
        self.mask = mask
        self.size = tokenizer.get_vocab_size()

    def __call__(self, ids: Tensor, present: Tensor) -> tuple[Tensor, Tensor]:
        """Return the ids with some hidden, and where; chance is torch's."""
        inner = present.clone()
        inner[:, 0] = False
        inner.scatter_(1, present.sum(dim=1, keepdim=True) - 1, False)
        hidden = (torch.rand(ids.shape) < HIDDEN) & inner
        kind = torch.rand(ids.shape)
        changed = torch.where(hidden & (kind < 0.8), self.mask, ids)
        others = torch.randint(self.size, ids.shape)
        return torch.where(hidden & (kind >= 0.9), others, changed), hidden


def _scores(model: nn.Module, batch: list[Ints], masking: Masking) -> tuple[Tensor, Tensor]:
    """Return the scores at the hidden places and what stood there."""
    assert isinstance(model, LanguageModel)
    ids = torch.from_numpy(pad(batch))
    present = torch.from_numpy(lengths_mask(batch))
    changed, hidden = masking(ids, present)
    return model(changed, present.long(), hidden), ids[hidden]


def loss_of(masking: Masking) -> Callable[[nn.Module, list[Ints]], Tensor]:
    """Return the function that gives the cross-entropy of the hidden pieces of a batch."""

    def loss(model: nn.Module, batch: list[Ints]) -> Tensor:
        return nn.functional.cross_entropy(*_scores(model, batch, masking))

    return loss


def evaluation(held_out: Sequence[Ints], masking: Masking) -> Callable[[nn.Module], Scores]:
    """Return the function that gives the share of hidden pieces guessed, and the cross-entropy.

    The same pieces are hidden each time, and training's chance is left as it was.
    """

    def evaluate(model: nn.Module) -> Scores:
        state = torch.get_rng_state()
        torch.manual_seed(0)
        right = total = 0
        entropy = 0.0
        for start in range(0, len(held_out), 32):
            scores, gold = _scores(model, list(held_out[start : start + 32]), masking)
            right += int((scores.argmax(dim=1) == gold).sum())
            entropy += float(nn.functional.cross_entropy(scores, gold, reduction="sum"))
            total += len(gold)
        torch.set_rng_state(state)
        return {
            "accuracy": round(right / max(1, total), 4),
            "entropy": round(entropy / max(1, total), 4),
        }

    return evaluate
