"""NCBI Gene: the genes of a gene_info file, whole (gene_info.gz) or of some species.

Layout, as the README of ftp.ncbi.nlm.nih.gov/gene/DATA says: one gene a line, columns parted by
tabs and named in the first line, which begins with `#`; `-` for no value; several values of a
column parted by `|`. A gene's symbol is its name; the nomenclature authority's symbol, the locus
tag and the unofficial symbols are synonyms; full names and designations are descriptions.

Left out are the placeholders of genes that have no record (symbol NEWENTRY) and regions that are no
genes (type biological-region: enhancers and the like), which bear no names.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

from bluered.documents.biored_types import GENE
from bluered.errors import FormatError
from bluered.formats.lines import decode_line, numbered_lines
from bluered.formats.streams import opened
from bluered.normalize.sources.faults import OnError, report
from bluered.normalize.sources.other_names import other_names
from bluered.normalize.term import Term

MODEL_ORGANISMS: dict[str, str] = {
    "9606": "human",
    "10090": "mouse",
    "10116": "rat",
    "7955": "zebrafish",
    "7227": "fruit fly",
    "6239": "roundworm (C. elegans)",
    "4932": "baker's yeast",
    "4896": "fission yeast",
    "3702": "thale cress",
    "562": "Escherichia coli (K-12)",
    "8355": "African clawed frog",
    "8364": "western clawed frog",
    "9031": "chicken",
    "9544": "rhesus monkey",
    "9615": "dog",
    "9685": "cat",
    "9796": "horse",
    "9823": "pig",
    "9913": "cow",
    "9940": "sheep",
    "9986": "rabbit",
    "10029": "Chinese hamster",
    "10036": "golden hamster",
    "10141": "guinea pig",
    "11676": "HIV-1",
}
"""The species read unless others are asked for, by NCBI Taxonomy number."""

SPECIES_OF_STRAIN = {"559292": "4932", "284812": "4896", "511145": "562"}
"""NCBI Gene keeps the genes of these species under a strain's number; texts name the species."""

_COLUMNS = (
    "tax_id",
    "GeneID",
    "Symbol",
    "LocusTag",
    "Synonyms",
    "description",
    "type_of_gene",
    "Symbol_from_nomenclature_authority",
    "Full_name_from_nomenclature_authority",
    "Other_designations",
)


def genes(
    path: Path,
    *,
    taxa: Collection[str] | None = None,
    on_error: OnError | None = None,
    omitted: Counter[str] | None = None,
) -> Iterator[Term]:
    """Yield the genes of a gene_info file, gzipped or not.

    `taxa` are NCBI Taxonomy numbers of species, None for all. A line that is none is given to
    `on_error` and left out (without it, raised); what is left out on purpose is counted in
    `omitted`.
    """
    left = Counter[str]() if omitted is None else omitted
    with opened(path) as (_, stream):
        lines = numbered_lines(stream)
        header = decode_line(next(lines, (1, b""))[1], source=str(path), line_number=1)
        places = _places(header, source=str(path))
        wanted = None if taxa is None else {taxon.encode() for taxon in _with_strains(taxa)}
        for number, line in lines:
            if wanted is not None and line[: line.find(b"\t")] not in wanted and b"\t" in line:
                left["genes of other species"] += 1
                continue
            try:
                term = _gene(line, places, source=str(path), number=number, left=left)
            except FormatError as error:
                report(error, on_error)
                continue
            if term is not None:
                yield term


def _with_strains(taxa: Collection[str]) -> set[str]:
    return {*taxa} | {strain for strain, of in SPECIES_OF_STRAIN.items() if of in taxa}


def _places(header: str, *, source: str) -> tuple[int, ...]:
    """Return where the columns stand that are read, or raise FormatError."""
    names = header.removeprefix("#").split("\t")
    missing = [name for name in _COLUMNS if name not in names]
    if missing or not header.startswith("#"):
        raise FormatError(
            f"the first line of a gene_info file names its columns and begins with "
            f"'#tax_id\\tGeneID\\tSymbol'; not there: {', '.join(missing) or '#'}",
            source=source,
            line=1,
        )
    return tuple(names.index(name) for name in _COLUMNS)


def _gene(
    line: bytes, places: tuple[int, ...], *, source: str, number: int, left: Counter[str]
) -> Term | None:
    cells = decode_line(line, source=source, line_number=number).split("\t")
    if len(cells) <= max(places):
        message = f"{len(cells)} columns where the header has more than {max(places)}"
        raise FormatError(message, source=source, line=number)
    cell = [("" if cells[place] == "-" else cells[place]) for place in places]
    taxon, name, symbol, tag, aliases, description, kind, official, full, others = cell
    if not (taxon.isdecimal() and name.isdecimal()):
        message = f"tax_id and GeneID must be numbers, found {taxon!r} and {name!r}"
        raise FormatError(message, source=source, line=number)
    if symbol == "NEWENTRY":
        left["placeholders (NEWENTRY)"] += 1
        return None
    if kind == "biological-region":
        left["regions that are no genes (biological-region)"] += 1
        return None
    names = [symbol, official, *aliases.split("|"), tag]
    symbols = other_names(names, besides=[])
    long = other_names([full, description, *others.split("|")], besides=symbols)
    if not (symbols or long):
        left["genes without a name"] += 1
        return None
    preferred = (symbols or long)[0]
    return Term(
        id=name,
        type=GENE,
        name=preferred,
        synonyms=symbols[1:],
        descriptions=tuple(text for text in long if text != preferred),
        taxon=SPECIES_OF_STRAIN.get(taxon, taxon),
    )
