"""What no model may be trained on: documents of BioRED's development and test part.

Other corpora share documents with them, some in other words or under other ids: texts are compared
(`corpora.overlap`), and where both sides have PubMed ids those too.
"""

from collections.abc import Sequence
from functools import cache

from bluered.corpora import documents
from bluered.corpora.overlap import by_text, overlaps
from bluered.corpora.texts import Part, part
from bluered.documents.examples import Example

HELD_OUT = ("biored:dev", "biored:test")


@cache
def _part(name: str) -> Part:
    corpus, _, split = name.partition(":")
    return part(name, documents(corpus, split))


def shared(examples: Sequence[Example], *, also: Sequence[str] = ()) -> set[str]:
    """Return the ids of the examples that are, or hold, text of a held-out document.

    `also` names further splits (CORPUS:SPLIT) whose documents are to be found.
    """
    parts = [_part(name) for name in (*HELD_OUT, *also)]
    return {
        match.second
        for overlap in overlaps(parts, [part("", examples)])
        for match in overlap.matches
        if by_text(match) or match.same_id
    }
