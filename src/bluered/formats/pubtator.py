"""How PubTator is read and written: the BioRED, BC5CDR and BioCreative VIII dialects.

A document is a title line `id|t|...`, an abstract line `id|a|...`, tab-separated mention lines
`id start end mention type [identifier [score or individual mentions]]` and relation lines
`id type concept concept [Novel|No or score]`, closed by a blank line. Offsets are code points into
title + one character + abstract; trailing spaces of the title count.

Lines end at LF only (a CR before it is dropped), so U+2028, U+0085 and form feeds stay text.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from bluered.documents.checks import entity_fault, faults
from bluered.documents.document import (
    Combination,
    Document,
    Entity,
    Relation,
    Span,
    simple_document,
)
from bluered.errors import FormatError
from bluered.formats.identifiers import join_concepts, separator_infons, split_identifier
from bluered.formats.lines import decode_line, numbered_lines

OnError = Callable[[FormatError], None]

COLUMNS = "pubtator.columns"  # "5": the mention line has no identifier column
EXTRA = "pubtator.extra"  # further columns, tab-separated
INDIVIDUAL = "pubtator.individual_mentions"  # BC5CDR's 7th column of a composite mention
SCORE = "pubtator.score"  # a score as written, so that it is written back digit for digit
BLANKS_BEFORE = "pubtator.blank_lines_before"  # 0 when absent
BLANKS_AFTER = "pubtator.blank_lines_after"  # 1 when absent
NOVELTY = {"Novel": True, "No": False}

_TEXT_LINE = re.compile(r"([^|\t]+)\|([ta])\|(.*)", re.DOTALL)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")

Lines = list[tuple[int, bytes]]


def read(
    stream: BinaryIO,
    *,
    source: str = "<stream>",
    check: bool = True,
    on_error: OnError | None = None,
) -> Iterator[Document]:
    """Yield the documents of a PubTator stream, one at a time.

    `check=False` lets offsets that do not match the text and relations that name unknown concepts
    pass. A bad document raises FormatError; with `on_error` it is handed over and skipped.
    """
    for lines, before, after in _blocks(numbered_lines(stream)):
        try:
            document = _document(lines, source=source, check=check)
        except FormatError as error:
            if on_error is None:
                raise
            on_error(error)
            continue
        infons = {}
        if before:
            infons[BLANKS_BEFORE] = str(before)
        if after != 1:
            infons[BLANKS_AFTER] = str(after)
        yield document if not infons else _with_infons(document, infons)


def _with_infons(document: Document, infons: dict[str, str]) -> Document:
    document.infons.update(infons)  # just built here, nobody else holds it
    return document


def _blocks(lines: Iterable[tuple[int, bytes]]) -> Iterator[tuple[Lines, int, int]]:
    """Yield the lines of each document with the numbers of blank lines before it and after it."""
    block: Lines = []
    before = after = 0
    for number, line in lines:
        if not line:
            if block:
                after += 1
            else:
                before += 1
        elif block and (after or _starts_document(line)):
            yield block, before, after
            block, before, after = [(number, line)], 0, 0
        else:
            block.append((number, line))
    if block:
        yield block, before, after


def _starts_document(line: bytes) -> bool:
    bar = line.find(b"|t|")
    return bar > 0 and line.find(b"\t", 0, bar) < 0 and line.find(b"|") == bar


def _document(lines: Lines, *, source: str, check: bool) -> Document:
    number, line = lines[0]
    decoded = [(n, decode_line(raw, source=source, line_number=n)) for n, raw in lines]
    match = _TEXT_LINE.fullmatch(decoded[0][1])
    if match is None or match[2] != "t":
        raise FormatError(
            "expected a title line 'id|t|title' at the start of a document, found "
            f"{decoded[0][1][:60]!r} (is a blank line in the middle of a document? "
            "bluered doctor can tell and repair)",
            source=source,
            line=number,
        )
    document_id, title = match[1], match[3]
    abstract, rest = "", decoded[1:]
    if rest and (second := _TEXT_LINE.fullmatch(rest[0][1])) and second[2] == "a":
        _same_document(second[1], document_id, source=source, line=rest[0][0])
        abstract, rest = second[3], rest[1:]
    document = simple_document(document_id, title, abstract)
    entities: list[Entity] = []
    relations: list[Relation] = []
    for number, text in rest:
        columns = text.split("\t")
        _same_document(columns[0], document_id, source=source, line=number)
        try:
            if len(columns) >= 5 and columns[1].isdecimal() and columns[2].isdecimal():
                entity = _entity(columns)
                if check and (fault := entity_fault(document.text, entity)):
                    raise FormatError(fault)
                entities.append(entity)
            else:
                relations.append(_relation(columns))
        except FormatError as error:
            raise FormatError(
                error.message, source=source, line=number, document=document_id
            ) from None
    document = Document(
        id=document_id,
        text=document.text,
        passages=document.passages,
        entities=tuple(entities),
        relations=tuple(relations),
        infons={},
    )
    if check and relations:
        for fault in faults(document):
            raise FormatError(fault, source=source, line=lines[0][0], document=document_id)
    return document


def _same_document(found: str, expected: str, *, source: str, line: int) -> None:
    if found != expected:
        raise FormatError(
            f"expected a line of document {expected!r}, found one of {found[:60]!r} (documents are "
            "separated by a blank line)",
            source=source,
            line=line,
        )


def _entity(columns: list[str]) -> Entity:
    infons: dict[str, str] = {}
    concepts: tuple[str, ...] = ()
    combination: Combination | None = None
    confidence: float | None = None
    if len(columns) == 5:
        infons[COLUMNS] = "5"
    else:
        extra = columns[6:]
        if extra and _NUMBER.fullmatch(extra[0]):
            confidence, infons[SCORE] = float(extra[0]), extra.pop(0)
        elif extra and "|" in extra[0]:
            infons[INDIVIDUAL] = extra.pop(0)
        if extra:
            infons[EXTRA] = "\t".join(extra)
        identifiers = split_identifier(columns[5])
        concepts = identifiers.concepts
        combination = identifiers.combination
        infons.update(separator_infons(identifiers))
    return Entity(
        type=columns[4],
        spans=(Span(int(columns[1]), int(columns[2])),),
        text=columns[3],
        concepts=concepts,
        combination=combination,
        confidence=confidence,
        infons=infons,
    )


def _relation(columns: list[str]) -> Relation:
    if len(columns) < 4:
        raise FormatError(
            "expected a mention line (id, start, end, mention, type, identifier) or a relation line "
            f"(id, type, concept, concept, novelty), tab-separated, found {len(columns)} columns"
        )
    infons: dict[str, str] = {}
    confidence: float | None = None
    extra = columns[4:]
    novel = NOVELTY.get(extra[0]) if extra else None
    if novel is not None:
        extra.pop(0)
    elif extra and _NUMBER.fullmatch(extra[0]):
        confidence, infons[SCORE] = float(extra[0]), extra.pop(0)
    if extra:
        infons[EXTRA] = "\t".join(extra)
    return Relation(
        type=columns[1],
        head=columns[2],
        tail=columns[3],
        novel=novel,
        confidence=confidence,
        infons=infons,
    )


def write(
    documents: Iterable[Document], stream: BinaryIO, *, losses: Counter[str] | None = None
) -> int:
    """Write documents as PubTator (UTF-8, LF) and return how many.

    What PubTator cannot hold is counted in `losses` by kind.
    """
    lost = Counter[str]() if losses is None else losses
    count = 0
    for document in documents:
        stream.write(_block(document, lost).encode())
        count += 1
    return count


def _one_line(text: str) -> str:
    """Replace tabs and line breaks by one space each, which moves no offset."""
    return text.translate(_TO_SPACE)


_TO_SPACE = {ord(c): " " for c in "\t\n\r"}


def _block(document: Document, losses: Counter[str]) -> str:
    title, abstract = title_and_abstract(document, losses)
    key = document.id
    lines = [f"{key}|t|{title}", f"{key}|a|{abstract}"]
    lines += [_mention_line(key, entity, losses) for entity in document.entities]
    lines += [_relation_line(key, relation, losses) for relation in document.relations]
    losses["mention relations"] += len(document.mention_relations)
    before = int(document.infons.get(BLANKS_BEFORE, 0))
    after = int(document.infons.get(BLANKS_AFTER, 1))
    return "\n" * before + "\n".join(lines) + "\n" + "\n" * after


def title_and_abstract(document: Document, losses: Counter[str]) -> tuple[str, str]:
    """Return the text as PubTator's two lines; every code point keeps its offset.

    The first passage is the title, all that follows the abstract, with the white space between
    them as it is. One character between the two lines is implied by the format; where the document
    has none or more, the rest is put at the end of the title.
    """
    text = document.text
    plain = _one_line(text)
    losses["line breaks or tabs in text (written as spaces)"] += sum(
        a != b for a, b in zip(text, plain, strict=True)
    )
    losses["passages beyond title and abstract (joined to the abstract)"] += max(
        0, len(document.passages) - 2
    )
    if not document.passages:
        return plain, ""
    if len(document.passages) == 1:
        split = len(plain) + 1
    else:
        split = max(1, document.passages[1].start)
    return plain[: split - 1], plain[split:]


def _mention_line(key: str, entity: Entity, losses: Counter[str]) -> str:
    if len(entity.spans) > 1:
        losses["gaps of discontinuous mentions (written as one span)"] += 1
    columns = [key, str(entity.start), str(entity.end), _one_line(entity.text), entity.type]
    if entity.infons.get(COLUMNS) == "5" and not entity.concepts:
        return "\t".join(columns)
    columns.append(join_concepts(entity) if entity.concepts else "-")
    if SCORE in entity.infons:
        columns.append(entity.infons[SCORE])
    elif entity.confidence is not None:
        losses["confidences of mentions"] += 1
    columns += [entity.infons[k] for k in (INDIVIDUAL, EXTRA) if k in entity.infons]
    return "\t".join(columns)


def _relation_line(key: str, relation: Relation, losses: Counter[str]) -> str:
    columns = [key, relation.type, relation.head, relation.tail]
    if relation.novel is not None:
        columns.append("Novel" if relation.novel else "No")
    if SCORE in relation.infons:
        columns.append(relation.infons[SCORE])
    elif relation.confidence is not None:
        losses["confidences of relations"] += 1
    if relation.evidence:
        losses["evidence spans of relations"] += len(relation.evidence)
    if EXTRA in relation.infons:
        columns.append(relation.infons[EXTRA])
    return "\t".join(columns)
