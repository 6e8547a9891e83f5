"""Text for a terminal: made harmless, and mentions marked by colour or, without it, by a letter."""

from rich.console import Console
from rich.text import Text

from bluered.reports.kinds import Kind

_CONTROL = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)), "\N{REPLACEMENT CHARACTER}")
"""Escape sequences and other control characters of a text must not reach the terminal."""


def clean(text: str) -> str:
    """Return text that no terminal takes for a command; one character for each."""
    return text.translate(_CONTROL)


def style(kind: Kind) -> str:
    """Return the colours of a kind of mention."""
    return f"not dim not italic #000000 on {kind.colour}"


def mark(text: str, kind: Kind, *, colour: bool) -> Text:
    """Return a mention in its colour, or as `[name]G` where there is none."""
    if colour:
        return Text.assemble((clean(text), style(kind)))  # a style of its own would fill the cell
    return Text(f"[{clean(text)}]{kind.letter}")


def identifier(concept: str, home: str | None, *, colour: bool) -> Text:
    """Return an id, a link to its home where the terminal may show one."""
    return Text(clean(concept), style=f"link {home}" if colour and home else "")


def has_colour(console: Console) -> bool:
    """Tell whether a console shows colours."""
    return console.color_system is not None and not console.no_color
