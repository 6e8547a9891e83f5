"""Scores of any task but BioRED's, by the stated rule (`correct`) or as BLUE prints it (`blue`)."""

from bluered.tasks.scoring.scorers import SCORERS, Scorer, compare, score

__all__ = ["SCORERS", "Scorer", "compare", "score"]
