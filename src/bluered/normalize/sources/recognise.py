"""Which files of a folder are official sources, by their names and first lines."""

import re
from collections.abc import Sequence
from pathlib import Path

from bluered.errors import BlueredError, FormatError
from bluered.formats.streams import opened
from bluered.normalize.sources.catalog import Unit, sources

_DUMP = ("names.dmp", "nodes.dmp")
_WHOLE_GENE = re.compile(r"(all_data\.)?gene_info(\.gz)?", re.IGNORECASE)


def recognise(folder: Path, wanted: Sequence[str] = ()) -> dict[str, tuple[Path, ...]]:
    """Return the files of each unit found in a folder, in the catalogue's order.

    `wanted` are names of sources; without any, all that are found. A dump of the taxonomy may be
    unpacked, there or in `taxdump`. Of several years of a file the last is taken, and of gene_info
    the whole file if there is one beside those of single species. BlueredError if nothing is found
    or a wanted source is not.
    """
    if not folder.is_dir():
        raise BlueredError(f"{folder} is not a folder: name the one with the official files")
    found: dict[str, tuple[Path, ...]] = {}
    for name, source in sources().items():
        if wanted and name not in wanted:
            continue
        files = {unit.name: _files(unit, folder) for unit in source.units}
        found |= {unit: paths for unit, paths in files.items() if paths}
        if wanted and not any(files.values()):
            names = " and ".join(unit.url.rsplit("/", 1)[-1] for unit in source.units)
            raise BlueredError(
                f"{folder} holds no file of {name} ({names.format(year='YYYY')}): download it from "
                f"{source.home}, or leave --from out to have it downloaded"
            )
    if not found:
        raise BlueredError(
            f"{folder} holds no official file of {', '.join(sources())}: expected names such as "
            "desc2026.gz, supp2026.gz, gene_info.gz, taxdump.tar.gz, cellosaurus.txt"
        )
    return found


def _files(unit: Unit, folder: Path) -> tuple[Path, ...]:
    pattern = re.compile(unit.pattern, re.IGNORECASE)
    matches = sorted(p for p in folder.iterdir() if pattern.fullmatch(p.name) and p.is_file())
    if unit.name == "taxdump" and not matches:
        places = (folder, folder / "taxdump")
        return tuple(p for p in places if all((p / name).is_file() for name in _DUMP))[:1]
    if unit.several:
        matches = [p for p in matches if _WHOLE_GENE.fullmatch(p.name)][:1] or matches
    else:
        matches = sorted(matches, key=lambda p: (re.findall(r"\d+", p.name), p.name))[-1:]
    for path in matches:
        check(path, unit)
    return tuple(matches)


def check(path: Path, unit: Unit) -> None:
    """Raise FormatError if a file does not begin as the unit's files do."""
    if not unit.head:
        return
    with opened(path) as (head, _):
        if unit.head.encode() not in head:
            raise FormatError(
                f"expected {unit.head!r} in the first lines of a file of this name: not the "
                "official file, or a broken copy (a proxy's page?)",
                source=str(path),
            )
