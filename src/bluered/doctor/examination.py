"""The doctor's round: a file of any format examined, and a repaired copy written."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from shutil import copyfileobj
from typing import BinaryIO

from msgspec.structs import replace

from bluered.doctor import pubtator
from bluered.doctor.bioc import examine_json, examine_xml, unreadable
from bluered.doctor.documents import MendedDocument, mend
from bluered.doctor.findings import Finding, finding
from bluered.documents.document import Document
from bluered.errors import FormatError
from bluered.formats import FORMATS, detect, read_file, write_file
from bluered.formats.streams import STANDARD, opened, replacing, source_name

REPAIRABLE = ("pubtator", "bioc-xml", "bioc-json", "jsonl")
"""The formats of which a repaired copy can be written."""


def examine(path: str | Path, format: str | None = None) -> Iterator[Finding]:
    """Yield every fault of a file, in the order of its lines; `-` is standard input."""
    with _at_hand(path) as local:
        name = format or detect(local)
        if name == "pubtator":
            with _seekable(local) as stream:
                for mended in pubtator.examine(stream):
                    yield from _by_line(mended.findings)
        else:
            for mended in _examined_documents(local, name, source_name(path)):
                yield from _by_line(mended.findings)


def repair(path: str | Path, output: str | Path, format: str | None = None) -> list[Finding]:
    """Write a repaired copy of a file and return all faults of the original."""
    findings: list[Finding] = []
    with _at_hand(path) as local:
        name = format or detect(local)
        if name not in REPAIRABLE:
            raise FormatError(
                f"no repair for {name} (there is for {', '.join(REPAIRABLE)}; bluered convert can "
                "change the format)",
                source=source_name(path),
            )
        if name == "pubtator":
            _repair_pubtator(local, output, findings)
        else:
            documents = _examined_documents(local, name, source_name(path))
            write_file(_mended(documents, findings), output, name)
    return findings


def repaired_path(path: str | Path) -> Path:
    """Return the name of the repaired copy: `a.bioc.xml` gives `a.fixed.bioc.xml`."""
    path = Path(path)
    lowered = path.name.lower()
    packed = ".gz" if lowered.endswith(".gz") else ""
    bare = lowered.removesuffix(".gz")
    endings = [e for known in FORMATS.values() for e in known.endings if bare.endswith(e)]
    ending = max(endings, key=len, default=Path(bare).suffix) + packed
    stem = path.name[: len(path.name) - len(ending)] if ending else path.name
    return path.with_name(f"{stem}.fixed{path.name[len(stem) :]}")


def _by_line(findings: list[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda found: found.line or 0)


def _repair_pubtator(path: Path, output: str | Path, findings: list[Finding]) -> None:
    with _seekable(path) as stream, replacing(output) as target:
        for mended in pubtator.examine(stream):
            findings += _by_line(mended.findings)
            target.write("".join(f"{line}\n" for line in mended.lines).encode())


def _mended(documents: Iterator[MendedDocument], findings: list[Finding]) -> Iterator[Document]:
    for mended in documents:
        findings += _by_line(mended.findings)
        if mended.document is not None:
            yield mended.document


def _examined_documents(path: Path, name: str, source: str) -> Iterator[MendedDocument]:
    """Yield the documents of a file in any format but PubTator; repeated ids are found too."""
    seen: dict[str, bytes] = {}
    for mended in _examined(path, name, source):
        document = mended.document
        if document is None:
            yield mended
            continue
        digest = blake2b(repr(document).encode(errors="surrogatepass"), digest_size=16).digest()
        if document.id not in seen:
            seen[document.id] = digest
            yield mended
            continue
        same = seen[document.id] == digest
        what = f"document {document.id} again, " + ("the same" if same else "another")
        first_line = min((f.line for f in mended.findings if f.line), default=None)
        repeated = finding(
            "duplicate-document", what, line=first_line, document=document.id, repairable=same
        )
        kept = None if same else document
        yield replace(mended, findings=[repeated, *mended.findings], document=kept)


def _examined(path: Path, name: str, source: str) -> Iterator[MendedDocument]:
    if name in ("bioc-xml", "bioc-json"):
        examined = examine_xml if name == "bioc-xml" else examine_json
        with opened(path) as (_, stream):
            yield from examined(stream, source=source)
        return
    errors: list[FormatError] = []
    for document in read_file(path, name, check=False, on_error=errors.append):
        yield from _taken(errors)
        yield mend(document)
    yield from _taken(errors)


def _taken(errors: list[FormatError]) -> Iterator[MendedDocument]:
    for error in errors:
        yield MendedDocument([unreadable(error)])
    errors.clear()


@contextmanager
def _at_hand(path: str | Path) -> Iterator[Path]:
    """Give the path of a file that can be read more than once; standard input is copied to one."""
    if str(path) != STANDARD:
        yield Path(path)
        return
    with opened(path) as (_, stream), tempfile.NamedTemporaryFile(prefix="bluered.") as copy:
        copyfileobj(stream, copy)
        copy.flush()
        yield Path(copy.name)


@contextmanager
def _seekable(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading more than once; what is gzipped is unpacked to a temporary one."""
    with opened(path) as (head, stream):
        if not head:
            raise FormatError("the file is empty, expected documents", source=str(path))
        with tempfile.TemporaryFile(prefix="bluered.") as copy:
            copyfileobj(stream, copy)
            copy.seek(0)
            yield copy
