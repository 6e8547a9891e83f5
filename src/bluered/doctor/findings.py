"""What the doctor can find in a file: the list of faults and how bad each is."""

from typing import Literal

from msgspec import Struct

Severity = Literal["error", "warning", "note"]
"""error: BlueRED's reader refuses it, or the content is wrong. warning: other readers are known to
trip over it. note: worth knowing, nothing to mend."""


class Fault(Struct, frozen=True):
    """A kind of fault: how bad it is and what it is, in words."""

    severity: Severity
    title: str


class Finding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A fault in a file: where it is, what it is, and whether `--fix` mends it."""

    code: str
    severity: Severity
    line: int | None = None
    document: str | None = None
    what: str
    repairable: bool = False


FAULTS: dict[str, Fault] = {
    "not-utf8": Fault("error", "bytes that are not UTF-8"),
    "nul": Fault("error", "NUL bytes in text"),
    "byte-order-mark": Fault("warning", "a byte order mark before the first line"),
    "mixed-line-ends": Fault("warning", "lines that end in CRLF and lines that end in LF"),
    "crlf": Fault("note", "all lines end in CRLF"),
    "line-separator": Fault("warning", "Unicode line separators inside text"),
    "no-final-newline": Fault("warning", "the last line has no line end"),
    "no-final-blank-line": Fault("warning", "no blank line after the last document"),
    "leading-blank-line": Fault("warning", "blank lines before the first document"),
    "double-blank-line": Fault("warning", "more than one blank line between documents"),
    "missing-blank-line": Fault("warning", "no blank line between two documents"),
    "stray-blank-line": Fault("error", "a blank line inside a document"),
    "white-line": Fault("error", "a line of white space only"),
    "title-trailing-space": Fault("note", "a title that ends in spaces, which count"),
    "no-title": Fault("error", "lines before the first title line"),
    "no-abstract": Fault("warning", "a document without an abstract line"),
    "repeated-text": Fault("error", "a second abstract line in a document"),
    "annotation-before-abstract": Fault("error", "annotations before the abstract line"),
    "foreign-line": Fault("error", "a line that carries another document's id"),
    "duplicate-document": Fault("error", "a document id that came before"),
    "unreadable-line": Fault("error", "a line that is neither mention nor relation"),
    "spaces-for-tabs": Fault("error", "columns parted by spaces instead of tabs"),
    "five-columns": Fault("warning", "a mention line without an identifier column"),
    "empty-id": Fault("warning", "a mention line with an empty identifier"),
    "missing-id": Fault("warning", "an annotation without an id"),
    "placeholder-id": Fault("note", "a mention without a concept (- or -1)"),
    "bar-in-id": Fault("note", "a | inside an identifier, which some take for a separator"),
    "bad-offset": Fault("error", "an offset that is not a whole number"),
    "shifted-offsets": Fault("error", "offsets that are off by some characters"),
    "utf8-offsets": Fault("error", "offsets counted in UTF-8 bytes instead of characters"),
    "utf16-offsets": Fault("error", "offsets counted in UTF-16 units instead of characters"),
    "passage-offsets": Fault("error", "offsets counted from the start of the passage"),
    "passage-order": Fault("error", "passages that do not follow each other by their offsets"),
    "normalised-mention": Fault("error", "a mention written otherwise than the text has it"),
    "wrong-offsets": Fault("error", "offsets that do not match, and no single place that does"),
    "unknown-concept": Fault("error", "a relation of a concept that no mention has"),
    "unknown-mention": Fault("error", "a relation of a mention that does not exist"),
    "duplicate-annotation": Fault("warning", "the same mention twice"),
    "duplicate-relation": Fault("warning", "the same relation twice"),
    "unreadable": Fault("error", "a record that the format's reader refuses"),
}


def finding(
    code: str,
    what: str,
    *,
    line: int | None = None,
    document: str | None = None,
    repairable: bool = False,
) -> Finding:
    """Return a finding of a known fault."""
    return Finding(
        code=code,
        severity=FAULTS[code].severity,
        line=line,
        document=document,
        what=what,
        repairable=repairable,
    )
