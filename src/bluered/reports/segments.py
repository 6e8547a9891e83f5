"""How overlapping, nested and discontinuous mentions are cut into stretches of text."""

import itertools
from collections.abc import Iterable, Iterator

from msgspec import Struct

from bluered.documents.document import Entity, Span


class Segment(Struct, frozen=True):
    """A stretch of text over which the set of mentions does not change.

    `entities` go from the longest to the shortest: the last is the innermost. `begins` and `ends`
    tell whether a piece of the innermost begins or ends here; `joins` whether that mention goes on
    after a gap.
    """

    start: int
    end: int
    entities: tuple[Entity, ...] = ()
    begins: bool = False
    ends: bool = False
    joins: bool = False


def segments(
    entities: Iterable[Entity], start: int, end: int, *, cuts: Iterable[int] = ()
) -> Iterator[Segment]:
    """Yield the stretches that cover `[start, end)`, cut at every mention's edge and at `cuts`."""
    pieces = [
        (span, entity)
        for entity in entities
        for span in entity.spans
        if span.start < end and span.end > start
    ]
    pieces.sort(key=lambda piece: (piece[0].start, -piece[0].end))
    edges = {start, end} | {c for c in cuts if start < c < end}
    for span, _ in pieces:
        edges |= {max(span.start, start), min(span.end, end)}
    ordered = sorted(edges)
    active: list[tuple[Span, Entity]] = []
    coming = 0
    for left, right in itertools.pairwise(ordered):
        while coming < len(pieces) and pieces[coming][0].start <= left:
            active.append(pieces[coming])
            coming += 1
        active = [piece for piece in active if piece[0].end > left]
        yield _segment(left, right, active)


def _segment(left: int, right: int, active: list[tuple[Span, Entity]]) -> Segment:
    if not active:
        return Segment(left, right)
    inside = sorted(active, key=lambda piece: piece[0].start - piece[0].end)
    span, innermost = inside[-1]
    return Segment(
        start=left,
        end=right,
        entities=tuple(entity for _, entity in inside),
        begins=span.start == left,
        ends=span.end == right,
        joins=len(innermost.spans) > 1,
    )
