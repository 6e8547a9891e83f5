"""What no model may be trained on: documents of BioRED's development and test part.

Other corpora share documents with them, some in other words or under other ids: texts are compared
(`corpora.overlap`), and where both sides have PubMed ids those too.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from bluered.corpora import documents
from bluered.corpora.catalog import corpus
from bluered.corpora.locate import split_paths
from bluered.corpora.overlap import by_text, overlaps
from bluered.corpora.texts import Part, part
from bluered.documents.examples import Example

HELD_OUT = ("biored:dev", "biored:test")


def _part(name: str) -> Part:
    owner, _, split = name.partition(":")
    return _read(owner, split, split_paths(corpus(owner), split))


@cache
def _read(owner: str, split: str, _: tuple[Path, ...]) -> Part:
    """Return a split as it is compared; read once for each place it lies in."""
    return part(f"{owner}:{split}", documents(owner, split))


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
