"""What is wrong with a document of any format, and the document mended."""

from collections.abc import Iterable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from bluered.doctor.concepts import nearest_concept
from bluered.doctor.findings import Finding, finding
from bluered.doctor.offsets import explain, shifted_pieces
from bluered.documents.checks import concept_names, entity_fault
from bluered.documents.document import (
    Document,
    Entity,
    MentionRelation,
    Relation,
    Span,
    covered_text,
)

Lines = Sequence[int | None]


class MendedDocument(Struct):
    """The findings on a document, and the document as it should be (None: unreadable)."""

    findings: list[Finding] = field(default_factory=list)
    document: Document | None = None


class _Judge(Struct):
    document: Document
    line: int | None
    findings: list[Finding]

    def report(
        self, code: str, what: str, *, line: int | None = None, repairable: bool = True
    ) -> None:
        self.findings.append(
            finding(
                code,
                what,
                line=line or self.line,
                document=self.document.id,
                repairable=repairable,
            )
        )


def mend(
    document: Document,
    *,
    line: int | None = None,
    entity_lines: Lines = (),
    findings: Iterable[Finding] = (),
) -> MendedDocument:
    """Return a document mended and what was wrong with it, beside the findings already made."""
    judge = _Judge(document, line, list(findings))
    lines = entity_lines or [None] * len(document.entities)
    entities: list[Entity] = []
    for number, entity in enumerate(document.entities):
        at = lines[number] if number < len(lines) else None
        mended = _mended_entity(entity, judge, at)
        if any(_bare(mended) == _bare(kept) for kept in entities if kept.start == mended.start):
            judge.report("duplicate-annotation", f"{entity.text!r} at {mended.start}", line=at)
            if not _is_named(document, entity.id):
                continue
        entities.append(mended)
        _note_identifier(mended, judge, at)
    mended_document = replace(document, entities=tuple(entities))
    relations = _mended_relations(mended_document, judge)
    _check_mentions(document.mention_relations, entities, judge)
    return MendedDocument(judge.findings, replace(mended_document, relations=relations))


def _bare(entity: Entity) -> Entity:
    return replace(entity, id="")


def _is_named(document: Document, entity_id: str) -> bool:
    return any(entity_id in (r.head, r.tail) for r in document.mention_relations)


def _mended_entity(entity: Entity, judge: _Judge, line: int | None) -> Entity:
    document = judge.document
    if entity_fault(document.text, entity) is None:
        return entity
    spans = ", ".join(f"{span.start}-{span.end}" for span in entity.spans)
    place = None
    if len(entity.spans) == 1:
        starts = tuple(passage.start for passage in document.passages)
        place = explain(document.text, entity.start, entity.end, entity.text, passage_starts=starts)
    elif pieces := shifted_pieces(document.text, entity.spans, entity.text):
        now = ", ".join(f"{span.start}-{span.end}" for span in pieces)
        judge.report("shifted-offsets", f"{entity.text!r}: {spans} -> {now}", line=line)
        return replace(entity, spans=pieces, text=covered_text(document.text, pieces))
    if place is None:
        covered = covered_text(document.text, entity.spans)[:60]
        what = f"{spans} covers {covered!r}, the mention is {entity.text!r}"
        judge.report("wrong-offsets", what, line=line, repairable=False)
        return entity
    text = document.text[place.start : place.end]
    judge.report(
        place.code, f"{entity.text!r}: {spans} -> {place.start}-{place.end} {text!r}", line=line
    )
    return replace(entity, spans=(Span(place.start, place.end),), text=text)


def _note_identifier(entity: Entity, judge: _Judge, line: int | None) -> None:
    for concept in entity.concepts:
        if concept in ("-", "-1"):
            judge.report(
                "placeholder-id", f"{entity.text!r}: {concept}", line=line, repairable=False
            )
        elif "|" in concept:
            judge.report("bar-in-id", concept, line=line, repairable=False)


def _mended_relations(document: Document, judge: _Judge) -> tuple[Relation, ...]:
    names = set(concept_names(document))
    kept: list[Relation] = []
    for relation in document.relations:
        ends: list[str] = []
        for concept in (relation.head, relation.tail):
            nearest = concept if concept in names else nearest_concept(concept, names)
            if nearest != concept:
                what = f"{relation.type} of {concept!r}" + (f" -> {nearest!r}" if nearest else "")
                judge.report("unknown-concept", what, repairable=nearest is not None)
            ends.append(nearest or concept)
        mended = replace(relation, head=ends[0], tail=ends[1])
        if any(replace(mended, id=other.id) == other for other in kept):
            judge.report("duplicate-relation", f"{relation.type} {ends[0]} {ends[1]}")
            continue
        kept.append(mended)
    return tuple(kept)


def _check_mentions(
    relations: tuple[MentionRelation, ...], entities: list[Entity], judge: _Judge
) -> None:
    ids = {entity.id for entity in entities}
    for relation in relations:
        for mention in (relation.head, relation.tail):
            if mention not in ids:
                what = f"{relation.type} of {mention!r}"
                judge.report("unknown-mention", what, repairable=False)
