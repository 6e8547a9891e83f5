"""Which candidate a mention stands for: a linear model over features, one per entity type.

The probability of a candidate is a softmax over all candidates and "none of them". Weights are
learnt by `shipped.ranking` and stand, readable, in `assets/ranker.json`.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from math import exp

import msgspec
from msgspec import Struct

from bluered.normalize.features import NIL, Features

FILE = "ranker.json"


class Ranker(Struct, frozen=True):
    """Weights by entity type and feature, and the least probability at which a type is linked."""

    weights: dict[str, dict[str, float]]
    least: dict[str, float] = {}
    made: dict[str, str] = {}

    def score(self, features: Features, *, type: str) -> float:
        """Return the score of a candidate: the sum of its features times their weights."""
        weights = self.weights.get(type, {})
        return sum(weights.get(name, 0.0) * value for name, value in features.items())

    def probabilities(self, candidates: Sequence[Features], *, type: str) -> list[float]:
        """Return the probability of each candidate, and last that of none of them."""
        scores = [self.score(features, type=type) for features in (*candidates, NIL)]
        highest = max(scores)
        powers = [exp(score - highest) for score in scores]
        return [power / sum(powers) for power in powers]

    def reasons(self, features: Features, *, type: str) -> list[tuple[str, float]]:
        """Return what a candidate's features add to its score, the strongest first."""
        weights = self.weights.get(type, {})
        parts = [(name, weights.get(name, 0.0) * value) for name, value in features.items()]
        return sorted((p for p in parts if p[1]), key=lambda part: -abs(part[1]))


@cache
def shipped_ranker() -> Ranker:
    """Return the weights that ship with the package."""
    text = files("bluered.normalize").joinpath("assets", FILE).read_bytes()
    return msgspec.json.decode(text, type=Ranker)
