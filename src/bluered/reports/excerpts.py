"""A sentence cut down to what stands around the two mentions of a relation."""

from collections.abc import Iterable, Iterator
from itertools import product

from bluered.documents.document import Entity, Span

Part = tuple[str, str]
"""A stretch of text and its role: "head", "tail", or "" for the text between them."""

GAP = "\N{HORIZONTAL ELLIPSIS}"


def excerpt(
    text: str, sentence: Span, head: Iterable[Entity], tail: Iterable[Entity], *, width: int
) -> list[Part]:
    """Return about `width` characters of a sentence in parts, those of head and tail marked.

    Cut at white space; what is left out is shown by an ellipsis. Line ends become spaces.
    """
    marks = {
        **dict.fromkeys(_inside(sentence, tail), "tail"),
        **dict.fromkeys(_inside(sentence, head), "head"),
    }
    kept = _windows(text, sentence, marks, width)
    parts: list[Part] = []
    position = sentence.start
    for window in kept:
        if window.start > position:
            parts.append((GAP + " " if not parts else f" {GAP} ", ""))
        parts += _marked(text, window, marks)
        position = window.end
    if position < sentence.end:
        parts.append((" " + GAP, ""))
    return [(" ".join(part.splitlines()), role) for part, role in parts]


def _inside(sentence: Span, entities: Iterable[Entity]) -> Iterator[Span]:
    for entity in entities:
        if sentence.start <= entity.start and entity.end <= sentence.end:
            yield Span(entity.start, entity.end)


def _windows(text: str, sentence: Span, marks: dict[Span, str], width: int) -> list[Span]:
    """Return the one or two stretches of the sentence that are shown."""
    if sentence.end - sentence.start <= width:
        return [sentence]
    heads = [span for span, role in marks.items() if role == "head"]
    tails = [span for span, role in marks.items() if role == "tail"]
    first, last = min(
        (sorted(pair) for pair in product(heads or tails, tails or heads)),
        key=lambda pair: max(s.end for s in pair) - pair[0].start,
        default=(Span(sentence.start, sentence.start), Span(sentence.start, sentence.start)),
    )
    both = Span(first.start, max(first.end, last.end))
    if both.end - both.start <= width or last.start < first.end:
        return [_widened(text, both, sentence, width)]
    half = Span(sentence.start, last.start), Span(first.end, sentence.end)
    windows = [
        _widened(text, first, half[0], width // 2),
        _widened(text, last, half[1], width // 2),
    ]
    if windows[0].end >= windows[1].start:
        return [Span(windows[0].start, windows[1].end)]
    return windows


def _widened(text: str, span: Span, limit: Span, width: int) -> Span:
    """Return the span with context on both sides, up to `width`, cut at white space."""
    spare = max(0, width - (span.end - span.start))
    left = min(spare // 2, span.start - limit.start)
    right = min(spare - left, limit.end - span.end)
    left = min(spare - right, span.start - limit.start)
    start, end = span.start - left, span.end + right
    while limit.start < start < span.start and not text[start - 1].isspace():
        start += 1
    while span.end < end < limit.end and not text[end].isspace():
        end -= 1
    while span.end < end and text[end - 1].isspace():
        end -= 1
    return Span(start, end)


def _marked(text: str, window: Span, marks: dict[Span, str]) -> Iterator[Part]:
    position = window.start
    for span, role in sorted(marks.items(), key=lambda mark: (mark[0].start, -mark[0].end)):
        if span.start < position or span.end > window.end:
            continue
        if span.start > position:
            yield text[position : span.start], ""
        yield text[span.start : span.end], role
        position = span.end
    if position < window.end:
        yield text[position : window.end], ""
