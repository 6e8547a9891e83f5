"""Edges of the graph transformer, compared with neighbours found by plain loops."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bluered.encoding.graph_edges import edges, marker_weights, padded_edges
from bluered.encoding.marked_pair import MarkedPair, marked_pair, pair_text
from bluered.encoding.pairs import candidates


def neighbours(row: MarkedPair, piece: int) -> set[int]:
    """Return what a piece attends to, by the rules as they are written."""
    kinds, words, parts = (x.tolist() for x in (row.kinds, row.words, row.sentences))
    found = {piece}
    if piece in (0, len(kinds) - 1):
        return found
    for other in range(1, len(kinds) - 1):
        if words[other] in (words[piece] - 1, words[piece], words[piece] + 1):
            found.add(other)
        if parts[other] == parts[piece] and (kinds[other] or kinds[piece]):
            found.add(other)
        one, two = kinds[piece], kinds[other]
        if one and two and (one - 1) // 2 % 2 == (two - 1) // 2 % 2:
            found.add(other)
    return found


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), size=st.integers(6, 40))
def test_edges_are_those_of_plain_loops(invented_documents, tiny_tokenizer, data, size):
    made = data.draw(invented_documents)
    found, text = candidates(made), pair_text(made, tiny_tokenizer)
    rows = [
        marked_pair(text, (found.concepts[a].mentions, found.concepts[b].mentions), size=size)
        for a, b in found.pairs.tolist()[:3]
    ]
    padded = padded_edges(rows)
    for row, matrix in zip(rows, padded, strict=True):
        count = len(row.ids)
        for piece in range(matrix.shape[0]):
            expected = neighbours(row, piece) if piece < count else {piece}
            assert set(np.flatnonzero(matrix[piece]).tolist()) == expected
        assert (edges(row) == matrix[:count, :count]).all()
        weights = marker_weights(row)
        for side in (0, 1):
            there = [i for i, k in enumerate(row.kinds.tolist()) if k and (k - 1) % 4 == 2 * side]
            assert np.flatnonzero(weights[side]).tolist() == there
            assert np.isclose(weights[side].sum(), float(bool(there)))
