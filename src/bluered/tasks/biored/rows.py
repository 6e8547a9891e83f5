"""BioREDirect's candidate rows: every pair of ids of the eight type pairs, with its two labels."""

import re
from collections.abc import Iterator
from itertools import combinations

from msgspec import Struct

from bluered.documents.biored_types import CHEMICAL, DISEASE, GENE
from bluered.documents.document import Document, Entity, Relation
from bluered.formats.identifiers import join_concepts
from bluered.formats.pubtator import COLUMNS, EXTRA, INDIVIDUAL, SCORE
from bluered.tasks.biored.labels import CONCEPT_PAIRS, relation_type

ASSOCIATION = "Association"

NO_ROW = frozenset({"", "-", "-1"})
"""Identifiers that stand for none."""

_RENAMED = {"Chemical": CHEMICAL, "Disease": DISEASE, "Gene": GENE}


class Label(Struct, frozen=True):
    """The label of a row: no relation is the empty type; what states no novelty is Novel."""

    type: str = ""
    novel: bool = True
    subject: str = ""


NONE = Label()


class Row(Struct, frozen=True):
    """A pair of ids with its types, and the labels that gold and prediction give it."""

    ids: tuple[str, str]
    types: tuple[str, str]
    gold: Label
    predicted: Label

    @property
    def labelled(self) -> bool:
        """Whether either side sees a relation; no measure counts the others."""
        return bool(self.gold.type or self.predicted.type)


def candidates(document: Document | None) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Yield (ids, types) of each row a gold document has, types in alphabetical order.

    Ids of one type are ordered too, so a concept has no row with itself (unless it has two types).
    """
    if document is None:
        return
    typed = sorted({found for entity in document.entities for found in mention_ids(entity)})
    named = [(name, key) for name, key in typed if key not in NO_ROW]
    for (type1, id1), (type2, id2) in combinations(named, 2):
        if frozenset((type1, type2)) in CONCEPT_PAIRS:
            yield (id1, id2), (type1, type2)


def mention_ids(entity: Entity) -> Iterator[tuple[str, str]]:
    """Yield (type, id) for each id of a mention.

    Ids are split at `,` and `;` and lose surrounding `*`; a mention line of more or fewer than six
    columns (a score behind the id, or no id) is not read.
    """
    if any(infon in entity.infons for infon in (SCORE, INDIVIDUAL, EXTRA, COLUMNS)):
        return
    name = re.sub(r"\s*\(.*?\)\s*$", "", entity.type)
    for key in re.split("[,;]", join_concepts(entity)):
        yield _RENAMED.get(name, name), key.strip("*")


def ids_of(document: Document | None) -> set[frozenset[str]]:
    """Return the pairs of ids that have a row."""
    return {frozenset(ids) for ids, _ in candidates(document)}


def row_labels(gold: Document | None, predicted: Document | None) -> list[Row]:
    """Return the rows of a gold document with both labels; what is not predicted is no relation."""
    left, right = _by_ids(gold), _by_ids(predicted)
    return [
        Row(ids, types, _look_up(left, ids), _look_up(right, ids))
        for ids, types in candidates(gold)
    ]


def _by_ids(document: Document | None) -> dict[tuple[str, str], Label]:
    """Return the label of each ordered pair of ids; a later line replaces an earlier one."""
    relations = document.relations if document else ()
    return {(r.head, r.tail): label_of(r) for r in relations if "-" not in (r.head, r.tail)}


def _look_up(labels: dict[tuple[str, str], Label], ids: tuple[str, str]) -> Label:
    return labels.get(ids) or labels.get((ids[1], ids[0])) or NONE


def label_of(relation: Relation) -> Label:
    """Return the label of a relation: what follows `|` in its type (a score) is not part of it."""
    return Label(
        type=relation_type(relation.type.split("|")[0]),
        novel=relation.novel is not False,
        subject=subject_of(relation),
    )


def subject_of(relation: Relation) -> str:
    """Return the id of the end whose role is "Subject", or nothing."""
    if relation.roles is None:
        return ""
    roles = [role.lower() for role in relation.roles]
    if "subject" not in roles:
        return ""
    return (relation.head, relation.tail)[roles.index("subject")]
