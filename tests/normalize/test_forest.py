"""Boosted trees as arrays, against scikit-learn's."""

import numpy as np
import pytest

from bluered.normalize.forest import Forest, Tree

STUMP = Tree([0, 0, 0], [0.5, 0, 0], [1, 1, 2], [2, 1, 2], [0, -1, 2])
"""-1 where the first feature is at most 0.5, else 2."""


def test_values_add_up_on_the_base():
    forest = Forest(["a", "b"], 10.0, [STUMP, Tree([0], [0], [0], [0], [0.25])], 1)
    rows = forest.rows([{"a": 0.5}, {"a": 0.6, "unknown": 9}, {"b": 7}])
    assert rows.tolist() == [[0.5, 0], [0.6, 0], [0, 7]]
    assert forest.scores(rows).tolist() == [9.25, 12.25, 9.25]


def test_no_rows_and_no_trees():
    forest = Forest(["a"], 1.5, [STUMP], 1)
    assert forest.scores(forest.rows([])).tolist() == []
    bare = Forest(["a"], 1.5, [], 0)
    assert bare.scores(bare.rows([{"a": 1}, {}])).tolist() == [1.5, 1.5]


def test_scores_are_scikit_learn_s():
    ensemble = pytest.importorskip("sklearn.ensemble")
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(600, 7)).round(2)
    right = (rows[:, 0] * rows[:, 1] + rows[:, 2] + rng.normal(size=600) / 2) > 0
    model = ensemble.HistGradientBoostingClassifier(
        max_iter=25, max_leaf_nodes=12, early_stopping=False, random_state=0
    ).fit(rows, right)
    trees: list[Tree] = []
    for (predictor,) in model._predictors:
        nodes, own = predictor.nodes, np.arange(len(predictor.nodes))
        leaf = nodes["is_leaf"].astype(bool)
        trees.append(
            Tree(
                nodes["feature_idx"].tolist(),
                np.where(leaf, 0, nodes["num_threshold"]).tolist(),
                np.where(leaf, own, nodes["left"]).tolist(),
                np.where(leaf, own, nodes["right"]).tolist(),
                nodes["value"].tolist(),
            )
        )
    depth = max(int(p[0].nodes["depth"].max()) for p in model._predictors)
    forest = Forest(
        [str(n) for n in range(7)], float(model._baseline_prediction[0, 0]), trees, depth
    )
    # only what a leaf gives counts: the values of inner nodes are no part of the score
    unseen = np.concatenate([rows, rng.normal(size=(400, 7)) * 3])
    np.testing.assert_allclose(forest.scores(unseen), model.decision_function(unseen), atol=1e-6)
