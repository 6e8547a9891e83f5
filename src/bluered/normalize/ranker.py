"""Which candidate a mention stands for: boosted trees over features, one forest per entity type.

The forests are learnt by `shipped.ranking` and stand in `assets/ranker.json`; to run them takes
numpy alone.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import msgspec
import numpy as np
from msgspec import Struct

from bluered.normalize.features import Features
from bluered.normalize.forest import Forest

FILE = "ranker.json"


class Ranker(Struct, frozen=True):
    """A forest by entity type, and the least probability at which a type is linked.

    Without a forest a type's candidates are equally likely.
    """

    forests: dict[str, Forest]
    least: dict[str, float] = {}
    made: dict[str, str] = {}

    def probabilities(self, candidates: Sequence[Features], *, type: str) -> list[float]:
        """Return the probability that each candidate is right.

        Where those of all candidates come to more than one, they are brought to one.
        """
        forest = self.forests.get(type)
        if not candidates or forest is None:
            return [1 / len(candidates)] * len(candidates) if candidates else []
        odds = forest.scores(forest.rows(candidates))
        probabilities = 1 / (1 + np.exp(-odds))
        return (probabilities / max(1.0, float(probabilities.sum()))).tolist()

    def reasons(self, features: Features, *, type: str) -> list[tuple[str, float]]:
        """Return what each feature does for a candidate, the strongest first.

        That is how far its score (in log odds) falls when the feature is taken away.
        """
        forest = self.forests.get(type)
        names = [name for name, value in features.items() if value]
        if forest is None or not names:
            return []
        without = [{n: v for n, v in features.items() if n != name} for name in names]
        scores = forest.scores(forest.rows([features, *without]))
        parts = [(n, float(scores[0] - s)) for n, s in zip(names, scores[1:], strict=True)]
        return sorted((part for part in parts if part[1]), key=lambda part: -abs(part[1]))


@cache
def shipped_ranker() -> Ranker:
    """Return the forests that ship with the package."""
    text = files("bluered.normalize").joinpath("assets", FILE).read_bytes()
    return msgspec.json.decode(text, type=Ranker)
