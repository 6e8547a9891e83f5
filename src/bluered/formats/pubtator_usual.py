"""PubTator in the form that the corpora have, read by columns: faster than line by line.

Such a document has a title, an abstract, mention lines of six columns (or seven), and behind them
relation lines of four or five. Many documents are read at once, and their checks are made of whole
columns. Where one has another form or a fault, each of them is read alone; what does not fit then
is given back as a block of lines, and pubtator takes the long way, which finds the words for what
is wrong too. Both ways give the same documents (tests/formats/test_pubtator_usual.py).
"""

from collections.abc import Iterator
from itertools import chain, islice, repeat
from typing import BinaryIO

from msgspec import DecodeError, Struct
from msgspec.json import Decoder

from bluered.documents.document import Combination, Document, Entity, Passage, Relation, Span
from bluered.formats.identifiers import separator_infons, split_identifier
from bluered.formats.pubtator_blocks import Block, blocks, pieces
from bluered.formats.pubtator_infons import EXTRA, INDIVIDUAL, NOVELTY, blank_lines

_MENTION = 5  # tabs in the line of a mention
_WITH_NOVELTY, _WITHOUT = 4, 3  # and in those of relations
_NO_IDS = repeat("")
_LIMIT = 1 << 16
_integers = Decoder(list[int]).decode
_DIGITS = frozenset("0123456789")

_Extra = tuple[int, str, str]  # number of a mention, and the infon that keeps its seventh column


class _UnusualError(Exception):
    """A document in another form."""


_NOT_USUAL = (_UnusualError, DecodeError, KeyError, ValueError)


class _Concepts(dict[str, tuple[str, ...]]):
    """What identifier columns say, remembered: a dict is twice as fast as functools.lru_cache."""

    def __missing__(self, identifier: str) -> tuple[str, ...]:
        found = split_identifier(identifier)
        if separator_infons(found) or "\n" in identifier:
            raise _UnusualError
        self[identifier] = found.concepts
        if found.combination:
            _COMBINATIONS[identifier] = found.combination
        return found.concepts


_CONCEPTS = _Concepts()
_COMBINATIONS: dict[str, Combination] = {}


class _Shape(Struct, gc=False):
    """A document cut into columns; those of its mentions are not checked yet."""

    id: str
    title: int  # length
    text: str
    columns: list[str]  # of the mentions: start, end, mention, type, and one that is not used
    identifiers: list[str]
    relations: tuple[Relation, ...]
    extra: list[_Extra]
    blanks_before: int
    blanks_after: int


def documents(stream: BinaryIO) -> Iterator[Document | Block]:
    """Yield the documents of a stream, those in another form as blocks of lines."""
    line = 1
    for piece in pieces(stream):
        try:
            shapes = _shapes(_decoded(piece))
            found = _documents(shapes)
        except _NOT_USUAL:
            for block in blocks(line, piece):
                yield alone(block) or block
            line += piece.count(b"\n")
            continue
        yield from found
        line += sum(map(_lines, shapes))


def alone(block: Block) -> Document | None:
    """Return the document of a block, None of one in another form."""
    try:
        key, _, body = _decoded(block.content).partition("|t|")
        return next(_documents([_shape(key, body, block.blanks_before, block.blanks_after)]))
    except _NOT_USUAL:
        return None


def _decoded(content: bytes) -> str:
    text = content.decode()
    if "\0" in text:
        raise _UnusualError
    return text


def _lines(shape: _Shape) -> int:
    """Return how many lines a document has, with the blank lines around it."""
    count = 2 + len(shape.identifiers) + len(shape.relations)
    return shape.blanks_before + count + shape.blanks_after


def _shapes(text: str) -> list[_Shape]:
    """Return the documents of a piece."""
    first, *bodies = text.split("|t|")  # faster than to look for blank lines
    if not bodies:
        raise _UnusualError
    key = first.lstrip("\n")
    before = len(first) - len(key)
    shapes: list[_Shape] = []
    for body in bodies[:-1]:
        end = body.rfind("\n") + 1
        lines = body[:end].rstrip("\n")
        blanks = end - len(lines) - 1
        if blanks < 1:
            raise _UnusualError
        shapes.append(_shape(key, lines, before, blanks))
        key, before = body[end:], 0
    lines = bodies[-1].rstrip("\n")
    shapes.append(_shape(key, lines, before, max(0, len(bodies[-1]) - len(lines) - 1)))
    return shapes


def _shape(key: str, body: str, before: int, after: int) -> _Shape:
    """Return a document; `body` is what stands behind `key|t|`."""
    title, second, lines = body.split("\n", 2)
    head, ending = f"{key}|a|", f"\n{key}"
    if not (key and second.startswith(head)) or "|" in key or "\t" in key or "\n" in key:
        raise _UnusualError
    # Split at tabs alone, the last column of a line has the line break and the next line's id
    # behind it. No other column has one: it would not stand the checks.
    columns = f"{lines}{ending}".split("\t")
    cut = len(columns) - 1
    width = 0
    if cut < _MENTION or columns[0] != key:  # (a relation needs a mention)
        raise _UnusualError
    if columns[-1 - _WITH_NOVELTY].endswith(ending):
        width = _WITH_NOVELTY
    elif columns[-1 - _WITHOUT].endswith(ending):
        width = _WITHOUT
    if width:
        cut -= width
        while columns[cut - width].endswith(ending):
            cut -= width
    relations = columns[cut + 1 :]
    del columns[cut + 1 :], columns[0]
    extra: list[_Extra] = []
    identifiers = _last(columns[_MENTION - 1 :: _MENTION], ending)
    if len(identifiers) * _MENTION != cut:
        columns, identifiers = _without_extra(columns, ending, extra)
    text = f"{title} {second[len(head) :]}"
    made = _relations(relations, width, ending, identifiers) if width else ()
    return _Shape(key, len(title), text, columns, identifiers, made, extra, before, after)


