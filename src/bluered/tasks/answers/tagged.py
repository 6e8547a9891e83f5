"""What a tagger writes, as documents with mentions: BLUE's four-column table, our tagged sentences.

    the table    token, document (`-` but for the first token of a sentence), offset, tag; an empty
                 line ends a sentence
    our JSONL    `document`, `tokens`, `starts` and `tags` of a sentence a line

A mention is made of its tokens as BLUE makes tokens of a mention (create_cdr_bert.py and
create_clefe_bert.py): the first is B, every later one I, also behind a gap or in the next sentence.
So B begins a mention, and I goes on with the one of its type that was begun last in the document:
right behind it the piece grows, behind a gap a further piece begins (a discontinuous mention). An I
before which none was begun begins one. (conlleval, in contrast, begins one behind every gap.)

A mention ends where a token does: one that ends inside a token has taken the whole of it. What a
mention's text is, is not known.
"""

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import msgspec
from msgspec import Struct

from bluered.corpora.catalog import Task
from bluered.documents.document import Document, Entity, Span
from bluered.errors import FormatError
from bluered.formats.lines import decode_line, numbered_lines
from bluered.tasks.correct.classes import may_quote

_TABLE = re.compile(rb"[^\t\n]+\t[^\t\n]+\t\d+(?:\t(?:O|[BI](?:-[^\t\n]+)?))?\r?\n")
_JSON = re.compile(rb'\{[^\n]*"(?:type"\s*:\s*"tagged-sentence"|tokens"\s*:\s*\[)')
_TAG = re.compile(r"O|[BI](?:-.+)?")
_SAME = "-"
"""What stands for the document at every later token of a sentence."""


class _Token(Struct, frozen=True, order=True):
    start: int
    end: int
    tag: str
    line: int


class _Sentence(Struct):
    document: str | int
    tokens: tuple[str, ...]
    starts: tuple[int, ...]
    tags: tuple[str, ...] | None = None


def is_tagged(start: bytes) -> bool:
    """Tell whether a file begins with a tagged token or a tagged sentence."""
    return bool(_TABLE.match(start) or _JSON.match(start))


def read_tagged(task: Task, stream: BinaryIO, *, source: str) -> Iterator[Document]:
    """Yield a document without text for each that a sentence names, in order of first appearance.

    Documents without a mention come too. The order of a document's sentences does not count.
    """
    lines = ((n, decode_line(line, source=source, line_number=n)) for n, line in _filled(stream))
    documents: dict[str, list[_Token]] = {}
    current: str | None = None
    for number, line in lines:
        try:
            if line.startswith("{") and "\t" not in line:  # a token may be a brace
                name, tokens = _sentence(line, number)
            elif not line:
                current = None
                continue
            else:
                name, token = _row(line, number)
                current = name = current if name == _SAME else name
                tokens = [token]
            if not name:
                raise ValueError("the first token of a sentence must name its document, not `-`")
            documents.setdefault(name, []).extend(_checked(task, tokens))
        except ValueError as error:
            raise FormatError(str(error), source=source, line=number) from None
    for name, tokens in documents.items():
        yield Document(id=name, text="", entities=tuple(_mentions(_in_order(tokens, source))))


def _filled(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the lines; those of blanks only are empty."""
    return ((number, line if line.strip() else b"") for number, line in numbered_lines(stream))


def _sentence(line: str, number: int) -> tuple[str, list[_Token]]:
    try:
        one = msgspec.json.decode(line, type=_Sentence)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"not a tagged sentence in JSON: {error}") from None
    if one.tags is None:
        raise ValueError("the sentence has no `tags`: nothing is answered")
    if not len(one.tokens) == len(one.starts) == len(one.tags):
        raise ValueError(
            f"expected a start and a tag for each token, found {len(one.tokens)} tokens, "
            f"{len(one.starts)} starts and {len(one.tags)} tags"
        )
    columns = zip(one.tokens, one.starts, one.tags, strict=True)
    return str(one.document), [_Token(s, s + len(token), tag, number) for token, s, tag in columns]


def _row(line: str, number: int) -> tuple[str, _Token]:
    cells = line.rstrip("\r\n").split("\t")
    if len(cells) != 4:
        raise ValueError(
            f"expected four columns (token, document, offset, tag), found {len(cells)}"
            + ": without a tag nothing is answered" * (len(cells) == 3)
        )
    token, document, start, tag = cells
    if not (start.isascii() and start.isdigit()):
        raise ValueError("expected an offset in the third column: a whole number, from 0")
    return document.strip(), _Token(
        int(start), int(start) + len(_unquoted(token)), tag.strip(), number
    )


def _unquoted(token: str) -> str:
    """Return a token without the quotes that csv put around it for the sake of one in it.

    So BLUE's own tables have them; ours have not, as BlueBERT takes them for signs of the text.
    """
    inner = token[1:-1]
    as_csv = token[:1] == token[-1:] == '"' and '""' in inner and '"' not in inner.replace('""', "")
    return inner.replace('""', '"') if as_csv else token


def _checked(task: Task, tokens: Iterable[_Token]) -> Iterator[_Token]:
    for token in tokens:
        if not _TAG.fullmatch(token.tag):
            shown = f", found {token.tag!r}" if may_quote(task) else ""
            raise ValueError(f"expected the tag O, B, I, B-<type> or I-<type>{shown}")
        if not 0 <= token.start < token.end:
            raise ValueError(f"expected a token at 0 or later, found {token.start}-{token.end}")
        yield token


def _in_order(tokens: Iterable[_Token], source: str) -> Iterator[_Token]:
    """Yield the tokens of a document as they stand in its text; two in one place are an error."""
    before: _Token | None = None
    for token in sorted(tokens):
        if before is not None and before.start == token.start:
            raise FormatError(
                f"a token at offset {token.start} of the document stands in line "
                f"{min(before.line, token.line)} already (offsets are those in the document, not "
                "in the sentence)",
                source=source,
                line=max(before.line, token.line),
            )
        yield token
        before = token


def _mentions(tokens: Iterable[_Token]) -> Iterator[Entity]:
    """Yield the mentions of a document's tokens."""
    found: list[tuple[str, list[Span]]] = []
    begun: dict[str, int] = {}  # the mention of each type that was begun last
    before: int | None = None  # the mention of the token before
    for token in tokens:
        letter, _, kind = token.tag.partition("-")
        if letter == "O":
            before = None
            continue
        if letter == "B" or kind not in begun:
            begun[kind] = len(found)
            found.append((kind, []))
        pieces = found[begun[kind]][1]
        if before == begun[kind]:
            pieces[-1] = Span(pieces[-1].start, token.end)
        else:
            pieces.append(Span(token.start, token.end))
        before = begun[kind]
    return (Entity(type=kind, spans=tuple(pieces), text="") for kind, pieces in found)
