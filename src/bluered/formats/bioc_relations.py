"""How BioC's relations and the model's correspond, in the dialects of three NCBI corpora."""

import re

import msgspec
from msgspec import Struct, field

from bluered.documents.document import MentionRelation, Relation, Span

Infons = dict[str, str]

ROLES_AS_TEXT = "bioc.roles"  # infon "role1": the roles stand as `Type|identifier`, as in PubTator3
JSON_VALUE = "bioc.json."  # infon prefix: a value that is not a string, as JSON
NODES = "bioc.nodes"  # infon: nodes beside the concepts of a relation, as JSON
NOVELTY = {"Novel": True, "No": False}

_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_SPANS = re.compile(r"[0-9]{1,9}-[0-9]{1,9}(?: [0-9]{1,9}-[0-9]{1,9})*")


class Node(Struct, omit_defaults=True):
    """An end of a relation: the id of an annotation and the role it plays."""

    refid: str
    role: str = ""


class RelationRecord(Struct, omit_defaults=True):
    """A relation as BioC has it."""

    id: str = ""
    infons: Infons = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)


def take_number(infons: Infons, key: str) -> float | None:
    """Take a number out of the infons; what is not one stays there."""
    if _NUMBER.fullmatch(infons.get(key, "")):
        return float(infons.pop(key))
    return None


def relation(record: RelationRecord) -> Relation | MentionRelation | None:
    """Return the relation of a record, whose infons it takes over.

    None, and an untouched record, where the model has no form for it.
    """
    infons = record.infons
    if "entity1" in infons and "entity2" in infons:
        found = _concept_relation(record.id, infons, infons.pop("entity1"), infons.pop("entity2"))
    elif "role1" in infons and "role2" in infons:
        found = _relation_of_roles(record.id, infons)
    elif JSON_VALUE + "role1" in infons and JSON_VALUE + "role2" in infons:
        found = _relation_of_objects(record.id, infons)
    elif "relation" in infons and not record.nodes and len(infons) >= 3:
        found = _relation_by_role(record.id, infons)
    elif len(record.nodes) == 2:
        return _mention_relation(record.id, infons, record.nodes)
    else:
        return None
    if found is not None and record.nodes:
        found.infons[NODES] = msgspec.json.encode(record.nodes).decode()
    return found


def _concept_relation(
    relation_id: str,
    infons: Infons,
    head: str,
    tail: str,
    roles: tuple[str, str] | None = None,
    *,
    type_key: str = "type",
) -> Relation:
    novel = NOVELTY.get(infons.get("novel", ""))
    if novel is not None:
        del infons["novel"]
    kind = infons.pop(type_key, "")
    if not infons:
        return Relation(kind, head, tail, relation_id, novel, roles)
    confidence = take_number(infons, "confidence")
    if confidence is None and _NUMBER.fullmatch(infons.get("score", "")):
        confidence = float(infons["score"])
    return Relation(
        kind,
        head,
        tail,
        relation_id,
        novel,
        roles,
        confidence,
        take_number(infons, "novelty_confidence"),
        _take_spans(infons, "evidence"),
        infons,
    )


def _relation_of_roles(relation_id: str, infons: Infons) -> Relation | None:
    """Return a relation whose ends are written `Type|identifier`, PubTator3's way."""
    ends = [infons[key].partition("|") for key in ("role1", "role2")]
    if not all(kind and bar and concept for kind, bar, concept in ends):
        return None
    infons[ROLES_AS_TEXT] = "role1"
    del infons["role1"], infons["role2"]
    (head_role, _, head), (tail_role, _, tail) = ends
    return _concept_relation(relation_id, infons, head, tail, (head_role, tail_role))


def _relation_of_objects(relation_id: str, infons: Infons) -> Relation | None:
    """Return a relation whose ends are JSON objects with `identifier` and `type`."""
    ends = [msgspec.json.decode(infons[JSON_VALUE + key]) for key in ("role1", "role2")]
    if not all(isinstance(end, dict) and isinstance(end.get("identifier"), str) for end in ends):
        return None
    infons[ROLES_AS_TEXT] = "objects"
    head, tail = ends
    roles = (str(head.get("type", "")), str(tail.get("type", "")))
    return _concept_relation(relation_id, infons, head["identifier"], tail["identifier"], roles)


def _relation_by_role(relation_id: str, infons: Infons) -> Relation | None:
    """Return a relation whose ends are infons named by their roles, BC5CDR's way."""
    known = ("relation", "novel", "confidence", "novelty_confidence", "evidence", "score")
    roles = [key for key in infons if key not in known and "." not in key]
    if len(roles) != 2:
        return None
    head, tail = infons.pop(roles[0]), infons.pop(roles[1])
    return _concept_relation(
        relation_id, infons, head, tail, (roles[0], roles[1]), type_key="relation"
    )


def _mention_relation(relation_id: str, infons: Infons, nodes: list[Node]) -> MentionRelation:
    head, tail = nodes
    kind = infons.pop("type", "")
    confidence = take_number(infons, "confidence")
    return MentionRelation(
        type=kind,
        head=head.refid,
        tail=tail.refid,
        id=relation_id,
        roles=(head.role, tail.role) if head.role or tail.role else None,
        confidence=confidence,
        infons=infons,
    )


def _take_spans(infons: Infons, key: str) -> tuple[Span, ...]:
    if not _SPANS.fullmatch(infons.get(key, "")):
        return ()
    pairs = (piece.split("-") for piece in infons.pop(key).split(" "))
    return tuple(Span(int(start), int(end)) for start, end in pairs)


def relation_record(item: Relation) -> RelationRecord:
    """Return a document-level relation in the dialect it was read in, else in BioRED's."""
    infons = {k: v for k, v in item.infons.items() if k not in (ROLES_AS_TEXT, NODES)}
    written = item.infons.get(ROLES_AS_TEXT)
    if written == "objects":
        infons["type"] = item.type
    elif item.roles is not None and written:
        infons["role1"] = f"{item.roles[0]}|{item.head}"
        infons["role2"] = f"{item.roles[1]}|{item.tail}"
        infons["type"] = item.type
    elif item.roles is not None and len(set(item.roles)) == 2:
        infons |= {"relation": item.type, item.roles[0]: item.head, item.roles[1]: item.tail}
    else:
        infons |= {"entity1": item.head, "entity2": item.tail, "type": item.type}
    if item.novel is not None:
        infons["novel"] = "Novel" if item.novel else "No"
    if item.confidence is not None and "score" not in infons:
        infons["confidence"] = repr(item.confidence)
    if item.novelty_confidence is not None:
        infons["novelty_confidence"] = repr(item.novelty_confidence)
    if item.evidence:
        infons["evidence"] = " ".join(f"{span.start}-{span.end}" for span in item.evidence)
    nodes = item.infons.get(NODES)
    return RelationRecord(
        item.id, infons, msgspec.json.decode(nodes, type=list[Node]) if nodes else []
    )


def mention_relation_record(item: MentionRelation) -> RelationRecord:
    """Return a relation between mentions as two nodes."""
    infons = {**item.infons, "type": item.type}
    if item.confidence is not None:
        infons["confidence"] = repr(item.confidence)
    roles = item.roles or ("", "")
    return RelationRecord(item.id, infons, [Node(item.head, roles[0]), Node(item.tail, roles[1])])
