"""Places in a sequence: 600, -1082, 609+28, IVS3+18, 640_667, and how they are put in one form."""

import re

_OFFSET = r"(?:[+-]\d+)"
_PLAIN_PLACE = rf"[+*-]?\d+{_OFFSET}?"
_INTRON = rf"(?:(?i:IVS)-?(?:[IVX]+|\d+)|[Ii]ntron(?:[IVX]+|\d+)|(?i:EX)\d+),?{_OFFSET}"

PLACE = rf"(?:{_INTRON}|{_PLAIN_PLACE})"
"""A single place, with the offset into an intron where it has one."""

DNA_PLACE = rf"(?:{PLACE}(?:[_/-][+*-]?\d+{_OFFSET}?)?)"
"""A place or a stretch of DNA."""

_ROMAN = {"I": 1, "V": 5, "X": 10}
_IN_INTRON = re.compile(r"(?:IVS|INTRON)-?(?P<number>[IVX]+|\d+),?(?P<offset>.+)", re.IGNORECASE)
_PAIR = re.compile(
    r"(?P<first>[+*-]?\d+(?:[+-]\d+)?)(?P<sign>[_/-])(?P<second>[+*-]?\d+(?:[+-]\d+)?)"
)


def dna_place(place: str, *, stretch: bool = False) -> str:
    """Return a place in its usual form; `stretch` says that `a-b` is a stretch, not an offset.

    >>> dna_place("IVSII-1"), dna_place("2238-9", stretch=True), dna_place("345-1")
    ('IVS2-1', '2238_2239', '345-1')
    """
    if match := _IN_INTRON.fullmatch(place):
        number = match["number"]
        return f"IVS{number if number.isdigit() else _arabic(number)}{match['offset']}"
    match = _PAIR.fullmatch(place)
    if not match or (match["sign"] == "-" and not stretch):
        return place
    return stretch_between(match["first"], match["second"])


def stretch_between(first: str, second: str) -> str:
    """Return a stretch; the leading digits of its end may be left out, as on pages of a journal.

    >>> stretch_between("1782", "83"), stretch_between("-19", "+73"), stretch_between("5", "5")
    ('1782_1783', '-19_+73', '5')
    """
    digits = first.lstrip("-")
    if first.isdigit() and second.isdigit() and len(second) < len(digits):
        second = first[: len(first) - len(second)] + second
    if first.startswith("-") and second.isdigit():
        second = "-" + second
    return first if first == second else f"{first}_{second}"


def is_stretch(first: str, second: str) -> bool:
    """Tell whether `first-second` is a stretch: it ends behind its start, digits perhaps cut off.

    >>> is_stretch("118", "119"), is_stretch("2238", "9"), is_stretch("345", "1")
    (True, True, False)
    """
    start, end = int(first), int(second)
    if len(second) < len(first):
        end = int(first[: len(first) - len(second)] + second)
    return start < end


def _arabic(roman: str) -> int:
    values = [_ROMAN[letter] for letter in roman]
    return sum(
        -value if value < following else value
        for value, following in zip(values, [*values[1:], 0], strict=True)
    )
