"""Where a script of BLUE stops with an error, so that there is no original figure.

The score is then what the script would print without the rule that stops it; `printed` is empty and
the notes say what stopped it.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from bluered.documents.examples import LabelledText, TextPair
from bluered.errors import BlueredError
from bluered.tasks.correct.measured import Measured


def with_printed(
    measured: Measured, script: str, printed: list[list[str]], stops: Sequence[str]
) -> Measured:
    """Return a score with what its script prints, or with why it prints nothing."""
    details: dict[str, Any] = {**measured.details, "printed": [] if stops else printed}
    notes = {f"{script} stops here: {reason}": 1 for reason in stops}
    return replace(measured, details=details, notes={**measured.notes, **notes})


def by_stated_rule(score: Callable[[], Measured], script: str, fault: str) -> Measured:
    """Return the stated rule's score of rows that the script refuses; an error if it does too."""
    try:
        return with_printed(score(), script, [], [fault])
    except BlueredError as error:
        raise BlueredError(f"{script} stops here: {fault}; the stated rule: {error}") from None


def row_fault(
    gold: Sequence[TextPair] | Sequence[LabelledText],
    predicted: Sequence[TextPair] | Sequence[LabelledText],
) -> str | None:
    """Return why a script that wants the same ids in the same order stops, or None."""
    if len(gold) != len(predicted):
        return f"{len(gold)} rows in the gold, {len(predicted)} in the prediction"
    for number, (one, other) in enumerate(zip(gold, predicted, strict=True)):
        if one.id != other.id:
            return f"row {number} is {one.id} in the gold, {other.id} in the prediction"
    return None
