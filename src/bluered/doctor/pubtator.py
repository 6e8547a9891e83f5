"""What is wrong with a PubTator file, line by line, and what it looks like mended."""

from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

from msgspec import Struct, field

from bluered.doctor.findings import Finding, finding
from bluered.doctor.pubtator_annotations import mended_annotations
from bluered.doctor.pubtator_lines import (
    TEXT_LINE,
    Ends,
    Line,
    RawLine,
    Record,
    clean_lines,
    file_findings,
    foreign_lines,
    owner,
    records,
)


class Mended(Struct):
    """The findings of a record and its lines as they should be."""

    findings: list[Finding] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


class _File(Struct):
    """What must be known of the whole file to judge one record."""

    strays: dict[str, list[RawLine]]  # lines that stand in another document's record
    later: dict[str, list[Record]] = field(default_factory=dict)  # of documents that began before
    seen: set[str] = field(default_factory=set)
    merged: set[str] = field(default_factory=set)  # repeated documents whose texts are the same


def examine(stream: BinaryIO) -> Iterator[Mended]:
    """Yield each record of a file, judged and mended; findings on the whole file come last.

    The stream is read twice, and a third time when document ids repeat.
    """
    begins, strays = foreign_lines(records(stream))
    file = _File(strays)
    if any(number > 1 for number in begins.values()):
        stream.seek(0)
        file.later = _later_records(stream, begins)
    stream.seek(0)
    ends = Ends()
    before: Record | None = None
    for record in records(stream, ends):
        if before is not None:
            yield _mended(before, file, is_last=False)
        before = record
    if before is not None:
        yield _mended(before, file, is_last=True)
        yield Mended([*file_findings(ends, before.lines[-1].number)])


def _later_records(stream: BinaryIO, begins: Counter[str]) -> dict[str, list[Record]]:
    later: dict[str, list[Record]] = {}
    seen: set[str] = set()
    for record in records(stream):
        if begins[record.document] > 1:
            if record.document in seen:
                later.setdefault(record.document, []).append(record)
            seen.add(record.document)
    return later


def _mended(record: Record, file: _File, *, is_last: bool) -> Mended:
    mended = Mended()
    lines = clean_lines(record, mended.findings)
    if not record.document:
        return _before_first_title(lines, mended, file)
    content = _own(
        record, _without_blank_lines(record, lines, mended, is_last=is_last), file, mended
    )
    if record.document in file.seen:
        is_merged = record.document in file.merged
        mended.findings.append(_duplicate(record, repairable=is_merged))
        if is_merged:
            return mended
    else:
        file.seen.add(record.document)
        content += _merged_annotations(record, content, file)
        content += clean_lines(Record(record.document, file.strays.get(record.document, [])), [])
    _add_document(record, content, mended)
    return mended


def _before_first_title(lines: list[Line], mended: Mended, file: _File) -> Mended:
    for line in lines:
        if not line.text.strip():
            mended.findings.append(
                finding("leading-blank-line", "blank", line=line.number, repairable=True)
            )
            continue
        name = owner(line.text.encode())
        movable = name in file.strays
        where = f"moves to document {name}" if movable else "belongs to no document of this file"
        mended.findings.append(
            finding("no-title", f"{line.text[:60]!r} {where}", line=line.number, repairable=movable)
        )
        if not movable:
            mended.lines.append(line.text)
    return mended


def _without_blank_lines(
    record: Record, lines: list[Line], mended: Mended, *, is_last: bool
) -> list[Line]:
    def report(code: str, what: str, number: int) -> None:
        mended.findings.append(
            finding(code, what, line=number, document=record.document, repairable=True)
        )

    content = [line for line in lines if line.text.strip()]
    end = content[-1].number
    for line in lines:
        if line.text and not line.text.strip():
            report("white-line", f"{len(line.text)} white characters", line.number)
        elif not line.text and line.number < end:
            report("stray-blank-line", "blank", line.number)
    blanks = lines[-1].number - end
    if blanks == 0 and is_last:
        report("no-final-blank-line", "end of file", end)
    elif blanks == 0:
        report("missing-blank-line", "the next document follows at once", end)
    elif blanks > 1 and not is_last:
        report("double-blank-line", f"{blanks} blank lines", end + 1)
    return content


def _own(record: Record, lines: list[Line], file: _File, mended: Mended) -> list[Line]:
    """Return the lines of the record's document; those of another one are reported."""
    own: list[Line] = []
    for line in lines:
        name = owner(line.text.encode())
        if name in ("", record.document):
            own.append(line)
            continue
        movable = name in file.strays
        where = "moves there" if movable else "which this file has not, or not once"
        what = f"a line of document {name}, {where}"
        mended.findings.append(
            finding(
                "foreign-line", what, line=line.number, document=record.document, repairable=movable
            )
        )
        if not movable:
            own.append(line)
    return own


def _duplicate(record: Record, *, repairable: bool) -> Finding:
    what = "the same text: annotations are merged" if repairable else "with another text"
    return finding(
        "duplicate-document",
        f"document {record.document} again, {what}",
        line=record.line,
        document=record.document,
        repairable=repairable,
    )


def _merged_annotations(record: Record, content: list[Line], file: _File) -> list[Line]:
    """Return the annotations of later records with the same id and text that are not here yet."""
    later = [
        [line for line in clean_lines(other, []) if line.text.strip()]
        for other in file.later.get(record.document, [])
    ]
    if not later or any(_text_lines(lines) != _text_lines(content) for lines in later):
        return []
    file.merged.add(record.document)
    known = {line.text for line in content}
    merged: list[Line] = []
    for line in (line for lines in later for line in lines):
        if line.text not in known:
            known.add(line.text)
            merged.append(line)
    return merged


def _text_lines(lines: list[Line]) -> list[str]:
    return [line.text for line in lines if TEXT_LINE.fullmatch(line.text)]


def _add_document(record: Record, content: list[Line], mended: Mended) -> None:
    """Add title, abstract and annotations, in this order, to what is mended."""

    def report(code: str, what: str, number: int, *, repairable: bool = True) -> None:
        mended.findings.append(
            finding(code, what, line=number, document=record.document, repairable=repairable)
        )

    title, rest = content[0], content[1:]
    kinds = [match[2] if (match := TEXT_LINE.fullmatch(line.text)) else "" for line in rest]
    if "a" in kinds:
        position = kinds.index("a")
        abstract = rest.pop(position)
        for line in rest[:position]:
            report("annotation-before-abstract", line.text[:60], line.number)
    else:
        abstract = Line(title.number, f"{record.document}|a|")
        report("no-abstract", "an empty one is added", title.number)
    text = title.text.split("|t|", 1)[1]
    if text != text.rstrip(" "):
        report(
            "title-trailing-space",
            f"{len(text) - len(text.rstrip(' '))}",
            title.number,
            repairable=False,
        )
    annotations: list[Line] = []
    for line in rest:
        if TEXT_LINE.fullmatch(line.text):
            report("repeated-text", line.text[:60], line.number, repairable=False)
        annotations.append(line)
    whole = f"{text} {abstract.text.split('|a|', 1)[1]}"
    mended.lines += [title.text, abstract.text]
    mended.lines += mended_annotations(
        record.document, whole, len(text) + 1, annotations, mended.findings
    )
    mended.lines.append("")
