"""A text, or two, as the one sequence that BERT was pre-trained on: `[CLS] a [SEP] b [SEP]`.

What does not fit is cut off as BERT's own scripts do it: of a text its end, of two texts the end of
the longer one, piece by piece (Devlin et al. 2019; `_truncate_seq_pair` of run_classifier.py).
Placeholders are ordinary text: BERT's pre-tokenizer takes `@GENE$` apart into three words, in BLUE
(ncbi-nlp/bluebert, which uses BERT's tokenizer as it is) as here.
"""

import numpy as np
from msgspec import Struct
from tokenizers import Tokenizer

from bluered.encoding.tokens import Ints, whole_characters


class SequencePieces(Struct, frozen=True):
    """The pieces of a sequence with the tokens around them, and how many were cut off.

    `ids` and `segments` (0 for the first text, 1 for the second) have shape (pieces,).
    """

    ids: Ints
    segments: Ints
    cut: int


def sequence_pieces(
    first: str, second: str | None, tokenizer: Tokenizer, *, size: int
) -> SequencePieces:
    """Return at most `size` pieces, the tokens around the texts where the tokenizer puts them."""
    room = max(0, size - tokenizer.num_special_tokens_to_add(second is not None))
    texts = [first] if second is None else [first, second]
    parts = [tokenizer.encode(whole_characters(t), add_special_tokens=False) for t in texts]
    lengths = [len(part.ids) for part in parts]
    kept = (min(lengths[0], room),) if second is None else shortened(*lengths, room=room)
    for part, length in zip(parts, kept, strict=True):
        part.truncate(length)
    joined = tokenizer.post_process(parts[0], None if second is None else parts[1])
    return SequencePieces(
        ids=np.asarray(joined.ids, dtype=np.int64),
        segments=np.asarray(joined.type_ids, dtype=np.int64),
        cut=sum(lengths) - sum(kept),
    )


def shortened(first: int, second: int, *, room: int) -> tuple[int, int]:
    """Return how much is kept of two texts: the longer gives up a piece, of equals the second."""
    kept = min(second, max(room // 2, room - first))
    return min(first, room - kept), kept
