"""The rs numbers of known variants: what training documents and UniProt say, by gene.

Two tables come with BlueRED (docstring of `build.py`): `known_variants.tsv` has what annotated
documents give (gene, normal form, rs number, documents), `uniprot_variants.tsv` the amino acid
changes of human proteins in UniProt, one gene a line. They are read once, when first needed.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files

from msgspec import Struct

from bluered.normalize.variants.amino_acids import explains
from bluered.normalize.variants.sameness import equal, is_allele_of, is_whole
from bluered.normalize.variants.variant import PROTEIN, Variant, from_form

CORPORA_TABLE = "known_variants.tsv"
UNIPROT_TABLE = "uniprot_variants.tsv"
CORPORA = "annotated documents"
UNIPROT = "UniProt"

_Entries = tuple[tuple[Variant, str], ...]


SPECIFIC = 3
"""A place in DNA needs so many signs to tell a variant without its gene."""


class Known(Struct, frozen=True):
    """The rs number of a known variant, its gene, and where that is known from."""

    rs: str
    gene: str
    source: str


def lookup(gene: str, variant: Variant) -> Known | None:
    """Return the rs number of a gene's variant; None if the tables have none or several.

    A change of the coding DNA is also found by the change of the protein that it makes.
    """
    if variant.kind == "SUB" and variant.reference == variant.alternative:
        return None  # silent, or a genotype: that of a variant only the document can tell
    if rs := _match(_corpora().get(gene, {}).get(variant.position.removeprefix("+"), ()), variant):
        return Known(rs, gene, CORPORA)
    proteins = _uniprot(gene)
    if not proteins:
        return None
    if variant.is_protein:
        found = _match(proteins.get(variant.position, ()), variant)
    else:
        found = _by_codon(proteins, variant)
    return Known(found, gene, UNIPROT) if found else None


@lru_cache(maxsize=1024)
def lookup_without_gene(variant: Variant, *, in_uniprot: bool) -> Known | None:
    """Return the rs number of a variant that the tables have of one gene only.

    On BioRED's development part, all genes taken away, 42 of 43 numbers found so were right.
    """
    if not is_whole(variant) or variant.reference == variant.alternative:
        return None
    if not variant.is_protein and len(variant.position) < SPECIFIC:
        return None
    place = variant.position.removeprefix("+")
    found = [
        Known(rs, gene, CORPORA)
        for gene, places in _corpora().items()
        for known, rs in places.get(place, ())
        if equal(variant, known)
    ]
    if not found and in_uniprot and variant.is_protein and variant.kind == "SUB":
        found = list(_anywhere(f" {variant.reference}{place}{variant.alternative}:"))
    return found[0] if len({known.rs for known in found}) == 1 else None


def _anywhere(change: str) -> Iterator[Known]:
    """Yield the genes of UniProt's table that have a change, by a search in all of its lines."""
    for gene, changes in _uniprot_lines().items():
        if change in changes:
            number = changes.partition(change)[2].partition(" ")[0]
            yield Known(f"rs{number}", gene, UNIPROT)


def _match(entries: _Entries, variant: Variant) -> str:
    """Return the one rs number of the entries that fit a variant; "" for none or several."""
    if is_whole(variant):
        found = [rs for known, rs in entries if equal(variant, known)]
    else:
        found = [rs for known, rs in entries if is_allele_of(variant, known)]
    return found[0] if len(set(found)) == 1 else ""


def _by_codon(proteins: dict[str, _Entries], variant: Variant) -> str:
    """Return the one rs number of the amino acid changes that a substitution of a base may make."""
    if variant.kind != "SUB" or variant.sequence != "c" or not variant.position.isdigit():
        return ""
    if len(variant.reference) != 1 or len(variant.alternative) != 1:
        return ""
    codon, place = divmod(int(variant.position) - 1, 3)
    found = {
        rs
        for known, rs in proteins.get(str(codon + 1), ())
        if explains(
            variant.reference,
            variant.alternative,
            place=place,
            before=known.reference,
            after=known.alternative,
        )
    }
    return found.pop() if len(found) == 1 else ""


@cache
def _corpora() -> dict[str, dict[str, _Entries]]:
    found: dict[str, dict[str, _Entries]] = defaultdict(dict)
    for gene, form, rs, _ in rows(_content(CORPORA_TABLE)):
        variant = from_form(form)
        places = found[gene]
        place = variant.position.removeprefix("+")
        places[place] = (*places.get(place, ()), (variant, rs))
    return dict(found)


@lru_cache(maxsize=1024)
def _uniprot(gene: str) -> dict[str, _Entries]:
    """Return the amino acid changes of a gene's protein, by their place."""
    found: dict[str, _Entries] = {}
    for change in _uniprot_lines().get(gene, "").split():
        name, _, number = change.partition(":")
        variant = Variant(
            kind="SUB",
            sequence=PROTEIN,
            reference=name[0],
            position=name[1:-1],
            alternative=name[-1],
        )
        place = variant.position
        found[place] = (*found.get(place, ()), (variant, f"rs{number}"))
    return found


@cache
def _uniprot_lines() -> dict[str, str]:
    return {gene: f" {changes}" for gene, changes in rows(_content(UNIPROT_TABLE))}


def rows(content: str) -> list[list[str]]:
    """Return the rows of a table, without its comments and its line of column names."""
    lines = [line for line in content.splitlines() if line and not line.startswith("#")]
    return [line.split("\t") for line in lines[1:]]


def _content(name: str) -> str:
    return files("bluered.normalize.variants").joinpath(name).read_text("utf-8")
