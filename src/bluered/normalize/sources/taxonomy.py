"""NCBI Taxonomy: the taxa of a taxdump, packed (taxdump.tar.gz) or as the folder it unpacks to.

Layout, as its readme says: a record a line, fields parted by tab, bar, tab, the line ends with tab,
bar. names.dmp has tax_id, name, unique name and name class, sorted by tax_id; nodes.dmp has tax_id,
parent, rank, EMBL code and division.

Left out are the root; the taxa of division 11, environmental samples; and those whose scientific
name says that it is none: "unclassified ...", "unidentified ...", "uncultured ...", "environmental
samples", "... metagenome". Strains and species without an epithet ("Synechocystis sp. PCC 6803")
stay: authors name them. Of the classes of names, scientific names are names; synonyms, equivalent
names, common names, acronyms, anamorphs and teleomorphs are synonyms; misspellings, misnomers,
BLAST names ("rodents") and what a taxon includes are descriptions. Authorities, type material and
names that hold in part only are no names of the taxon and are not read.
"""

import tarfile
import zlib
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, cast

from bluered.documents.biored_types import SPECIES
from bluered.errors import FormatError
from bluered.formats.lines import decode_line, numbered_lines
from bluered.normalize.sources.faults import OnError, report
from bluered.normalize.sources.other_names import other_names
from bluered.normalize.term import Term

SCIENTIFIC = "scientific name"
SYNONYMS = frozenset(
    (
        "synonym",
        "equivalent name",
        "genbank synonym",
        "common name",
        "genbank common name",
        "acronym",
        "genbank acronym",
        "anamorph",
        "genbank anamorph",
        "teleomorph",
    )
)
DESCRIPTIONS = frozenset(("misspelling", "misnomer", "blast name", "includes"))

NO_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType({})
"""No names from elsewhere."""

_ROOT = 1
_ENVIRONMENTAL_SAMPLES = "11"
_NO_TAXA = ("unclassified ", "unidentified", "uncultured", "environmental samples")
_LARGEST = 1 << 28  # of a tax_id: more is a broken line, not a taxon

Name = tuple[int, int, str, str]
"""Line, tax_id, name and class of name."""


def taxa(
    path: Path,
    *,
    everyday: Mapping[str, tuple[str, ...]] = NO_NAMES,
    on_error: OnError | None = None,
    omitted: Counter[str] | None = None,
) -> Iterator[Term]:
    """Yield the taxa of a taxdump, one byte of memory for each.

    `everyday` gives further synonyms by tax_id ("patient", "mice"). A line that is no record is
    given to `on_error` and left out (without it, raised); what is left out on purpose is counted in
    `omitted`.
    """
    left = Counter[str]() if omitted is None else omitted
    dropped = _environmental(path, on_error=on_error)
    for taxon, names in groupby(_names(path, on_error=on_error), key=lambda name: name[1]):
        if taxon == _ROOT:
            continue
        group = list(names)
        if taxon < len(dropped) and dropped[taxon]:
            left["environmental samples (division 11)"] += 1
            continue
        try:
            term = _term(taxon, group, everyday, source=f"{path}, names.dmp")
        except FormatError as error:
            report(error, on_error)
            continue
        if term.name.lower().startswith(_NO_TAXA) or term.name.endswith(" metagenome"):
            left["unclassified, unidentified, uncultured, metagenomes"] += 1
            continue
        yield term


def _term(
    taxon: int, group: list[Name], everyday: Mapping[str, tuple[str, ...]], *, source: str
) -> Term:
    scientific = next((text for _, _, text, kind in group if kind == SCIENTIFIC), "")
    if not scientific:
        message = f"taxon {taxon} has no scientific name"
        raise FormatError(message, source=source, line=group[0][0])
    synonyms = [text for _, _, text, kind in group if kind in SYNONYMS]
    loose = (text for _, _, text, kind in group if kind in DESCRIPTIONS)
    equal = other_names([*synonyms, *everyday.get(str(taxon), ())], besides=[scientific])
    return Term(
        id=str(taxon),
        type=SPECIES,
        name=scientific,
        synonyms=equal,
        descriptions=other_names(loose, besides=[scientific, *equal]),
    )


def _names(path: Path, *, on_error: OnError | None) -> Iterator[Name]:
    """Yield the names; a taxon whose names stand apart is an error."""
    before = 0
    for number, fields in _records(path, "names.dmp", least=4, on_error=on_error):
        taxon = int(fields[0])
        if taxon < before:
            message = f"names of taxon {taxon} after those of {before}: expected them sorted"
            place = FormatError(message, source=f"{path}, names.dmp", line=number)
            report(place, on_error)
            continue
        before = taxon
        yield number, taxon, fields[1], fields[3]


def _environmental(path: Path, *, on_error: OnError | None) -> "array[int]":
    """Return for each tax_id whether it is of the division of environmental samples."""
    flags = array("B")
    for _, fields in _records(path, "nodes.dmp", least=5, on_error=on_error):
        if fields[4] == _ENVIRONMENTAL_SAMPLES:
            taxon = int(fields[0])
            if taxon >= len(flags):
                flags.frombytes(bytes(taxon + 1 - len(flags)))
            flags[taxon] = 1
    return flags


def _records(
    path: Path, member: str, *, least: int, on_error: OnError | None
) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, fields) of one file of the dump; the first field is a number."""
    source = f"{path}, {member}"
    with _opened(path, member) as stream:
        for number, line in numbered_lines(stream):
            try:
                text = decode_line(line, source=source, line_number=number)
                fields = text.removesuffix("\t|").split("\t|\t")
                if len(fields) < least or not text.endswith("|"):
                    message = f"expected {least} or more fields parted by tab, bar, tab"
                    raise FormatError(message, source=source, line=number)
                if not fields[0].isdecimal() or int(fields[0]) > _LARGEST:
                    message = f"expected a tax_id, found {fields[0]!r}"
                    raise FormatError(message, source=source, line=number)
            except FormatError as error:
                report(error, on_error)
                continue
            yield number, fields


@contextmanager
def _opened(path: Path, member: str) -> Iterator[BinaryIO]:
    """Open one file of the dump for reading, without unpacking the archive."""
    if path.is_dir():
        with (path / member).open("rb") as stream:
            yield stream
        return
    try:
        with tarfile.open(path, "r|*") as archive:
            for info in archive:
                if info.isfile() and info.name.removeprefix("./") == member:
                    yield cast("BinaryIO", archive.extractfile(info))
                    return
    except (tarfile.TarError, EOFError, zlib.error, OSError) as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise
        raise FormatError(f"a broken archive: {error}", source=str(path)) from None
    raise FormatError(f"expected an archive with {member}, found none", source=str(path))


def date_of(path: Path) -> str:
    """Return the date of a dump's nodes.dmp as YYYY-MM-DD, "" where it says none."""
    if path.is_dir():
        return datetime.fromtimestamp((path / "nodes.dmp").stat().st_mtime, UTC).date().isoformat()
    with tarfile.open(path, "r|*") as archive:
        for info in archive:
            if info.mtime:
                return datetime.fromtimestamp(info.mtime, UTC).date().isoformat()
    return ""
