"""Boosted decision trees as arrays: a score for each row of features, and where it comes from."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Tree(Struct, frozen=True, array_like=True):
    """A decision tree as columns, one entry a node: node 0 is the root.

    At a node, a row whose `feature` is at most `threshold` goes `left`, else `right`; a leaf leads
    to itself. `value` is what the tree adds to the score when it ends there.
    """

    feature: list[int]
    threshold: list[float]
    left: list[int]
    right: list[int]
    value: list[float]


class Forest(Struct, frozen=True, dict=True):
    """Trees whose values add up, on top of `base`; `names` are the features' in their order."""

    names: list[str]
    base: float
    trees: list[Tree]
    depth: int

    def rows(self, features: Sequence[dict[str, float]]) -> Array:
        """Return features by name as rows of numbers; those that are absent are 0."""
        return np.array(
            [[some.get(name, 0.0) for name in self.names] for some in features], dtype=np.float64
        ).reshape(len(features), len(self.names))

    def scores(self, rows: Array) -> Array:
        """Return the score of each row, in log odds."""
        if not self.trees:
            return np.full(len(rows), self.base)
        feature, threshold, left, right, value = self._columns
        node = np.broadcast_to(self._roots, (len(rows), len(self.trees)))
        row = np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            goes_left = rows[row, feature[node]] <= threshold[node]
            node = np.where(goes_left, left[node], right[node])
        return self.base + value[node].sum(axis=1)

    @cached_property
    def _roots(self) -> NDArray[np.int64]:
        sizes = [len(tree.value) for tree in self.trees]
        return np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int64)

    @cached_property
    def _columns(
        self,
    ) -> tuple[NDArray[np.int64], Array, NDArray[np.int64], NDArray[np.int64], Array]:
        """The nodes of all trees in one array each; left and right count from its start."""
        starts = self._roots.tolist()
        feature = np.concatenate([tree.feature for tree in self.trees]).astype(np.int64)
        threshold = np.concatenate([tree.threshold for tree in self.trees]).astype(np.float64)
        pairs = list(zip(starts, self.trees, strict=True))
        left = np.concatenate([np.array(tree.left) + start for start, tree in pairs])
        right = np.concatenate([np.array(tree.right) + start for start, tree in pairs])
        value = np.concatenate([tree.value for tree in self.trees]).astype(np.float64)
        return feature, threshold, left, right, value
