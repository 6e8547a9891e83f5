"""BLUE's five scripts by the type of task.

Source: github.com/ncbi-nlp/BLUE_Benchmark at c497c41, blue/eval_*.py and blue/ext/pmetrics.py.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from bluered.corpora.catalog import Task
from bluered.tasks.blue import documents, entities, inference, relations, similarity
from bluered.tasks.correct.measured import Measured
from bluered.tasks.quirks import Quirk


class Script(Struct, frozen=True):
    """One of the scripts: its quirks, and its score with all of them or with some.

    `figures` gives "score" and, where the script prints them, "precision" and "recall"; with no
    quirk these are the figures of the stated rule.
    """

    name: str
    quirks: tuple[Quirk, ...]
    score: Callable[[Task, Sequence[Any], Sequence[Any]], Measured]
    figures: Callable[[Task, Sequence[Any], Sequence[Any], frozenset[str]], dict[str, float]]


SCRIPTS: dict[str, Script] = {
    "sentence-similarity": Script(
        "eval_sts.py", similarity.QUIRKS, similarity.score, similarity.figures
    ),
    "named-entities": Script("eval_ner.py", entities.QUIRKS, entities.score, entities.figures),
    "relation-extraction": Script(
        "eval_rel.py", relations.QUIRKS, relations.score, relations.figures
    ),
    "document-classification": Script(
        "eval_hoc.py", documents.QUIRKS, documents.score, documents.figures
    ),
    "inference": Script("eval_mednli.py", inference.QUIRKS, inference.score, inference.figures),
}
