"""How PubTator is read and written: the BioRED, BC5CDR and BioCreative VIII dialects.

A document is a title line `id|t|...`, an abstract line `id|a|...`, tab-separated mention lines
`id start end mention type [identifier [score or individual mentions]]` and relation lines
`id type concept concept [Novel|No or score]`, closed by a blank line. Offsets are code points into
title + one character + abstract; trailing spaces of the title count.

Lines end at LF only (a CR before it is dropped), so U+2028, U+0085 and form feeds stay text.
Most documents have the form that pubtator_usual reads by columns; the others are read here, line by
line. Writing is in pubtator_writer.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import BinaryIO

from msgspec.structs import replace

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
from bluered.formats import pubtator_usual
from bluered.formats.identifiers import separator_infons, split_identifier
from bluered.formats.lines import decode_line
from bluered.formats.pubtator_blocks import Block, cut_at_titles
from bluered.formats.pubtator_infons import (
    BLANKS_AFTER,
    COLUMNS,
    EXTRA,
    INDIVIDUAL,
    NOVELTY,
    SCORE,
    blank_lines,
)
from bluered.formats.pubtator_writer import write

__all__ = ["BLANKS_AFTER", "COLUMNS", "EXTRA", "INDIVIDUAL", "NOVELTY", "SCORE", "read", "write"]

OnError = Callable[[FormatError], None]

_TEXT_LINE = re.compile(r"([^|\t]+)\|([ta])\|(.*)", re.DOTALL)
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_OFFSET = re.compile(r"[0-9]{1,9}")
_NUMBER_LIKE = re.compile(r"\s*[-+]?\d[\d.,_eE+]*\s*")


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
    for found in pubtator_usual.documents(stream):
        if isinstance(found, Document):
            yield found
            continue
        for block in cut_at_titles(found):
            try:
                document = _document(block, source=source, check=check)
            except FormatError as error:
                if on_error is None:
                    raise
                on_error(error)
                continue
            yield document


def _document(block: Block, *, source: str, check: bool) -> Document:
    """Return the document of a block, read line by line."""
    number = block.line
    first, *lines = _decoded(block, source=source).split("\n")
    match = _TEXT_LINE.fullmatch(first)
    if match is None or match[2] != "t":
        raise FormatError(
            f"expected a title line 'id|t|title' at the start of a document, found {first[:60]!r} "
            "(is a blank line in the middle of a document? bluered doctor can tell and repair)",
            source=source,
            line=number,
        )
    document_id, title, abstract = match[1], match[3], ""
    number += 1
    if lines and (second := _TEXT_LINE.fullmatch(lines[0])) and second[2] == "a":
        _same_document(second[1], document_id, source=source, line=number)
        abstract = second[3]
        del lines[0]
        number += 1
    document = simple_document(document_id, title, abstract)
    is_whole = str.isdigit if block.content.isascii() else _is_ascii_number
    document = replace(document, infons=blank_lines(block.blanks_before, block.blanks_after))
    return _annotated(document, lines, number, is_whole=is_whole, source=source, check=check)


def _decoded(block: Block, *, source: str) -> str:
    try:
        text = block.content.decode()
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:  # find the line and say which byte
        for number, line in enumerate(block.content.split(b"\n"), start=block.line):
            decode_line(line, source=source, line_number=number)
    return text


def _annotated(
    document: Document,
    lines: list[str],
    number: int,
    *,
    is_whole: Callable[[str], bool],
    source: str,
    check: bool,
) -> Document:
    """Return the document with what its annotation lines say; `number` is the first one's.

    `is_whole` tells whether a text is a whole number in ASCII digits.
    """
    key, text = document.id, document.text
    entities: list[Entity] = []
    relations: list[Relation] = []
    known: set[str] = set()
    size = len(text)
    for line_number, line in enumerate(lines, start=number):
        columns = line.split("\t")
        width = len(columns)
        # The two usual kinds of line are most of every file: the shortest way for them. What does
        # not fit goes the long way below, which also finds the words for what is wrong.
        if width == 6 and check and columns[0] == key:
            _, start, end, mention, kind, identifier = columns
            concepts, digits = _plain_concepts(identifier), start + end
            if concepts and mention and start and end and len(digits) < 19 and is_whole(digits):
                begin, stop = int(start), int(end)
                if text[begin:stop] == mention and stop <= size:
                    entities.append(Entity(kind, (Span(begin, stop),), mention, "", concepts))
                    known.add(identifier)
                    continue
        elif width == 5 and columns[0] == key and columns[4] in NOVELTY:
            _, kind, head, tail, novelty = columns
            relations.append(Relation(kind, head, tail, "", NOVELTY[novelty]))
            continue
        try:
            _same_document(columns[0], key, source=source, line=line_number)
            if width >= 5 and _OFFSET.fullmatch(columns[1]) and _OFFSET.fullmatch(columns[2]):
                entity = _entity(columns)
                if check and (fault := entity_fault(text, entity)):
                    raise FormatError(fault)
                entities.append(entity)
                known.update(entity.concepts, columns[5:6])
            elif width >= 5 and all(map(_NUMBER_LIKE.fullmatch, columns[1:3])):
                raise FormatError(
                    f"expected offsets in whole numbers, found {columns[1][:40]!r} and "
                    f"{columns[2][:40]!r} (bluered doctor --fix looks for the mention)"
                )
            else:
                relations.append(_relation(columns))
        except FormatError as error:
            raise FormatError(
                error.message, source=source, line=line_number, document=key
            ) from None
    document = replace(document, entities=tuple(entities), relations=tuple(relations))
    if check and not all(r.head in known and r.tail in known for r in relations):
        for fault in faults(document):
            raise FormatError(fault, source=source, line=number, document=key)
    return document


def _is_ascii_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


@lru_cache(maxsize=1 << 16)
def _plain_concepts(identifier: str) -> tuple[str, ...] | None:
    """Return the concepts of an identifier column that is one id, None of any other."""
    concepts = split_identifier(identifier).concepts
    return concepts if len(concepts) == 1 else None


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
            "expected a mention line (id, start, end, mention, type, identifier) or a relation "
            "line (id, type, concept, concept, novelty), tab-separated, found "
            f"{len(columns)} columns"
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
