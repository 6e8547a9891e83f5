"""Overlapping windows over a long sequence, so that nothing is cut off.

Each window has at most `size` pieces and is cut between words only; consecutive windows share
about `overlap` pieces. Every piece belongs to exactly one window for the result: the one in
which it stands farthest from a cut edge.
"""

from itertools import pairwise

from msgspec import Struct


class Window(Struct, frozen=True):
    """Pieces `[start, end)` are encoded; `[keep_start, keep_end)` of them are taken as result."""

    start: int
    end: int
    keep_start: int
    keep_end: int

    @property
    def kept(self) -> slice:
        """Where the pieces taken as result stand in the window's states, behind a special token."""
        return slice(self.keep_start - self.start + 1, self.keep_end - self.start + 1)


def windows(length: int, starts: list[int], *, size: int, overlap: int) -> list[Window]:
    """Return the windows over `length` pieces; cuts are made at the piece indices in `starts`.

    `starts` are the sorted indices at which a word begins. A single word longer than a window is
    cut where it must be.
    """
    if length <= size:
        return [Window(0, length, 0, length)] if length else []
    allowed = set(starts)
    bounds: list[tuple[int, int]] = []
    begin = 0
    while True:
        end = min(begin + size, length)
        if end < length:
            end = _cut(end, allowed, lowest=begin + 1)
        bounds.append((begin, end))
        if end == length:
            break
        begin = _cut(max(end - overlap, begin + 1), allowed, lowest=begin + 1)
    keeps = [0]
    for (_, left_end), (right_begin, _) in pairwise(bounds):
        keeps.append(_cut((left_end + right_begin) // 2, allowed, lowest=right_begin))
    keeps.append(length)
    return [
        Window(begin, end, keep, keep_end)
        for (begin, end), keep, keep_end in zip(bounds, keeps, keeps[1:], strict=False)
    ]


def _cut(position: int, allowed: set[int], *, lowest: int) -> int:
    """Return the last allowed cut at or before `position`, or `position` where there is none."""
    for candidate in range(position, lowest - 1, -1):
        if candidate in allowed:
            return candidate
    return position
