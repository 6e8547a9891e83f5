"""How CoNLL is read and written: one token a line, its tag in the last column, IOB2.

Read are IOB2, IOB1, IOBES and BILOU, one tag at a time: a tag that cannot continue the entity
before it begins a new one, the rule of conlleval. A blank line ends a sentence, `-DOCSTART-` begins
a document; a file without it holds one document for each sentence. The text is rebuilt from the
tokens, one space between two.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import BinaryIO

from bluered.documents.document import Document, Entity, Passage, Span
from bluered.documents.sentences import sentences
from bluered.errors import FormatError
from bluered.formats.lines import decode_line, numbered_lines
from bluered.formats.plain import document_name

SENTENCE = "sentence"
DOCUMENT_START = "-DOCSTART-"
UNTYPED = "Entity"
"""The type of entities whose tags are a bare B or I."""

_TAG = re.compile(r"O|([BIESLUM])(?:-(.+))?")
_NO_ID = frozenset({"", "O", "-X-", "_", "-"})
_TOKEN = re.compile(r"\w[\w\u0300-\u036f]*|[^\s\0]")
_SPACED_TOKEN = re.compile(r"[^\s\0]+")  # in a text rebuilt from tokens

Row = tuple[str, str, str | None]
"""A token, the letter of its tag and the entity type."""


def read(
    stream: BinaryIO,
    *,
    source: str = "<stream>",
    check: bool = True,
    on_error: Callable[[FormatError], None] | None = None,
) -> Iterator[Document]:
    """Yield the documents of a CoNLL stream; a bad line costs its sentence. See `Read`."""
    name: str | None = None
    rows_of_document: list[list[Row]] = []
    number = 0
    for rows, started in _sentences(stream, source=source, on_error=on_error):
        if started is not None:
            if name is not None:
                yield _document(name, rows_of_document)
            number += 1
            name, rows_of_document = started or f"{document_name(source)}.{number}", []
        elif name is not None:
            rows_of_document.append(rows)
        else:
            number += 1
            yield _document(f"{document_name(source)}.{number}", [rows])
    if name is not None:
        yield _document(name, rows_of_document)


def _sentences(
    stream: BinaryIO, *, source: str, on_error: Callable[[FormatError], None] | None
) -> Iterator[tuple[list[Row], str | None]]:
    """Yield the rows of each sentence, or no rows and an id (maybe "") where a document starts."""
    rows: list[Row] = []
    broken = False
    for number, line in numbered_lines(stream):
        try:
            text = decode_line(line, source=source, line_number=number)
            if not text.strip():
                if rows and not broken:
                    yield rows, None
                rows, broken = [], False
            elif text.startswith(DOCUMENT_START):
                yield [], _document_id(text)
            else:
                rows.append(_row(text, source, number))
        except FormatError as error:
            if on_error is None:
                raise
            on_error(error)
            broken = True
    if rows and not broken:
        yield rows, None


def _document_id(line: str) -> str:
    """Return the id on a document's first line; CoNLL 2003 has `-X-` columns there instead."""
    columns = line.removeprefix(DOCUMENT_START).split("\t")
    return next((c.strip() for c in columns if not set(c.split()) <= _NO_ID), "")


def _row(line: str, source: str, number: int) -> Row:
    columns = line.split("\t") if "\t" in line else line.split()
    match = _TAG.fullmatch(columns[-1].strip())
    if len(columns) < 2 or match is None or not columns[0].strip():
        raise FormatError(
            f"expected a token and a tag (O, B-Disease, I-Disease ...), found {line[:60]!r}",
            source=source,
            line=number,
        )
    if match[1] is None:
        return columns[0], "O", None
    return columns[0], match[1], match[2] or UNTYPED


def _document(name: str, blocks: list[list[Row]]) -> Document:
    pieces: list[str] = []
    passages: list[Passage] = []
    entities: list[tuple[str, Span]] = []
    position = 0
    for rows in blocks:
        start = position
        spans: list[Span] = []
        for token, _, _ in rows:
            pieces.append(token)
            spans.append(Span(position, position + len(token)))
            position += len(token) + 1
        passages.append(Passage(type=SENTENCE, start=start, end=position - 1))
        entities += _chunks(rows, spans)
    text = " ".join(pieces)
    return Document(
        id=name,
        text=text,
        passages=tuple(passages),
        entities=tuple(
            Entity(type=kind, spans=(span,), text=text[span.start : span.end], id=f"T{number}")
            for number, (kind, span) in enumerate(entities, start=1)
        ),
    )


