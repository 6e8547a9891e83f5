"""Cellosaurus: the cell lines of cellosaurus.txt.

Layout, as the file's own head says: lines of a two-letter code, three blanks and a value; an entry
begins with its ID (the recommended name) and ends with `//`; AC is the accession, SY the synonyms
parted by "; ", OX the species of origin (`NCBI_TaxID=9606; ! Homo sapiens (Human)`). A name with a
remark in brackets that sets it apart from another's ("DS1 [Mouse hybridoma]") is given without the
remark too. A line of several species (hybrids, hybridomas) has no taxon.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from bluered.documents.biored_types import CELL_LINE
from bluered.errors import FormatError
from bluered.formats.lines import decode_line, numbered_lines
from bluered.formats.streams import opened
from bluered.normalize.sources.faults import OnError, report
from bluered.normalize.sources.other_names import other_names
from bluered.normalize.term import Term

_ACCESSION = re.compile(r"CVCL_[0-9A-Z]{4,}")
_TAXON = re.compile(r"NCBI_TaxID=(\d+);")
_REMARK = re.compile(r" \[[^\]]*\]$")
_VERSION = re.compile(rb"(?m)^ ?Version: *(\S+)")
_READ = frozenset((b"ID", b"AC", b"SY", b"OX"))


def cell_lines(path: Path, *, on_error: OnError | None = None) -> Iterator[Term]:
    """Yield the cell lines of cellosaurus.txt, gzipped or not.

    An entry that is none is given to `on_error` and left out (without it, raised).
    """
    source = str(path)
    found = False
    entry: dict[str, list[str]] = {}
    start = 0
    fault: FormatError | None = None
    with opened(path) as (_, stream):
        for number, line in numbered_lines(stream):
            code = line[:2]
            if code == b"ID" and line[2:5] == b"   ":
                if start:
                    report(_unfinished(source, start), on_error)
                entry, start, fault, found = {}, number, None, True
            if not start:
                continue  # the head of the file
            if code in _READ and line[2:5] == b"   ":
                try:
                    value = decode_line(line, source=source, line_number=number)[5:].strip()
                    entry.setdefault(code.decode(), []).append(value)
                except FormatError as error:
                    fault = error
            elif line == b"//":
                try:
                    if fault is not None:
                        raise fault
                    yield _term(entry, source=source, line=start)
                except FormatError as error:
                    report(error, on_error)
                start = 0
    if start:
        report(_unfinished(source, start), on_error)
    if not found:
        raise FormatError(
            "expected the entries of cellosaurus.txt (lines such as 'ID   HeLa'), found none",
            source=source,
        )


def version_of(path: Path) -> str:
    """Return the version that the head of the file names, "" where it names none."""
    with opened(path) as (head, _):
        match = _VERSION.search(head)
    return match[1].decode("ascii", "replace") if match else ""


def _unfinished(source: str, line: int) -> FormatError:
    return FormatError("the entry that begins here has no end (//)", source=source, line=line)


def _term(entry: dict[str, list[str]], *, source: str, line: int) -> Term:
    accession = "".join(entry.get("AC", [])[:1])
    name = "".join(entry.get("ID", [])[:1])
    if not _ACCESSION.fullmatch(accession):
        message = f"expected an AC line such as 'AC   CVCL_0030', found {accession!r}"
        raise FormatError(message, source=source, line=line)
    if not name:
        raise FormatError("an entry without a name (ID)", source=source, line=line)
    synonyms = [text for value in entry.get("SY", []) for text in value.split("; ")]
    plain = (_REMARK.sub("", text) for text in (name, *synonyms))
    species = {taxon for value in entry.get("OX", []) for taxon in _TAXON.findall(value)}
    return Term(
        id=accession,
        type=CELL_LINE,
        name=name,
        synonyms=other_names([*synonyms, *plain], besides=[name]),
        taxon=species.pop() if len(species) == 1 else "",
    )
