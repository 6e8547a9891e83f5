"""Places by line and token (i2b2's `line:token`) as offsets into a text of a sentence a line."""

import re
from collections.abc import Iterable, Iterator

from bluered.documents.document import Passage, Span
from bluered.errors import FormatError


class Lines:
    """The lines of a record's text and the places of their tokens."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = text.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def passages(self) -> Iterator[Passage]:
        """Yield the lines that hold something."""
        for line, start in zip(self._lines, self._starts, strict=False):
            if line.strip():
                yield Passage(type="sentence", start=start, end=start + len(line))

    def covered(self, span: Span) -> str:
        """Return the text of a span."""
        return self._text[span.start : span.end]

    def span(self, place: Iterable[str], source: str, number: int) -> Span:
        """Return where a concept lies by the text, line and tokens that its file gives."""
        written, *numbers = place
        line, first, last_line, last = map(int, numbers)
        if line != last_line:
            message = f"expected a concept within one line, found one over {line} to {last_line}"
            raise FormatError(message, source=source, line=number)
        tokens = self._tokens(line)
        if not 0 <= first <= last < len(tokens):
            raise FormatError(
                f"tokens {first} to {last} of line {line} are not in the text, whose line has "
                f"{len(tokens)} tokens: do the files belong together?",
                source=source,
                line=number,
            )
        span = Span(tokens[first].start, tokens[last].end)
        if self.covered(span).lower().split() != written.lower().split():
            raise FormatError(
                f"the text at {line}:{first} {line}:{last} is not the one in c=...: do the files "
                "belong together?",
                source=source,
                line=number,
            )
        return span

    def _tokens(self, number: int) -> list[Span]:
        if not 0 < number <= len(self._lines):
            return []
        line, offset = self._lines[number - 1], self._starts[number - 1]
        spans = [Span(offset + m.start(), offset + m.end()) for m in re.finditer(r"\S+", line)]
        if spans and spans[0].start != offset:
            spans.insert(0, Span(offset, offset))
        return spans
