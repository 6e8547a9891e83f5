"""Which abbreviations a text defines, as in "long QT syndrome (LQTS)".

The method of Schwartz and Hearst (Pac Symp Biocomput 2003:451-62): every character of the short
form must be found, from right to left, in the words before the bracket, the first of them at the
beginning of a word. Written "LQTS (long QT syndrome)", a definition is found too.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from bluered.documents.document import Span

_BRACKET = re.compile(r"\(([^()]{2,})\)")
_SHORT = re.compile(r"(?=.*[^\W\d_])[^\W_][\w./'+-]*(?: [\w./'+-]+)?")
_LAST_WORD = re.compile(r"[^\s,;:()]+\s*\Z")
_SENTENCE_END = re.compile(r"[.?!;]\s(?=[A-Z])")
_REACH = 240  # characters before a bracket in which the long form is looked for


class Definition(Struct, frozen=True):
    """A short form and the long form it stands for, where they are defined."""

    short: Span
    long: Span


def definitions(text: str) -> Iterator[Definition]:
    """Yield the abbreviations that a text defines with brackets, in text order."""
    for match in _BRACKET.finditer(text):
        inner = Span(*match.span(1))
        short = _leading_short_form(text, inner)
        if short and (long := _long_form_before(text, short, match.start())):
            yield Definition(short, long)
        elif reverse := _reverse(text, inner, match.start()):
            yield reverse


def _leading_short_form(text: str, inner: Span) -> Span | None:
    """Return the short form at the start of a bracket: "(LQTS, type 1)" gives LQTS."""
    end = min(
        (i for i in (text.find(c, inner.start, inner.end) for c in ",;") if i >= 0), default=-1
    )
    span = Span(inner.start, inner.end if end < 0 else end)
    return span if _is_short_form(text[span.start : span.end]) else None


def _is_short_form(candidate: str) -> bool:
    """Two to ten characters, at most two words, a letter in it, beginning with letter or digit."""
    return 2 <= len(candidate) <= 10 and _SHORT.fullmatch(candidate) is not None


def _reverse(text: str, inner: Span, bracket: int) -> Definition | None:
    """Return the definition of "LQTS (long QT syndrome)": a bracket of several words."""
    word = _LAST_WORD.search(text, max(0, bracket - 12), bracket)
    if word is None or " " not in text[inner.start : inner.end]:
        return None
    short = Span(word.start(), word.start() + len(word[0].rstrip()))
    form = text[short.start : short.end]
    if not _is_short_form(form) or sum(c.isupper() or c.isdigit() for c in form) < 2:
        return None
    start = _match_backwards(text, short, inner.start, inner.end)
    return Definition(short, inner) if start == inner.start else None


def _long_form_before(text: str, short: Span, bracket: int) -> Span | None:
    """Return the shortest long form that ends at a bracket, within its sentence."""
    end = bracket
    while end > 0 and text[end - 1].isspace():
        end -= 1
    size = short.end - short.start
    words = min(size + 5, size * 2)
    start = max(0, end - _REACH)
    for stop in _SENTENCE_END.finditer(text, start, end):
        start = stop.end()
    starts = [m.start() for m in re.finditer(r"\S+", text[start:end])]
    if len(starts) > words:
        start += starts[-words]
    found = _match_backwards(text, short, start, end)
    if found is None or end - found <= size:
        return None
    long = Span(found, end)
    return None if text[short.start : short.end] in text[found:end].split() else long


def _match_backwards(text: str, short: Span, start: int, end: int) -> int | None:
    """Return where the long form begins when the short form is spelled from its right end."""
    position = end
    for index in range(short.end - 1, short.start - 1, -1):
        wanted = text[index].lower()
        if not wanted.isalnum():
            continue
        position -= 1
        while position >= start and not (
            text[position].lower() == wanted
            and (index > short.start or _begins_word(text, position, start))
        ):
            position -= 1
        if position < start:
            return None
    while position > start and not text[position - 1].isspace():
        position -= 1
    return position


def _begins_word(text: str, position: int, start: int) -> bool:
    return position == start or not text[position - 1].isalnum()
