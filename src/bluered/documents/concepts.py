"""Which type a concept has: the corpora type mentions, while relations name concepts."""

from typing import Literal

from bluered.documents.checks import SEPARATORS
from bluered.documents.document import PLACEHOLDERS, Document

LOCAL = "local:"
"""What the id of a concept begins with that is known within its document only."""


def is_local(concept: str) -> bool:
    """Tell whether an id was made up for one document, for want of a real one."""
    return concept.startswith(LOCAL)


def concept_types(
    document: Document, *, prefer: Literal["first", "last"] = "first"
) -> dict[str, str]:
    """Return the type of every concept name a relation of the document may use.

    The rule: a concept has the type of its first mention in the text (of mentions with the same
    start, the shorter, then the alphabetically first type), whatever the order of the file's
    lines; `prefer="last"` takes the last mention instead. It matters where one id is annotated with
    two types, which BioRED's training part has once. A mention of several concepts also gives its
    type to their joined name (`D007859|D008569` is the end of a BioRED relation as a whole), but a
    single concept of the same name goes before. The placeholders for "no id" have no type.
    """
    single: dict[str, str] = {}
    joined: dict[str, str] = {}
    mentions = sorted(document.entities, key=lambda e: (e.start, e.end, e.type))
    if prefer == "last":
        mentions.reverse()
    for entity in mentions:
        for concept in entity.concepts:
            if concept not in PLACEHOLDERS:
                single.setdefault(concept, entity.type)
        if len(entity.concepts) > 1:
            for separator in SEPARATORS:
                joined.setdefault(separator.join(entity.concepts), entity.type)
    return joined | single
