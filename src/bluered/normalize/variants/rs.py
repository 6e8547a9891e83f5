"""dbSNP rs numbers in a mention, and those that the text puts beside a variant."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from msgspec import Struct

from bluered.documents.document import Document, Span

_RS = re.compile(r"(?<![A-Za-z0-9])rs[ #:]?(?P<number>\d{2,12})(?!\d)", re.IGNORECASE)

_LIST = re.compile(r"\s*(?:[,;/&+:=|]|,?\s*\b(?:and|or)\b)?\s*(?:\b(?:and|or|the|a|an)\b)*\s*")
_OPENS = re.compile(
    r"(?:\s+(?!(?:and|or|but|with|versus|vs)\b)[\w/'-]+){0,5}\s*[(\[]\s*"
    r"(?:(?:i\.e\.|or|also|known as|dbSNP|NCBI|SNPs?|IDs?|rs|number|no\.?|accession|in|reference"
    r"|called|designated|the|exon \d+|intron \d+)[ :,#]*){0,4}",
    re.IGNORECASE,
)
"""Words before a bracket, set phrases in it: "C677T polymorphism of MTHFR (dbSNP: rs1801133)"."""

_CLOSES = re.compile(r"[^()\[\]]{0,60}[)\]]")
_BESIDE = re.compile(r"\s?(?:[:=/|-]|,? (?:dbSNP|SNP|polymorphism|variant|mutation),?)?\s?")
_CAUSES = re.compile(
    r"[^.;()]{0,40}[(]?(?:[^.;()]{0,40}\))?[^.;()]{0,20}\b(?:leads?|led|leading|caus(?:es?|ed|ing)"
    r"|result(?:s|ed|ing)?|responsible|encod(?:es|ed|ing)|predict(?:s|ed|ing)|at position"
    r"|chang(?:es|ed|ing)|correspond\w*)\b[^.;()]{0,100}[(]?",
    re.IGNORECASE,
)
"""What tells the change that an rs number is: "rs1052133, which leads to ..."."""

_PLACE_BEFORE = re.compile(r"(?<![\w.])(?P<place>[+-]?\d{1,7})\s*[(\[]\s*(?P<rs>rs\d{2,12})\b")


class _Item(Struct, frozen=True):
    """An rs number or a variant in the text: `mention` is the variant's index, -1 for an rs."""

    start: int
    end: int
    rs: str
    mention: int = -1


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
    items = _items(document.text, variants)
    groups = list(_groups(document.text, items))
    found = list(_touching(document.text, items))
    found += _caused(document.text, items)
    for outer, inner in pairwise(groups):
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
            items.append(_Item(start, end, f"rs{match['number']}"))
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


def _touching(text: str, items: list[_Item]) -> Iterator[Beside]:
    """Yield the variants and rs numbers with no more than a space or a sign between."""
    used: set[int] = set()
    for one, other in pairwise(items):
        if one.start in used or not (one.rs or other.rs) or (one.rs and other.rs):
            continue
        if _BESIDE.fullmatch(text[one.end : other.start]):
            used |= {one.start, other.start}
            yield _beside(one, other)


def _caused(text: str, items: list[_Item]) -> Iterator[Beside]:
    """Yield the variants that the text gives as what an rs number or a variant leads to."""
    for one, other in pairwise(items):
        if not other.rs and _CAUSES.fullmatch(text, one.end, other.start):
            yield _beside(one, other)


def numbers_at_places(text: str) -> dict[str, str]:
    """Return the rs numbers that the text gives to mere places: "positions -1123 (rs2488457)"."""
    return {
        match["place"].lstrip("+"): match["rs"].lower() for match in _PLACE_BEFORE.finditer(text)
    }


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
    """Return that two items are beside each other, of which one at least is a variant."""
    if one.rs:
        one, other = other, one
    return Beside(one.mention, rs=other.rs, other=None if other.rs else other.mention)
