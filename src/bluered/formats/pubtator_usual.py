"""PubTator in the form that the corpora have, read by columns: faster than line by line.

Such a document has a title, an abstract, mention lines of six columns, and behind them relation
lines of four or five. All its lines are split at once, and the checks are made of whole columns.
Whatever does not fit gives None, and pubtator takes the long way, which finds the words for what is
wrong too. Both ways give the same documents (tests/formats/test_pubtator_usual.py).
"""

from itertools import chain, repeat

from msgspec import DecodeError
from msgspec.json import Decoder

from bluered.documents.document import Combination, Document, Entity, Passage, Relation, Span
from bluered.formats.identifiers import separator_infons, split_identifier
from bluered.formats.pubtator_infons import NOVELTY

_MENTION = 5  # tabs in the line of a mention
_WITH_NOVELTY, _WITHOUT = 4, 3  # and in those of relations
_NO_IDS = repeat("")
_LIMIT = 1 << 16
_integers = Decoder(list[int]).decode


class _UnusualError(Exception):
    """A document in another form."""


class _Concepts(dict[str, tuple[tuple[str, ...], Combination | None]]):
    """What identifier columns say, remembered: a dict is twice as fast as functools.lru_cache."""

    def __missing__(self, identifier: str) -> tuple[tuple[str, ...], Combination | None]:
        found = split_identifier(identifier)
        if separator_infons(found):
            raise _UnusualError
        if len(self) >= _LIMIT:
            self.clear()
        self[identifier] = found.concepts, found.combination
        return found.concepts, found.combination


_CONCEPTS = _Concepts()


def document(content: bytes, infons: dict[str, str]) -> Document | None:
    """Return the document of a block's lines, None of one in any other form."""
    try:
        return _document(content.decode(), infons)
    except (_UnusualError, DecodeError, KeyError, ValueError):
        return None


def _document(content: str, infons: dict[str, str]) -> Document:
    first, second, lines = content.split("\n", 2)
    key, bar, title = first.partition("|t|")
    head = f"{key}|a|"
    if not (key and bar and second.startswith(head)) or "\0" in content:
        raise _UnusualError
    if "|" in key or "\t" in key:
        raise _UnusualError
    text = f"{title} {second[len(head) :]}"
    entities, relations = _annotations(lines, key, text)
    return Document(
        id=key,
        text=text,
        passages=(
            Passage(type="title", start=0, end=len(title)),
            Passage(type="abstract", start=len(title) + 1, end=len(text)),
        ),
        entities=entities,
        relations=relations,
        infons=infons,
    )


def _annotations(
    lines: str, key: str, text: str
) -> tuple[tuple[Entity, ...], tuple[Relation, ...]]:
    # Split at tabs alone, the last column of a line has the line break and the next line's id
    # behind it. _last finds one break in each of these columns; as there are no more breaks than
    # lines, no other column has one.
    ending = f"\n{key}"
    columns = f"{lines}{ending}".split("\t")
    count = lines.count("\n") + 1
    width = lines.count("\t", lines.rfind("\n") + 1)
    if width not in (_MENTION, _WITH_NOVELTY, _WITHOUT):
        raise _UnusualError
    mentions = count
    if width != _MENTION:  # the last line is a relation
        mentions = (len(columns) - 1 - width * count) // (_MENTION - width)
    cut = 1 + _MENTION * mentions
    size = cut + width * (count - mentions)
    if columns[0] != key or not 0 < mentions <= count or len(columns) != size:
        raise _UnusualError
    identifiers = _last(columns[5:cut:_MENTION], ending)
    entities = _entities(columns[1:cut], identifiers, text)
    if mentions == count:
        return entities, ()
    kinds, heads = columns[cut::width], columns[cut + 1 :: width]
    last = _last(columns[cut + width - 1 :: width], ending)
    if width == _WITH_NOVELTY:
        tails = columns[cut + 2 :: width]
        novelty = map(NOVELTY.__getitem__, last)
        relations = map(Relation, kinds, heads, tails, _NO_IDS, novelty)
    else:
        tails = last
        relations = map(Relation, kinds, heads, tails)
    unknown = {*heads, *tails}.difference(identifiers)
    if unknown and not unknown.issubset(chain.from_iterable(e.concepts for e in entities)):
        raise _UnusualError
    return entities, tuple(relations)


def _last(columns: list[str], ending: str) -> list[str]:
    """Return the last columns of lines without their ending, which each must have."""
    *found, rest = ("\t".join(columns) + "\t").split(f"{ending}\t")
    if rest or len(found) != len(columns):
        raise _UnusualError
    return found


def _entities(columns: list[str], identifiers: list[str], text: str) -> tuple[Entity, ...]:
    starts, ends = _numbers(columns[0::_MENTION]), _numbers(columns[1::_MENTION])
    mentions, kinds = columns[2::_MENTION], columns[3::_MENTION]
    covered = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    if covered != mentions or "" in mentions or max(ends) > len(text):
        raise _UnusualError
    spans = zip(map(Span, starts, ends), strict=True)  # a tuple of one span for each
    joined = "".join(identifiers)
    if not ("," in joined or "|" in joined or ";" in joined or "+" in joined):
        return tuple(map(Entity, kinds, spans, mentions, _NO_IDS, zip(identifiers, strict=True)))
    known = map(_CONCEPTS.__getitem__, identifiers)
    concepts, combinations = zip(*known, strict=True)
    return tuple(map(Entity, kinds, spans, mentions, _NO_IDS, concepts, combinations))


def _numbers(columns: list[str]) -> list[int]:
    """Return whole numbers without a sign; one JSON array is read faster than each by itself."""
    joined = ",".join(columns)
    if " " in joined or "\n" in joined or "\r" in joined or "-" in joined:  # JSON allows them
        raise _UnusualError
    numbers = _integers(f"[{joined}]")
    if len(numbers) != len(columns):
        raise _UnusualError
    return numbers
