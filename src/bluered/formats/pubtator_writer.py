"""How documents become PubTator: what goes in which line, and what is lost."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import BinaryIO

from bluered.documents.document import Document, Entity, Relation
from bluered.formats.identifiers import SEPARATOR, join_concepts
from bluered.formats.pubtator_infons import (
    BLANKS_AFTER,
    BLANKS_BEFORE,
    COLUMNS,
    EXTRA,
    INDIVIDUAL,
    SCORE,
)

_BREAKS = re.compile(r"[\n\r\0]")
_BREAKS_AND_TABS = re.compile(r"[\t\n\r\0]")
_KEPT = frozenset({COLUMNS, EXTRA, INDIVIDUAL, SCORE, BLANKS_BEFORE, BLANKS_AFTER, SEPARATOR})


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


def _column(text: str) -> str:
    """Replace tabs and line breaks by one space each, which moves no offset."""
    return _BREAKS_AND_TABS.sub(" ", text) if _BREAKS_AND_TABS.search(text) else text


def _block(document: Document, losses: Counter[str]) -> str:
    key = _column(document.id).replace("|", " ") or "-"
    losses["ids of documents (written without | and tabs)"] += key != document.id
    text = _text(document, losses)
    title, abstract = title_and_abstract(document, text)
    lines = [f"{key}|t|{title}", f"{key}|a|{abstract}"]
    lines += [_mention_line(key, entity, text, losses) for entity in document.entities]
    lines += [_relation_line(key, relation, losses) for relation in document.relations]
    losses["passages beyond title and abstract (joined to the abstract)"] += max(
        0, len(document.passages) - 2
    )
    losses["relations between mentions"] += len(document.mention_relations)
    _count_infons(document.infons, losses)
    for passage in document.passages:
        _count_infons(passage.infons, losses)
    before = _number(document.infons.get(BLANKS_BEFORE), 0)
    after = _number(document.infons.get(BLANKS_AFTER), 1)
    return "\n" * before + "\n".join(lines) + "\n" + "\n" * after


def _number(value: str | None, otherwise: int) -> int:
    """Return a number of blank lines; another format's file may hold anything there."""
    return int(value) if value is not None and re.fullmatch("[0-9]{1,4}", value) else otherwise


def _count_infons(infons: Mapping[str, str], losses: Counter[str]) -> None:
    losses["infons (further fields)"] += sum(key not in _KEPT for key in infons)


def _text(document: Document, losses: Counter[str]) -> str:
    """Return the text without line breaks and, inside mentions, without tabs."""
    text = _BREAKS.sub(" ", document.text)
    if "\t" in text:
        for entity in document.entities:
            start, end = entity.start, entity.end
            text = text[:start] + text[start:end].replace("\t", " ") + text[end:]
    losses["line breaks, and tabs in mentions (written as spaces)"] += sum(
        a != b for a, b in zip(document.text, text, strict=True)
    )
    return text


def title_and_abstract(document: Document, text: str) -> tuple[str, str]:
    """Return the text as PubTator's two lines; every code point keeps its offset.

    The first passage is the title, all that follows the abstract, with the white space between
    them as it is. The format implies one space between its two lines; where the document has none
    there, all of it is the title.
    """
    if len(document.passages) < 2:
        return text, ""
    split = document.passages[1].start
    if split < 1 or text[split - 1] != " ":
        return text, ""
    return text[: split - 1], text[split:]


def _mention_line(key: str, entity: Entity, text: str, losses: Counter[str]) -> str:
    mention = _column(entity.text)
    if len(entity.spans) > 1:
        losses["gaps of discontinuous mentions (written as one span)"] += 1
        mention = text[entity.start : entity.end]
    columns = [key, str(entity.start), str(entity.end), mention, _column(entity.type)]
    _count_infons(entity.infons, losses)
    if entity.infons.get(COLUMNS) == "5" and not entity.concepts:
        return "\t".join(columns)
    columns.append(_column(join_concepts(entity)) if entity.concepts else "-")
    if SCORE in entity.infons:
        columns.append(_column(entity.infons[SCORE]))
    elif entity.confidence is not None:
        losses["confidences of mentions"] += 1
    columns += [
        _BREAKS.sub(" ", entity.infons[k]) for k in (INDIVIDUAL, EXTRA) if k in entity.infons
    ]
    return "\t".join(columns)


def _relation_line(key: str, relation: Relation, losses: Counter[str]) -> str:
    columns = [key, *map(_column, (relation.type, relation.head, relation.tail))]
    if relation.novel is not None:
        columns.append("Novel" if relation.novel else "No")
    if SCORE in relation.infons:
        columns.append(_column(relation.infons[SCORE]))
    elif relation.confidence is not None:
        losses["confidences of relations"] += 1
    losses["confidences of novelty"] += relation.novelty_confidence is not None
    losses["evidence spans of relations"] += len(relation.evidence)
    losses["roles of relations"] += relation.roles is not None
    _count_infons(relation.infons, losses)
    if EXTRA in relation.infons:
        columns.append(_BREAKS.sub(" ", relation.infons[EXTRA]))
    return "\t".join(columns)
