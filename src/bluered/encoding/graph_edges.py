"""Which pieces each piece of a marked pair attends to in BERT-GT's graph transformer.

The neighbours of ncbi/bert_gt for BioRED (`convert_biored_2_bert_gt.py`, `run_bert_gt.py` and the
settings of `run_biored_exp.sh`: no shortest paths): the pieces of a word attend to that word, to
the words beside it, to the head of the word in a dependency parse, and a marker to all markers of
its concept. What differs:

- There is no parser here. In place of the head, every word of a sentence is joined with the markers
  in that sentence, both ways: so a marker attends to what is said around it, and a word to who it
  is said of.
- The words of a mention need no edge of their own to its marker: they stand in its sentence.
- There is no bound on neighbours. The original keeps the first 20 pieces, since it gathers them
  into an array; here they are a mask over the sequence, with the same result.
- The original counts the first neighbour of each piece without the `[CLS]` before it, so that it is
  the piece before; here it is the piece itself.

As there, `[CLS]` and `[SEP]` attend to themselves alone.
"""

from collections.abc import Sequence

import numpy as np

from bluered.encoding.marked_pair import NO_SENTENCE, MarkedPair, opens, sides
from bluered.encoding.tags import Bools
from bluered.encoding.viterbi import Floats

BESIDE = 1
"""How many words away a word still is a neighbour."""


def edges(row: MarkedPair) -> Bools:
    """Return whether piece i attends to piece j, (pieces, pieces); every piece does to itself."""
    inside = row.sentences != NO_SENTENCE
    markers, side = row.kinds > 0, sides(row.kinds)
    near = np.abs(row.words[:, None] - row.words[None, :]) <= BESIDE
    same = row.sentences[:, None] == row.sentences[None, :]
    star = same & (markers[:, None] | markers[None, :])
    concept = markers[:, None] & (side[:, None] == side[None, :])
    found = (near | star | concept) & inside[:, None] & inside[None, :]
    np.fill_diagonal(found, True)
    return found


def marker_weights(row: MarkedPair) -> Floats:
    """Return what each piece counts for each of the two concepts, (2, pieces).

    The opening markers of a concept count alike and sum to 1; to 0 where the window has none.
    """
    each = opens(row.kinds) & (sides(row.kinds) == np.asarray([[1], [2]]))
    weights = each.astype(np.float32)
    return weights / np.maximum(1, weights.sum(axis=1, keepdims=True))


def padded_edges(rows: Sequence[MarkedPair]) -> Bools:
    """Return the edges of several pairs, (pairs, pieces, pieces); padding attends to itself."""
    longest = max((len(row.ids) for row in rows), default=0)
    found = np.zeros((len(rows), longest, longest), dtype=np.bool_)
    found[:, np.arange(longest), np.arange(longest)] = True
    for target, row in zip(found, rows, strict=True):
        target[: len(row.ids), : len(row.ids)] = edges(row)
    return found
