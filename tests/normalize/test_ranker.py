"""The probability that a candidate is right."""

import math

import pytest

from bluered.documents.biored_types import DISEASE, ENTITY_TYPES, GENE, VARIANT
from bluered.normalize.forest import Forest, Tree
from bluered.normalize.ranker import Ranker, shipped_ranker


def by_first(low: float, high: float) -> Tree:
    return Tree([0, 0, 0], [0.5, 0, 0], [1, 1, 2], [2, 1, 2], [0, low, high])


RANKER = Ranker({GENE: Forest(["a", "b"], 0.0, [by_first(-1, 2)], 1)}, {GENE: 0.1})


def sigmoid(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def test_probabilities_of_independent_candidates():
    found = RANKER.probabilities([{"a": 0}, {"a": 0.0, "b": 1}], type=GENE)
    assert found == pytest.approx([sigmoid(-1), sigmoid(-1)])


def test_more_than_certain_is_brought_to_one():
    found = RANKER.probabilities([{"a": 1}, {"a": 1}, {}], type=GENE)
    total = 2 * sigmoid(2) + sigmoid(-1)
    assert found == pytest.approx([sigmoid(2) / total, sigmoid(2) / total, sigmoid(-1) / total])
    assert sum(found) == pytest.approx(1)


def test_without_a_forest_all_are_equally_likely():
    assert RANKER.probabilities([{}, {"a": 1}], type=DISEASE) == [0.5, 0.5]
    assert RANKER.probabilities([], type=DISEASE) == RANKER.probabilities([], type=GENE) == []


def test_reasons_are_what_the_score_loses():
    assert RANKER.reasons({"a": 1.0, "b": 5.0}, type=GENE) == [("a", 3.0)]
    assert RANKER.reasons({"a": 0.0, "b": 5.0}, type=GENE) == []
    assert RANKER.reasons({"a": 1.0}, type=DISEASE) == []


def test_the_strongest_reason_comes_first():
    trees = [by_first(0, 1), Tree([1, 0, 0], [0.5, 0, 0], [1, 1, 2], [2, 1, 2], [0, 0, -4])]
    ranker = Ranker({GENE: Forest(["a", "b"], 0.0, trees, 1)})
    assert ranker.reasons({"a": 1.0, "b": 1.0}, type=GENE) == [("b", -4.0), ("a", 1.0)]


def test_the_shipped_forests_are_whole():
    ranker = shipped_ranker()
    assert set(ranker.forests) == set(ranker.least) == set(ENTITY_TYPES) - {VARIANT}
    for kind, forest in ranker.forests.items():
        assert 0 <= ranker.least[kind] < 0.5
        assert len(forest.names) == len(set(forest.names))
        for tree in forest.trees:
            nodes = range(len(tree.value))
            columns = (tree.feature, tree.threshold, tree.left, tree.right)
            assert {len(column) for column in columns} == {len(tree.value)}
            assert all(0 <= feature < len(forest.names) for feature in tree.feature)
            for node in nodes:
                leaf = tree.left[node] == node
                assert leaf == (tree.right[node] == node)
                assert leaf or node < min(tree.left[node], tree.right[node])
                assert max(tree.left[node], tree.right[node]) in nodes
            assert _depth(tree) <= forest.depth


def _depth(tree: Tree, node: int = 0) -> int:
    if tree.left[node] == node:
        return 0
    return 1 + max(_depth(tree, tree.left[node]), _depth(tree, tree.right[node]))
