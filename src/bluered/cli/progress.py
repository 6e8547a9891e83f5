"""The bar of long work: on stderr, and only if that is a terminal."""

from collections.abc import Iterable
from typing import TypeVar

Item = TypeVar("Item")


def tracked(items: Iterable[Item], title: str, *, total: int | None = None) -> Iterable[Item]:
    """Yield the items under a bar; `total` is for items that do not know their number."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    disable = not console.is_terminal
    return track(items, title, total=total, console=console, transient=True, disable=disable)
