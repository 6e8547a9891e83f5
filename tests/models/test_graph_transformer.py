"""The graph transformer, compared with a plain numpy computation over lists of neighbours."""

import math

import numpy as np
import pytest

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")


def dense(layer, x: np.ndarray) -> np.ndarray:
    return x @ layer.weight.detach().numpy().T + layer.bias.detach().numpy()


def plain_layer(layer, states: np.ndarray, neighbours: list[list[int]]) -> np.ndarray:
    """One text through a layer, piece by piece and head by head."""
    query, key, value = (dense(x, states) for x in (layer.query, layer.key, layer.value))
    width = states.shape[1] // layer.heads
    attended = np.zeros_like(states)
    for piece, others in enumerate(neighbours):
        for head in range(layer.heads):
            part = slice(head * width, (head + 1) * width)
            scores = [query[piece, part] @ key[o, part] / math.sqrt(width) for o in others]
            powers = np.exp(np.asarray(scores) - max(scores))
            attended[piece, part] = powers / powers.sum() @ value[others, part]
    mixed = dense(layer.mix, attended)
    wide = dense(layer.widen, mixed)
    gelu = wide * 0.5 * (1 + np.vectorize(math.erf)(wide / math.sqrt(2)))
    found = dense(layer.narrow, gelu) + mixed
    centred = found - found.mean(axis=1, keepdims=True)
    return centred / np.sqrt(found.var(axis=1, keepdims=True) + layer.norm.eps)


def test_a_layer_is_attention_to_neighbours_only():
    from bluered.models.graph_transformer import GraphLayer

    torch.manual_seed(3)
    layer = GraphLayer(12, heads=3, inner=20).double()
    states = torch.randn(2, 7, 12, dtype=torch.double)
    edges = torch.rand(2, 7, 7) < 0.3
    edges |= torch.eye(7, dtype=torch.bool)
    found = layer(states, edges).detach().numpy()
    for text in (0, 1):
        lists = [np.flatnonzero(row).tolist() for row in edges[text].numpy()]
        plain = plain_layer(layer, states[text].numpy(), lists)
        assert np.allclose(found[text], plain, atol=1e-9)


def test_what_is_no_neighbour_changes_nothing():
    from bluered.models.graph_transformer import GraphLayer

    torch.manual_seed(4)
    layer = GraphLayer(8, heads=2, inner=16)
    states = torch.randn(1, 4, 8)
    edges = torch.eye(4, dtype=torch.bool)[None]
    edges[0, 0, 1] = True
    other = states.clone()
    other[0, 2:] += 1
    one, two = layer(states, edges), layer(other, edges)
    assert torch.allclose(one[0, :2], two[0, :2], atol=1e-6)
    assert not torch.allclose(one[0, 2:], two[0, 2:], atol=1e-2)
    other = states.clone()
    other[0, 1] += 1
    assert not torch.allclose(one[0, 0], layer(other, edges)[0, 0], atol=1e-2)
