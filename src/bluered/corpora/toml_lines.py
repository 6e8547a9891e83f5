"""On which line of a TOML file a key stands: what the parser of the standard library does not say.

Statements are cut out of a file that is valid as a whole and parsed one by one.
"""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

Keys = tuple[str | int, ...]
"""The keys from the top of the file to a value; elements of arrays by number."""

Lines = dict[Keys, tuple[int, int]]
"""The first and the last line of the statement in which each key is set."""


def line_of(text: str, keys: Keys) -> int | None:
    r"""Return the line of a key of a valid TOML file, or of the innermost table around it.

    None if not even the outermost key stands in the file.

    >>> line_of('name = "x"\n\n[task]\ntype = "y"', ("task", "type"))
    4
    """
    text = text.replace("\r\n", "\n")
    lines = _statements(text.split("\n"))
    for length in range(len(keys), 0, -1):
        if keys[:length] in lines:
            first, last = lines[keys[:length]]
            return _within(text, keys[length - 1 :], first, last)
    return None


def _within(text: str, keys: Keys, first: int, last: int) -> int:
    """Return the line of the last of some keys in a statement of several lines, if it is there."""
    if last > first and isinstance(keys[-1], str):
        word = re.compile(rf"(?<![\w-]){re.escape(keys[-1])}[\"']?\s*=")
        for number, line in enumerate(text.split("\n")[first - 1 : last], start=first):
            if word.search(line):
                return number
    return first


def _statements(lines: list[str]) -> Lines:
    found: Lines = {}
    elements: dict[Keys, int] = {}
    table: Keys = ()
    number = 0
    while number < len(lines):
        line = lines[number].strip()
        end = number + 1
        if line.startswith("["):
            table = _table(line, elements)
            found[table] = (number + 1, end)
        elif line and not line.startswith("#"):
            end, value = _statement(lines, number)
            for keys in _paths(value):
                found.setdefault((*table, *keys), (number + 1, end))
        number = end
    return found


def _table(line: str, elements: dict[Keys, int]) -> Keys:
    """Return the keys of a table's header; `elements` counts those of each array of tables."""
    value: Any = tomllib.loads(line)
    keys: Keys = ()
    while value:
        ((key, value),) = value.items()
        keys = (*keys, key)
        if isinstance(value, list):
            elements[keys] = elements.get(keys, 0) + 1
            return (*keys, elements[keys] - 1)
        if keys in elements:  # a table below the last element of the array
            keys = (*keys, elements[keys] - 1)
    return keys


def _statement(lines: list[str], start: int) -> tuple[int, dict[str, Any]]:
    """Return the line after a statement and what it says; one goes on until it can be parsed."""
    for end in range(start + 1, len(lines) + 1):
        try:
            return end, tomllib.loads("\n".join(lines[start:end]))
        except tomllib.TOMLDecodeError:
            continue
    return start + 1, {}


def _paths(value: dict[str, Any] | list[Any]) -> Iterator[Keys]:
    """Yield the keys of everything inside a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield (key,)
        if isinstance(inner, (dict, list)):
            yield from ((key, *keys) for keys in _paths(inner))
