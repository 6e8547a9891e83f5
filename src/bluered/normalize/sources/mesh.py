"""MeSH: diseases and chemicals of the descriptors and of the supplementary concept records.

Layout: nlmdescriptorrecordset and nlmsupplementalrecordset (www.nlm.nih.gov/mesh/xmlmesh.html). The
record's name is the term's; every other term of the record, of whichever of its concepts, is a
synonym, those too that NLM makes by turning words around ("Cancer of Breast", "Cancer, Breast").
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from bluered.documents.biored_types import CHEMICAL, DISEASE
from bluered.errors import FormatError
from bluered.normalize.mesh_trees import is_protein, mesh_types
from bluered.normalize.sources.faults import OnError, report
from bluered.normalize.sources.mesh_records import Element, records
from bluered.normalize.sources.other_names import other_names
from bluered.normalize.term import Term

_IDENTIFIER = re.compile(r"[DC]\d{6,9}")
_CHEMICALS, _PROTOCOLS, _DISEASES = "1", "2", "3"  # SCRClass; 4 organisms, 5 peoples, 6 anatomy
_MAPPED = "HeadingMappedToList/HeadingMappedTo/DescriptorReferredTo/DescriptorUI"


def descriptors(
    path: Path,
    *,
    trees: dict[str, tuple[str, ...]] | None = None,
    on_error: OnError | None = None,
    omitted: Counter[str] | None = None,
) -> Iterator[Term]:
    """Yield the diseases and chemicals among the descriptors of a descYYYY file, gzipped or not.

    A descriptor that is both comes twice. `trees` takes down the tree numbers of every descriptor,
    by its id, as `supplementary` wants them. A record that is none is given to `on_error` and left
    out (without it, raised); what is left out on purpose is counted in `omitted`.
    """
    left = Counter[str]() if omitted is None else omitted
    for line, element in records(path, "DescriptorRecord", on_error=on_error):
        numbers = tuple(e.text or "" for e in element.iterfind("TreeNumberList/TreeNumber"))
        kinds = mesh_types(numbers)
        try:
            term = _term(element, "Descriptor")
        except FormatError as error:
            error.source, error.line = str(path), line
            report(error, on_error)
            continue
        if trees is not None:
            trees[term.id] = numbers
        for kind in kinds:
            yield replace(term, type=kind)
        if not kinds:
            left["descriptors that are neither diseases nor chemicals"] += 1


def supplementary(
    path: Path,
    *,
    trees: Mapping[str, tuple[str, ...]],
    on_error: OnError | None = None,
    omitted: Counter[str] | None = None,
) -> Iterator[Term]:
    """Yield the diseases and chemicals of a suppYYYY file, gzipped or not.

    SCRClass 1 is a chemical, 3 a disease; of treatment protocols (2) and of records without a
    class, the `trees` of the descriptors they are mapped to decide, if they agree. Single proteins
    are left out (`is_protein`). Other arguments as in `descriptors`.
    """
    left = Counter[str]() if omitted is None else omitted
    for line, element in records(path, "SupplementalRecord", on_error=on_error):
        numbers = _mapped_trees(element, trees)
        kind = _supplementary_type(element.get("SCRClass", ""), numbers)
        try:
            term = _term(element, "SupplementalRecord")
        except FormatError as error:
            error.source, error.line = str(path), line
            report(error, on_error)
            continue
        if kind == CHEMICAL and is_protein(term.name, numbers):
            left["supplementary records of single proteins"] += 1
        elif kind:
            yield replace(term, type=kind)
        else:
            left["supplementary records that are neither diseases nor chemicals"] += 1


def _mapped_trees(element: Element, trees: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the tree numbers of the descriptors that a record is mapped to."""
    mapped = ((e.text or "").lstrip("*") for e in element.iterfind(_MAPPED))
    return [number for name in mapped for number in trees.get(name, ())]


def _supplementary_type(kind: str, numbers: list[str]) -> str:
    if kind in (_CHEMICALS, _DISEASES):
        return CHEMICAL if kind == _CHEMICALS else DISEASE
    if kind not in (_PROTOCOLS, ""):
        return ""
    found = mesh_types(numbers)
    return found[0] if len(found) == 1 else ""


def _term(element: Element, prefix: str) -> Term:
    """Return the term of a record, its type still to be set; a FormatError has no place yet."""
    identifier = element.findtext(f"{prefix}UI", "").strip()
    name = " ".join(element.findtext(f"{prefix}Name/String", "").split())
    if not _IDENTIFIER.fullmatch(identifier):
        raise FormatError(f"expected a {prefix}UI such as D001943 or C536928, found {identifier!r}")
    if not name:
        raise FormatError(f"a record without {prefix}Name", document=identifier)
    terms = element.iterfind("ConceptList/Concept/TermList/Term/String")
    synonyms = other_names((term.text or "" for term in terms), besides=[name])
    return Term(id=identifier, type="", name=name, synonyms=synonyms)
