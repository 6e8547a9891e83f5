"""What is wrong with the annotation lines of a PubTator document, and how they should read."""

import re

from msgspec import Struct

from bluered.doctor.concepts import names_of, nearest_concept
from bluered.doctor.findings import Finding, finding
from bluered.doctor.offsets import Place, explain
from bluered.doctor.pubtator_lines import TEXT_LINE, Line
from bluered.formats.identifiers import split_identifier

PLACEHOLDERS = frozenset({"-", "-1"})

_OFFSET = re.compile(r"[0-9]{1,9}")
_NUMBER_LIKE = re.compile(r"\s*[-+]?\d[\d.,_eE+]*\s*")
_SPACED = re.compile(r"(\S+)\s+([0-9]{1,9})\s+([0-9]{1,9})\s+(.+?)\s+(\S+)\s+(\S+)\s*")


class _Annotation(Struct):
    """A line and its columns, which are mended in place; `kind` says what it holds."""

    line: Line
    columns: list[str]
    kind: str  # "mention", "relation" or "unreadable"


class _Judge(Struct):
    """The document that the lines belong to, and where what is found goes."""

    document: str
    text: str
    abstract_start: int
    findings: list[Finding]

    def report(self, code: str, what: str, item: _Annotation, *, repairable: bool = True) -> None:
        self.findings.append(
            finding(
                code, what, line=item.line.number, document=self.document, repairable=repairable
            )
        )


def mended_annotations(
    document: str, text: str, abstract_start: int, lines: list[Line], findings: list[Finding]
) -> list[str]:
    """Return the annotation lines mended; what is wrong with them is added to the findings."""
    judge = _Judge(document, text, abstract_start, findings)
    items = [_annotation(line, judge) for line in lines]
    mentions = [item for item in items if item.kind == "mention"]
    _mend_offsets([item for item in mentions if _has_numbers(item, judge)], judge)
    for item in mentions:
        _mend_identifier(item, judge)
    names = names_of([item.columns[5] for item in mentions])
    for item in items:
        if item.kind == "relation":
            _mend_relation(item, names, judge)
    return _without_repeats(items, judge)


def _annotation(line: Line, judge: _Judge) -> _Annotation:
    columns = line.text.split("\t")
    if TEXT_LINE.fullmatch(line.text):  # reported already: a second abstract
        return _Annotation(line, columns, "unreadable")
    if len(columns) == 1 and (match := _SPACED.fullmatch(line.text)):
        item = _Annotation(line, list(match.groups()), "mention")
        judge.report("spaces-for-tabs", line.text[:60], item)
        return item
    if len(columns) >= 5 and all(map(_NUMBER_LIKE.fullmatch, columns[1:3])):
        return _Annotation(line, columns, "mention")
    if len(columns) >= 4:
        return _Annotation(line, columns, "relation")
    item = _Annotation(line, columns, "unreadable")
    what = f"{len(columns)} columns, expected 6 (mention) or 4 to 5 (relation): {line.text[:60]!r}"
    judge.report("unreadable-line", what, item, repairable=False)
    return item


def _has_numbers(item: _Annotation, judge: _Judge) -> bool:
    """Tell whether the offsets are numbers; if not, look for the mention's only place."""
    if all(map(_OFFSET.fullmatch, item.columns[1:3])):
        return True
    written = "-".join(item.columns[1:3])
    place = explain(judge.text, -1, -1, item.columns[3])
    if place is not None:
        _move(item, place, judge)
    judge.report("bad-offset", f"{written[:60]!r}{_to(place)}", item, repairable=place is not None)
    return False


def _to(place: Place | None) -> str:
    return "" if place is None else f" -> {place.start}-{place.end}"


def _move(item: _Annotation, place: Place, judge: _Judge) -> None:
    item.columns[1:4] = [str(place.start), str(place.end), judge.text[place.start : place.end]]


def _mend_offsets(mentions: list[_Annotation], judge: _Judge) -> None:
    """Move the mentions whose offsets do not match, if there is one place they can mean."""
    unsolved: list[_Annotation] = []
    shifts: dict[int, None] = {}
    for item in mentions:
        start, end, mention = int(item.columns[1]), int(item.columns[2]), item.columns[3]
        if start < end and judge.text[start:end] == mention:
            continue
        place = explain(judge.text, start, end, mention, passage_starts=(judge.abstract_start,))
        if place is None:
            unsolved.append(item)
            continue
        if place.code == "shifted-offsets":
            shifts[place.start - start] = None
        _report_move(item, place, judge)
    for item in unsolved:
        start, mention = int(item.columns[1]), item.columns[3]
        same = [s for s in shifts if s + start >= 0 and judge.text.startswith(mention, start + s)]
        if len(same) == 1:  # others of this document slipped by as much
            begin = start + same[0]
            _report_move(item, Place("shifted-offsets", begin, begin + len(mention)), judge)
        else:
            covered = judge.text[start : int(item.columns[2])][:60]
            what = f"{'-'.join(item.columns[1:3])} covers {covered!r}, the mention is {mention!r}"
            judge.report("wrong-offsets", what, item, repairable=False)


def _report_move(item: _Annotation, place: Place, judge: _Judge) -> None:
    written, mention = "-".join(item.columns[1:3]), item.columns[3]
    _move(item, place, judge)
    now = f"{place.start}-{place.end}"
    if item.columns[3] == mention:
        what = f"{mention!r}: {written} -> {now}"
    else:
        what = f"{mention!r} -> {item.columns[3]!r}" + (f": {written} -> {now}" * (written != now))
    judge.report(place.code, what, item)


def _mend_identifier(item: _Annotation, judge: _Judge) -> None:
    columns = item.columns
    if len(columns) == 5:
        judge.report("five-columns", f"{columns[3]!r}: '-' is added", item)
        columns.append("-")
    elif not columns[5].strip():
        judge.report("empty-id", f"{columns[3]!r}: '-' is written", item)
        columns[5] = "-"
    elif columns[5] in PLACEHOLDERS:
        _note("placeholder-id", f"{columns[3]!r}: {columns[5]}", item, judge)
    elif any("|" in concept for concept in split_identifier(columns[5]).concepts):
        _note("bar-in-id", columns[5], item, judge)


def _note(code: str, what: str, item: _Annotation, judge: _Judge) -> None:
    judge.findings.append(finding(code, what, line=item.line.number, document=judge.document))


def _mend_relation(item: _Annotation, names: set[str], judge: _Judge) -> None:
    for column in (2, 3):
        concept = item.columns[column]
        if concept in names:
            continue
        nearest = nearest_concept(concept, names)
        what = f"{item.columns[1]} of {concept!r}" + (f" -> {nearest!r}" if nearest else "")
        judge.report("unknown-concept", what, item, repairable=nearest is not None)
        if nearest is not None:
            item.columns[column] = nearest


def _without_repeats(items: list[_Annotation], judge: _Judge) -> list[str]:
    kept: dict[str, None] = {}
    for item in items:
        text = "\t".join(item.columns)
        if text in kept and item.kind != "unreadable":
            kind = "annotation" if item.kind == "mention" else "relation"
            judge.report(f"duplicate-{kind}", text.partition("\t")[2][:60], item)
        kept[text] = None
    return list(kept)
