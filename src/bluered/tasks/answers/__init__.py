"""Files of answers, gold or predicted, of any task but BioRED's: BLUE's own, and ours."""

from bluered.tasks.answers.files import read

__all__ = ["read"]
