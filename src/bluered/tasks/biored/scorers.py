"""The scorers of BioRED by name."""

from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from bluered.documents.document import Document
from bluered.tasks.biored import bioredirect, bioredirect_quirks, biorex, correct
from bluered.tasks.quirks import Step
from bluered.tasks.scores import Scores

Documents = Sequence[Document]


class Scorer(Struct, frozen=True):
    """How a scorer counts, and, for an original's, what its quirks move."""

    score: Callable[[Documents, Documents], Scores]
    moves: Callable[[Documents, Documents], list[Step]] | None = None


ScorerName = Literal["correct", "biorex", "bioredirect"]

SCORERS: dict[ScorerName, Scorer] = {
    "correct": Scorer(correct.score),
    "biorex": Scorer(biorex.score, biorex.moves),
    "bioredirect": Scorer(bioredirect.score, bioredirect_quirks.moves),
}