def _last(columns: list[str], ending: str) -> list[str]:
    """Return the last columns of lines without their ending; [] if one has none."""
    *found, rest = ("\t".join(columns) + "\t").split(f"{ending}\t")
    return [] if rest or len(found) != len(columns) else found


def _without_extra(
    columns: list[str], ending: str, extra: list[_Extra]
) -> tuple[list[str], list[str]]:
    """Return the columns of mentions and their identifiers; seventh columns go to `extra`."""
    rows = ("\t".join(columns) + "\t").split(f"{ending}\t")
    if rows.pop():
        raise _UnusualError
    columns, identifiers = [], []
    for number, line in enumerate(rows):
        row = line.split("\t")
        if len(row) == _MENTION + 1:
            last = row.pop()
            if "\n" in last or ("|" not in last and not _DIGITS.isdisjoint(last)):
                raise _UnusualError  # the second may be a score
            extra.append((number, INDIVIDUAL if "|" in last else EXTRA, last))
        if len(row) != _MENTION:
            raise _UnusualError
        columns += row
        identifiers.append(row[-1])
    return columns, identifiers


def _relations(
    columns: list[str], width: int, ending: str, identifiers: list[str]
) -> tuple[Relation, ...]:
    kinds, heads = columns[::width], columns[1::width]
    last = _last(columns[width - 1 :: width], ending)
    if not last or "\n" in "".join(kinds):
        raise _UnusualError
    tails = columns[2::width] if width == _WITH_NOVELTY else last
    unknown = {*heads, *tails}.difference(identifiers)
    if unknown:  # they may be named in mentions of several concepts
        each = map(_CONCEPTS.__getitem__, identifiers)
        if not unknown.issubset(chain.from_iterable(each)):
            raise _UnusualError
    if width == _WITH_NOVELTY:
        novelty = map(NOVELTY.__getitem__, last)
        return tuple(map(Relation, kinds, heads, tails, _NO_IDS, novelty))
    return tuple(map(Relation, kinds, heads, tails))


def _documents(shapes: list[_Shape]) -> Iterator[Document]:
    """Return the documents; the checks are made before the first is built."""
    columns: list[str] = []
    identifiers: list[str] = []
    texts: list[str] = []
    for shape in shapes:
        columns += shape.columns
        identifiers += shape.identifiers
        texts += [shape.text] * len(shape.identifiers)
    entities = _entities(columns, identifiers, texts)
    return _assembled(shapes, entities)


def _assembled(shapes: list[_Shape], entities: Iterator[Entity]) -> Iterator[Document]:
    for shape in shapes:
        own = tuple(islice(entities, len(shape.identifiers)))
        for number, infon, column in shape.extra:
            own[number].infons[infon] = column
        yield Document(
            id=shape.id,
            text=shape.text,
            passages=(
                Passage(type="title", start=0, end=shape.title),
                Passage(type="abstract", start=shape.title + 1, end=len(shape.text)),
            ),
            entities=own,
            relations=shape.relations,
            infons=blank_lines(shape.blanks_before, shape.blanks_after),
        )


def _entities(columns: list[str], identifiers: list[str], texts: list[str]) -> Iterator[Entity]:
    starts, ends = _numbers(columns[::_MENTION]), _numbers(columns[1::_MENTION])
    mentions, kinds = columns[2::_MENTION], columns[3::_MENTION]
    covered = [text[start:end] for text, start, end in zip(texts, starts, ends, strict=True)]
    if covered != mentions or "" in mentions or "\n" in "".join(kinds):
        raise _UnusualError
    # A slice that the end of the text cuts off is shorter than it should be.
    if sum(ends) - sum(starts) != len("".join(mentions)):
        raise _UnusualError
    spans = zip(map(Span, starts, ends), strict=True)  # a tuple of one span for each
    if len(_CONCEPTS) > _LIMIT:
        _CONCEPTS.clear()
        _COMBINATIONS.clear()
    concepts = [*map(_CONCEPTS.__getitem__, identifiers)]
    combinations = map(_COMBINATIONS.get, identifiers)
    return map(Entity, kinds, spans, mentions, _NO_IDS, concepts, combinations)


def _numbers(columns: list[str]) -> list[int]:
    """Return whole numbers without a sign; one JSON array is read faster than each by itself."""
    joined = ",".join(columns)
    if " " in joined or "\n" in joined or "\r" in joined or "-" in joined:  # JSON allows them
        raise _UnusualError
    numbers = _integers(f"[{joined}]")
    if len(numbers) != len(columns):
        raise _UnusualError
    return numbers
