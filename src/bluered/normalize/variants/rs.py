"""dbSNP rs numbers in a mention, and those that the text puts beside a variant."""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from bluered.documents.document import Document, Span

_RS = re.compile(r"(?<![A-Za-z0-9])rs[ #:]?(?P<number>\d{2,12})(?!\d)", re.IGNORECASE)

_LIST = re.compile(r"\s*(?:[,;/&+]|,?\s*\band\b|,?\s*\bor\b)?\s*(?:\band\b|\bor\b)?\s*")
_WORDS = r"(?:\s*(?:the|a|an|polymorphisms?|SNPs?|variants?|mutations?|alleles?|substitutions?|of|in|exon \d+)\b){0,3}"
_OPENS = re.compile(
    rf"{_WORDS}\s*(?:gene|respectively)?\s*[(\[]\s*"
    r"(?:(?:i\.e\.|or|also|known as|dbSNP|NCBI|SNP|SNPs|ID|IDs|rs|number|no\.?|accession|in|reference"
    r"|also called|designated|exon \d+|intron \d+)[ :,#]*){0,4}",
    re.IGNORECASE,
)
_CLOSES = re.compile(r"[^()\[\]]{0,40}[)\]]")
_BESIDE = re.compile(r"\s?(?:[:=/|-]|,? (?:dbSNP|SNP|polymorphism|variant|mutation),?)?\s?")


class _Item(Struct, frozen=True):
    """An rs number or a variant in the text: `mention` is the variant's index, None for an rs."""

    start: int
    end: int
    rs: str
    mention: int | None


class Beside(Struct, frozen=True):
    """What stands beside a variant: an rs number, or another variant (by its index)."""

    mention: int
    rs: str = ""
    other: int | None = None


def rs_number(text: str) -> str:
    """Return the first rs number in a text as dbSNP writes it; "" if there is none.

    >>> rs_number("Rs702553"), rs_number("C677T (rs1801133)"), rs_number("mrs12")
    ('rs702553', 'rs1801133', '')
    """
    match = _RS.search(text)
    return f"rs{match['number']}" if match else ""


def beside(document: Document, variants: Mapping[int, Span]) -> list[Beside]:
    """Return which rs numbers and other variants the text puts beside the variants.

    Beside is "C677T (rs1801133)", "rs1801133 (C677T)", "rs1801133 C>T"; several before a bracket
    go with as many in it, in their order.
    """
    groups = list(_groups(document.text, _items(document.text, variants)))
    found = [pair for group in groups for pair in _touching(document.text, group)]
    for outer, inner in zip(groups, groups[1:], strict=False):
        between = document.text[outer[-1].end : inner[0].start]
        if _OPENS.fullmatch(between) and _CLOSES.match(document.text, inner[-1].end):
            found += _pairs(outer, inner)
    return found


def _items(text: str, variants: Mapping[int, Span]) -> list[_Item]:
    items = [_Item(span.start, span.end, "", index) for index, span in variants.items()]
    taken = sorted((item.start, item.end) for item in items)
    for match in _RS.finditer(text):
        start, end = match.span()
        if not any(first < end and start < last for first, last in taken):
            items.append(_Item(start, end, f"rs{match['number']}", None))
    return sorted(items, key=lambda item: item.start)


def _groups(text: str, items: list[_Item]) -> Iterator[list[_Item]]:
    """Yield the items in runs that only commas, "and" and spaces divide."""
    group: list[_Item] = []
    for item in items:
        if group and not _LIST.fullmatch(text[group[-1].end : item.start]):
            yield group
            group = []
        group.append(item)
    if group:
        yield group


def _touching(text: str, group: list[_Item]) -> Iterator[Beside]:
    """Yield the variants and rs numbers of a run with no more than a space or a sign between."""
    used: set[int] = set()
    for one, other in zip(group, group[1:], strict=False):
        if one.start in used or not (one.rs or other.rs) or (one.rs and other.rs):
            continue
        if _BESIDE.fullmatch(text[one.end : other.start]):
            used |= {one.start, other.start}
            yield _beside(one, other)


def _pairs(outer: list[_Item], inner: list[_Item]) -> Iterator[Beside]:
    """Yield what of the items before a bracket goes with what in it."""
    if len(outer) == len(inner):
        yield from (_beside(*pair) for pair in zip(outer, inner, strict=True) if _fit(*pair))
    elif all(item.rs for item in inner) or len({item.rs for item in inner if item.rs}) <= 1:
        yield from (_beside(outer[-1], item) for item in inner if _fit(outer[-1], item))
        numbers = [item for item in inner if item.rs]
        if len(numbers) == 1:
            yield from (_beside(item, numbers[0]) for item in inner if not item.rs)


def _fit(one: _Item, other: _Item) -> bool:
    return not (one.rs and other.rs)


def _beside(one: _Item, other: _Item) -> Beside:
    if one.mention is None:
        one, other = other, one
    index = -1 if one.mention is None else one.mention
    return Beside(mention=index, rs=other.rs, other=other.mention)
