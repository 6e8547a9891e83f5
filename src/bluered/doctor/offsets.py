"""Why a mention and the text at its offsets differ, and where the mention really stands."""

from itertools import product

from msgspec import Struct

from bluered.doctor.folding import fold, fold_with_places
from bluered.documents.document import Span, covered_text

NEAR = 30
"""How far, in characters, offsets are believed to have slipped when there are several places."""

_PIECE_SHIFTS = (0, 1, -1, 2, -2, 3, -3)
_MOST_PIECES = 4


class Place(Struct, frozen=True):
    """Where a mention stands, and the fault that its written offsets have."""

    code: str
    start: int
    end: int


def explain(
    text: str, start: int, end: int, mention: str, *, passage_starts: tuple[int, ...] = ()
) -> Place | None:
    """Return the place of a mention whose offsets do not match, or None if that is not certain.

    Tried in this order: another unit of counting, another origin, another spelling, another place.
    """
    for code, units in (("utf8-offsets", "utf-8"), ("utf16-offsets", "utf-16-le")):
        place = _counted_in(units, text, start, end)
        if place is not None and text[place[0] : place[1]] == mention:
            return Place(code, *place)
    for origin in passage_starts:
        if origin > 0 and mention and text[origin + start : origin + end] == mention:
            return Place("passage-offsets", origin + start, origin + end)
    if mention and text.startswith(mention, start):
        return Place("shifted-offsets", start, start + len(mention))
    covered = text[start:end]
    if covered.strip() and fold(covered) == fold(mention):
        left = len(covered) - len(covered.lstrip())
        return Place("normalised-mention", start + left, start + left + len(covered.strip()))
    if (exact := _nearest(text, mention, start)) is not None:
        return Place("shifted-offsets", exact, exact + len(mention))
    return _folded_place(text, start, mention)


def _counted_in(encoding: str, text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the code points of offsets that count the units of an encoding."""
    width = 2 if encoding.startswith("utf-16") else 1
    encoded = text.encode(encoding, "surrogatepass")
    if not 0 <= start < end <= len(encoded) // width or len(encoded) == len(text) * width:
        return None
    try:
        before = encoded[: start * width].decode(encoding)
        inside = encoded[start * width : end * width].decode(encoding)
    except UnicodeDecodeError:
        return None
    return len(before), len(before) + len(inside)


def _places(text: str, mention: str) -> list[int]:
    """Return where a mention stands as a word of its own, else where it stands at all."""
    found: list[int] = []
    position = text.find(mention) if mention.strip() else -1
    while position >= 0:
        found.append(position)
        position = text.find(mention, position + 1)
    words = [p for p in found if _is_word(text, p, p + len(mention))]
    return words or found


def _is_word(text: str, start: int, end: int) -> bool:
    before = start > 0 and text[start - 1].isalnum() and text[start].isalnum()
    after = end < len(text) and text[end].isalnum() and text[end - 1].isalnum()
    return not before and not after


def _nearest(text: str, mention: str, start: int) -> int | None:
    """Return the only place of a mention, else the only one near by."""
    places = _places(text, mention)
    if len(places) == 1:
        return places[0]
    near = sorted(p for p in places if abs(p - start) <= NEAR)
    return near[0] if len(near) == 1 else None


def _folded_place(text: str, start: int, mention: str) -> Place | None:
    """Return the place of a mention that is written otherwise and shifted as well."""
    folded, places = fold_with_places(text)
    wanted = fold(mention)
    if not wanted:
        return None
    # the written offset in the folded text: close enough to tell near from far
    folded_start = next((i for i, p in enumerate(places) if p >= start), len(folded))
    found = _nearest(folded, wanted, folded_start)
    if found is None:
        return None
    begin, last = places[found], places[found + len(wanted) - 1]
    return Place("normalised-mention", begin, last + 1)


def shifted_pieces(text: str, spans: tuple[Span, ...], mention: str) -> tuple[Span, ...] | None:
    """Return the spans of a discontinuous mention when a few characters' shift mends them.

    Each piece may have slipped on its own; white space at the joints does not count.
    """
    if not 1 < len(spans) <= _MOST_PIECES:
        return None
    wanted = "".join(mention.split())
    for shifts in sorted(product(_PIECE_SHIFTS, repeat=len(spans)), key=lambda s: sum(map(abs, s))):
        moved = tuple(
            Span(span.start + shift, span.end + shift)
            for span, shift in zip(spans, shifts, strict=True)
        )
        if moved[0].start < 0 or moved[-1].end > len(text):
            continue
        covered = covered_text(text, moved)
        if "".join(covered.split()) == wanted and covered == covered.strip():
            return moved
    return None
