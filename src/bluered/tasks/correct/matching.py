"""Bringing predictions to the gold by id, whatever their order."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from bluered.documents.document import Document
from bluered.documents.examples import LabelledText, RelationExample, TextPair
from bluered.errors import BlueredError

Item = TypeVar("Item", TextPair, LabelledText, Document, RelationExample)

MISSING = "gold items without a prediction"


def by_id(items: Iterable[Item], *, side: str) -> dict[str, Item]:
    """Return items by id, in order; an id that comes twice, or no item at all, is an error."""
    found: dict[str, Item] = {}
    for item in items:
        if item.id in found:
            raise BlueredError(f"{item.id} stands twice in the {side}: which one counts?")
        found[item.id] = item
    if not found:
        raise BlueredError(f"the {side} holds nothing")
    return found


def matched(
    gold: Mapping[str, Item], predicted: Mapping[str, Item], *, absent: str | None
) -> Mapping[str, Item]:
    """Return the predictions after a check that they are about the gold's items.

    An id that the gold lacks is an error; a gold item without prediction too, unless `absent` says
    what it counts as.
    """
    unknown = [name for name in predicted if name not in gold]
    if unknown:
        raise BlueredError(
            f"{len(unknown)} ids of the prediction are not in the gold ({some(unknown)}; the gold "
            f"has {some(list(gold))}): are these of one corpus and split?"
        )
    missing = [name for name in gold if name not in predicted]
    if missing and absent is None:
        raise BlueredError(
            f"{len(missing)} of {len(gold)} gold items have no prediction ({some(missing)}): every "
            "one needs an answer, since none can be guessed"
        )
    return predicted


def some(names: list[str]) -> str:
    """Return the first names of a list, as they are shown in messages."""
    return ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")


def nothing_in_common(gold: list[str], predicted: list[str], what: str) -> BlueredError:
    """Return the error for a prediction that is about something else than the gold."""
    return BlueredError(
        f"no {what} of the prediction ({some(predicted)}) is in the gold ({some(gold)}): are these "
        "the files of one corpus and split?"
    )
