"""The names of a concept besides its preferred one."""

from collections.abc import Iterable


def other_names(names: Iterable[str], *, besides: Iterable[str]) -> tuple[str, ...]:
    """Return the names once each, in their order, without those of `besides` and without blanks.

    >>> other_names([" MCF7", "MCF-7", "", "MCF7"], besides=["MCF-7"])
    ('MCF7',)
    """
    known = set(besides) | {""}
    found: dict[str, None] = {}
    for name in names:
        clean = " ".join(name.split())
        if clean not in known:
            found[clean] = None
    return tuple(found)
