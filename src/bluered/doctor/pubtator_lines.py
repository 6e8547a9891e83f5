"""The lines of a PubTator file as they are, however broken, gathered by document."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from msgspec import Struct, field

from bluered.doctor.findings import Finding, finding

TEXT_LINE = re.compile(r"([^|\t]+)\|([ta])\|(.*)", re.DOTALL)
_TITLE = re.compile(rb"[^|\t]+\|t\|")
_OWNER = re.compile(rb"[^|\t]+(?=\t|\|[ta]\|)")
_SEPARATORS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_SEPARATOR = re.compile(f"[{_SEPARATORS}\r]")
_TO_SPACE = str.maketrans(dict.fromkeys([*_SEPARATORS, "\r", "\0"], " "))


class RawLine(Struct, frozen=True):
    """A line without its line feed."""

    number: int
    content: bytes


class Record(Struct):
    """The lines from one title line to the next; `document` is "" before the first title."""

    document: str
    lines: list[RawLine] = field(default_factory=list)

    @property
    def line(self) -> int:
        """The number of the first line."""
        return self.lines[0].number


class Ends(Struct):
    """How the lines of a file end."""

    crlf: int = 0
    lf: int = 0
    first_other: int = 0  # line number of the first line that does not end like line 1
    last_has_end: bool = True


def records(stream: BinaryIO, ends: Ends | None = None) -> Iterator[Record]:
    """Yield the records of a file; `ends` is filled on the way."""
    ends = Ends() if ends is None else ends
    current = Record("")
    for number, line in enumerate(stream, start=1):
        content = line.removesuffix(b"\n")
        is_crlf = content.endswith(b"\r")
        ends.last_has_end = line.endswith(b"\n")
        if is_crlf:
            ends.crlf += 1
        elif ends.last_has_end:
            ends.lf += 1
        if not ends.first_other and ends.crlf and ends.lf:
            ends.first_other = number
        if match := _TITLE.match(content.removeprefix(b"\xef\xbb\xbf")):
            if current.lines:
                yield current
            current = Record(match[0][:-3].decode(errors="replace"))
        current.lines.append(RawLine(number, content.removesuffix(b"\r")))
    if current.lines:
        yield current


def owner(content: bytes) -> str:
    """Return the document id a line carries, "" where it carries none."""
    match = _OWNER.match(content)
    return match[0].decode(errors="replace") if match else ""


def file_findings(ends: Ends, number_of_lines: int) -> Iterator[Finding]:
    """Yield what is wrong with the line ends of a whole file."""
    if ends.crlf and ends.lf:
        what = f"{ends.crlf} lines end in CRLF, {ends.lf} in LF"
        yield finding("mixed-line-ends", what, line=ends.first_other, repairable=True)
    elif ends.crlf:
        yield finding("crlf", f"{ends.crlf} lines", line=1, repairable=True)
    if not ends.last_has_end:
        yield finding("no-final-newline", "end of file", line=number_of_lines, repairable=True)


class Line(Struct):
    """A line as clean text."""

    number: int
    text: str


def clean_lines(record: Record, findings: list[Finding]) -> list[Line]:
    """Return the lines of a record as text that no reader trips over; every code point counts."""
    lines: list[Line] = []
    for raw in record.lines:
        report = _Reporter(findings, raw.number, record.document or None)
        content = raw.content
        if raw.number == 1 and content.startswith(b"\xef\xbb\xbf"):
            report("byte-order-mark", "EF BB BF")
            content = content[3:]
        try:
            text = content.decode()
        except UnicodeDecodeError as error:
            bad = content[error.start]
            report("not-utf8", f"byte 0x{bad:02x} at byte {error.start + 1}: read as Windows-1252")
            text = content.decode("cp1252", "replace")
        if "\0" in text:
            report("nul", f"{text.count(chr(0))} of them: a space for each")
        if found := _SEPARATOR.findall(text):
            names = ", ".join(f"U+{ord(c):04X}" for c in Counter(found))
            report("line-separator", f"{len(found)} ({names}): a space for each")
        lines.append(Line(raw.number, text.translate(_TO_SPACE)))
    return lines


class _Reporter:
    """Adds repairable findings of one line."""

    def __init__(self, findings: list[Finding], line: int, document: str | None) -> None:
        self._findings, self._line, self._document = findings, line, document

    def __call__(self, code: str, what: str) -> None:
        self._findings.append(
            finding(code, what, line=self._line, document=self._document, repairable=True)
        )


def foreign_lines(all_records: Iterable[Record]) -> tuple[Counter[str], dict[str, list[RawLine]]]:
    """Return how often each document id begins, and the lines that stand in another's record."""
    begins: Counter[str] = Counter()
    strays: dict[str, list[RawLine]] = {}
    for record in all_records:
        if record.document:
            begins[record.document] += 1
        for line in record.lines:
            name = owner(line.content)
            if name and name != record.document:
                strays.setdefault(name, []).append(line)
    return begins, {name: lines for name, lines in strays.items() if begins[name] == 1}