def _chunks(rows: list[Row], spans: list[Span]) -> Iterator[tuple[str, Span]]:
    """Yield (type, span) of each entity of a sentence, by conlleval's rule."""
    begun: tuple[str, Span] | None = None
    closed = True  # the entity before cannot go on: it ended in O, E, L, S or U
    for (_, letter, kind), span in zip(rows, spans, strict=True):
        continues = begun is not None and letter in "IELM" and kind == begun[0] and not closed
        if begun is not None and continues:
            begun = (begun[0], Span(begun[1].start, span.end))
        else:
            if begun is not None:
                yield begun
            begun = None if kind is None else (kind, span)
        closed = letter in "OELSU"
    if begun is not None:
        yield begun


def write(
    documents: Iterable[Document], stream: BinaryIO, *, losses: Counter[str] | None = None
) -> int:
    """Write documents as IOB2, `-DOCSTART-` and id before each, and return how many. See `Write`.

    Of overlapping entities the first and longest is kept.
    """
    lost = Counter[str]() if losses is None else losses
    count = 0
    for document in documents:
        name = " ".join(document.id.split())
        stream.write(f"{DOCUMENT_START} {name}\tO\n\n".encode())
        stream.write("".join(_lines(document, lost)).encode())
        lost["ids with tabs or line breaks"] += name != document.id
        lost["concept ids of mentions"] += sum(bool(e.concepts) for e in document.entities)
        lost["confidences"] += sum(e.confidence is not None for e in document.entities)
        lost["relations"] += len(document.relations) + len(document.mention_relations)
        count += 1
    return count


def _lines(document: Document, losses: Counter[str]) -> Iterator[str]:
    entities = _flat(document, losses)
    starts = {entity.start: entity for entity in entities}
    current: Entity | None = None
    end = 0
    pattern = _SPACED_TOKEN if _is_tokenised(document) else _TOKEN
    for sentence in _blocks(document, entities, losses):
        for token in _tokens(document.text, sentence, entities, pattern):
            losses["white space (rebuilt as one space between tokens)"] += (
                document.text[end : token.start] != " " and end > 0
            )
            end = token.end
            if current is not None and token.start >= current.end:
                current = None
            letter = "I"
            if token.start in starts:
                current, letter = starts[token.start], "B"
            tag = f"{letter}-{'_'.join(current.type.split())}" if current else "O"
            yield f"{document.text[token.start : token.end]}\t{tag}\n"
        yield "\n"


def _flat(document: Document, losses: Counter[str]) -> list[Entity]:
    """Return the entities of one span that do not overlap, in text order."""
    kept: list[Entity] = []
    end = 0
    for entity in sorted(document.entities, key=lambda e: (e.start, -e.end)):
        covered = document.text[entity.start : entity.end]
        if len(entity.spans) > 1:
            losses["discontinuous mentions"] += 1
        elif entity.start < end:
            losses["overlapping mentions"] += 1
        elif covered != covered.strip() or not _TOKEN.match(covered) or not entity.type.strip():
            losses["mentions that begin or end with white space, or have no type"] += 1
        else:
            kept.append(entity)
            end = entity.end
    return kept


def _blocks(document: Document, entities: list[Entity], losses: Counter[str]) -> list[Span]:
    """Return the sentences, those that an entity crosses joined to one."""
    if _is_tokenised(document):
        return [Span(p.start, p.end) for p in document.passages]
    losses["passages (written as sentences)"] += len(document.passages)
    blocks: list[Span] = []
    crossing = {position for e in entities for position in range(e.start + 1, e.end)}
    for sentence in sentences(document):
        if blocks and (sentence.start in crossing or blocks[-1].end in crossing):
            sentence = Span(blocks.pop().start, sentence.end)
        blocks.append(sentence)
    return blocks


def _is_tokenised(document: Document) -> bool:
    """Tell whether a document was read from CoNLL: its passages are sentences."""
    return bool(document.passages) and all(p.type == SENTENCE for p in document.passages)


def _tokens(
    text: str, sentence: Span, entities: list[Entity], pattern: re.Pattern[str]
) -> Iterator[Span]:
    """Yield words and single signs, cut where an entity begins or ends."""
    cuts = {position for e in entities for position in (e.start, e.end)}
    for match in pattern.finditer(text, sentence.start, sentence.end):
        inside = [p for p in range(match.start() + 1, match.end()) if p in cuts]
        bounds = [match.start(), *inside, match.end()]
        yield from (Span(*pair) for pair in pairwise(bounds))
