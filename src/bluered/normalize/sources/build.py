"""Building a terminology from official files: read one after the other, put in place as a whole."""

import hashlib
import re
import shutil
import struct
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from bluered.errors import BlueredError, FormatError
from bluered.formats.streams import TEMPORARY
from bluered.normalize.shipped.taxa import common_species
from bluered.normalize.sources import cellosaurus, mesh, ncbi_gene, taxonomy
from bluered.normalize.sources.catalog import Source, Unit, sources
from bluered.normalize.store import MANIFEST, Manifest, sha256, write_manifest, write_terminology
from bluered.normalize.term import SourceRecord, Term

Watch = Callable[[Iterable[Term], str], Iterable[Term]]
"""Pass terms on while showing how far it is; the text names the file."""

_SHOWN = 3  # faults of a file that are kept in words


class FileReport(Struct):
    """What became of the records of a file."""

    file: str
    concepts: int = 0
    omitted: Counter[str] = field(default_factory=Counter)
    skipped: int = 0
    faults: list[str] = field(default_factory=list)

    def add(self, error: FormatError) -> None:
        """Count a record that could not be read, and keep the first few reasons."""
        self.skipped += 1
        if len(self.faults) < _SHOWN:
            self.faults.append(str(error))


class Built(Struct, frozen=True):
    """A terminology that was built, with what was left out of it."""

    folder: Path
    manifest: Manifest
    reports: tuple[FileReport, ...]


def build(
    files: Mapping[str, Collection[Path]],
    folder: Path,
    *,
    name: str,
    taxa: Collection[str] | None = tuple(ncbi_gene.MODEL_ORGANISMS),
    overwrite: bool = False,
    watch: Watch = lambda terms, _: terms,
) -> Built:
    """Build a terminology from files given by their units, and put it in place in one step.

    Records that cannot be read are left out and reported; BlueredError if a file gives no term at
    all, or if the folder is there and may not be overwritten. `taxa` are the species whose genes
    are read, None for all.
    """
    refuse_existing(folder, overwrite=overwrite)
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=folder.parent, prefix=TEMPORARY))
    try:
        reports: list[FileReport] = []
        records: list[SourceRecord] = []
        terms = _terms(files, taxa, reports, records, watch)
        today = datetime.now(UTC).date().isoformat()
        manifest = write_terminology(terms, work, name=name, built=today, sources=())
        manifest = write_manifest(replace(manifest, sources=tuple(records)), work)
        work.chmod(0o755)
        _put_in_place(work, folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return Built(folder, manifest, tuple(reports))


def refuse_existing(folder: Path, *, overwrite: bool) -> None:
    """Raise BlueredError if a folder is there that may not, or should not, be replaced."""
    if not folder.exists():
        return
    if not overwrite:
        raise BlueredError(
            f"{folder} is there already: build under another name, or replace it (--overwrite)"
        )
    if not (folder / MANIFEST).is_file():
        raise BlueredError(f"{folder} is no terminology and is not replaced: name another folder")


def _put_in_place(work: Path, folder: Path) -> None:
    """Rename the finished folder; one that is there before is removed afterwards."""
    old = None
    if folder.exists():
        old = Path(tempfile.mkdtemp(dir=folder.parent, prefix=TEMPORARY))
        folder.rename(old / folder.name)
    work.rename(folder)
    if old is not None:
        shutil.rmtree(old, ignore_errors=True)


def _terms(
    files: Mapping[str, Collection[Path]],
    taxa: Collection[str] | None,
    reports: list[FileReport],
    records: list[SourceRecord],
    watch: Watch,
) -> Iterator[Term]:
    """Yield the terms of all files; reports and records are filled as the files are read."""
    mesh_trees: dict[str, tuple[str, ...]] = {}
    for source in sources().values():
        for unit in source.units:
            for path in files.get(unit.name, ()):
                report = FileReport(str(path))
                reports.append(report)
                for term in watch(_read(unit, path, taxa, mesh_trees, report), path.name):
                    report.concepts += 1
                    yield term
                if not report.concepts:
                    reason = f": {report.faults[0]}" if report.faults else ""
                    raise BlueredError(f"{path}: no term could be read{reason}")
                records.append(_record(source, unit, path, taxa, report))


def _read(
    unit: Unit,
    path: Path,
    taxa: Collection[str] | None,
    mesh_trees: dict[str, tuple[str, ...]],
    report: FileReport,
) -> Iterator[Term]:
    on_error, omitted = report.add, report.omitted
    match unit.name:
        case "mesh-descriptors":
            return mesh.descriptors(path, trees=mesh_trees, on_error=on_error, omitted=omitted)
        case "mesh-supplementary":
            return mesh.supplementary(path, trees=mesh_trees, on_error=on_error, omitted=omitted)
        case "gene-info":
            return ncbi_gene.genes(path, taxa=taxa, on_error=on_error, omitted=omitted)
        case "taxdump":
            everyday = common_species()
            return taxonomy.taxa(path, everyday=everyday, on_error=on_error, omitted=omitted)
        case _:
            return cellosaurus.cell_lines(path, on_error=on_error)


def _record(
    source: Source, unit: Unit, path: Path, taxa: Collection[str] | None, report: FileReport
) -> SourceRecord:
    """Return what the manifest says of a file."""
    version = _version(unit, path)
    if unit.name == "gene-info" and taxa is not None:
        version += f", {len(taxa)} species"
    years = re.findall(r"\d{4}", path.name)
    address = unit.url.format(year=years[0] if years else "")
    official = _stem(address.rsplit("/", 1)[-1]) == _stem(path.name)
    return SourceRecord(
        name=unit.name,
        version=version,
        licence=source.licence,
        url=address if official else source.home,
        sha256=sha256(path) if path.is_file() else _folder_hash(path),
        citation=source.cite,
        concepts=report.concepts,
    )


def _stem(name: str) -> str:
    """Return a file's name without what says how it is packed."""
    return name.lower().removesuffix(".gz").removesuffix(".tar").removesuffix(".xml")


def _version(unit: Unit, path: Path) -> str:
    """Return what a file says of its version: a year, a release, a date."""
    year = re.search(r"\d{4}", path.name)
    if unit.name.startswith("mesh") and year:
        return year[0]
    if unit.name == "cellosaurus-text" and (version := cellosaurus.version_of(path)):
        return version
    if unit.name == "taxdump" and (date := taxonomy.date_of(path)):
        return date
    return _date(path)


def _date(path: Path) -> str:
    """Return when a file was packed, if gzip says so, else when it was last changed."""
    with path.open("rb") as stream:
        head = stream.read(8)
    packed = struct.unpack("<I", head[4:8])[0] if head.startswith(b"\x1f\x8b") else 0
    return datetime.fromtimestamp(packed or path.stat().st_mtime, UTC).date().isoformat()


def _folder_hash(folder: Path) -> str:
    """Return one hash for the two files of an unpacked dump."""
    digest = "".join(sha256(folder / name) for name in ("names.dmp", "nodes.dmp"))
    return hashlib.sha256(digest.encode()).hexdigest()
