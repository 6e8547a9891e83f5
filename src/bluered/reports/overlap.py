"""What corpora share, as a table and as JSON: what `bluered corpora overlap` prints."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from bluered.corpora.overlap import Match, Overlap, by_id, by_text
from bluered.corpora.texts import Part
from bluered.reports.tables import Table

TEST = "test"
"""How the name of a part that is not trained on ends: biored:test, nlm-gene-test."""

UNIONS = ("in_others", "in_others_not_test")

Sides = tuple[Literal[0, 1], ...]

WIDEST = 10
"""The most columns of a table of all against all; beyond that each pair has a row of its own."""

NOTES = (
    "by text: most of the shorter one stands in the longer, letters and digits compared "
    "(docs/overlap.md)",
    "by id: the same PubMed id (within a corpus: the same id); - where one side has none",
)


def matrix(parts: Sequence[Part], found: Iterable[Overlap]) -> Table:
    """Return a table of all parts against all: texts of the row that also stand in the column."""
    cells = {}
    for overlap in found:
        texts, ids = overlap.count(by_text), overlap.count(by_id)
        for side, key in enumerate(
            ((overlap.first, overlap.second), (overlap.second, overlap.first))
        ):
            cells[key] = _cell(texts[side], ids[side] if overlap.ids_known else None)
    rows = [
        [part.name, str(len(part.ids)), *(cells[part.name, other.name] for other in parts)]
        for part in parts
    ]
    return Table(
        "Texts of the row that also stand in the column: by text/by id",
        ["", "texts", *(part.name for part in parts)],
        rows,
        notes=(*NOTES, "on the diagonal: texts that stand in it more than once"),
    )


def _cell(texts: int, ids: int | None) -> str:
    return f"{texts}/{'-' if ids is None else ids}" if texts or ids else "."


def listing(found: Iterable[Overlap]) -> Table:
    """Return a table with a row for each two parts that share something."""
    rows = [
        [
            overlap.first,
            str(overlap.sizes[0]),
            overlap.second,
            str(overlap.sizes[1]),
            *(_both(numbers) for numbers in counts(overlap).values()),
        ]
        for overlap in found
        if overlap.matches
    ]
    heads = ["corpus", "texts", "and", "texts", "by text", "equal", "by id", "text only", "id only"]
    return Table(
        "Texts in both; where the sides differ, those of the first in those of the second",
        heads,
        rows,
        notes=(*NOTES, "text only: both have ids that can be compared, and they differ"),
    )


def _both(numbers: tuple[int, int] | None) -> str:
    if numbers is None:
        return "-"
    return str(numbers[0]) if numbers[0] == numbers[1] else f"{numbers[0]} in {numbers[1]}"


def summary(parts: Sequence[Part], found: Iterable[Overlap], *, sides: Sides = (0, 1)) -> Table:
    """Return how many texts of each part stand in any of the others, each counted once."""
    shared = unions(found, sides=sides)
    rows = [
        [part.name, str(len(part.ids)), *map(str, shared[part.name])]
        for part in parts
        if part.name in shared
    ]
    return Table(
        "Texts that stand in any other part, by text or id, each counted once",
        ["", "texts", "in any other", "in one not called test"],
        rows,
    )


def unions(found: Iterable[Overlap], *, sides: Sides = (0, 1)) -> dict[str, tuple[int, int]]:
    """Return how many texts of a part stand in any other, and in one whose name ends not in test.

    Parts that share nothing are left out. `sides` of the overlaps are counted: the first alone
    where the second is counted in other units (sentences in documents).
    """
    every: dict[str, set[int]] = {}
    trained: dict[str, set[int]] = {}
    for overlap in found:
        names = (overlap.first, overlap.second)
        for side in sides if names[0] != names[1] and overlap.matches else ():
            numbers = {match.numbers[side] for match in overlap.matches}
            every.setdefault(names[side], set()).update(numbers)
            if not names[1 - side].endswith(TEST):
                trained.setdefault(names[side], set()).update(numbers)
    return {name: (len(texts), len(trained.get(name, ()))) for name, texts in every.items()}


def counts(overlap: Overlap) -> dict[str, tuple[int, int] | None]:
    """Return how many texts of either side match, by how they were found; None where unknown."""
    known = overlap.ids_known
    return {
        "texts": overlap.count(by_text),
        "equal": overlap.count(lambda match: match.equal),
        "ids": overlap.count(by_id) if known else None,
        "only_texts": overlap.count(lambda match: match.same_id is False) if known else None,
        "only_ids": overlap.count(lambda match: not by_text(match)) if known else None,
    }


def to_json(
    parts: Sequence[Part], found: Sequence[Overlap], *, pairs: bool, sides: Sides = (0, 1)
) -> dict[str, Any]:
    """Return the counts of each two parts that share something, with `pairs` also the ids.

    `in_others` and `in_others_not_test` of a part are its `unions`.
    """
    shared = unions(found, sides=sides)
    return {
        "parts": [
            {"name": part.name, "texts": len(part.ids), "too_short": part.too_short}
            | dict(zip(UNIONS, shared.get(part.name, (0, 0)), strict=True))
            for part in parts
        ],
        "overlaps": [
            {"first": o.first, "second": o.second, "of": o.sizes, **counts(o)}
            | ({"pairs": [_pair(match) for match in o.matches]} if pairs else {})
            for o in found
            if o.matches
        ],
    }


def _pair(match: Match) -> Mapping[str, Any]:
    return {
        "first": match.first,
        "second": match.second,
        "share": match.share,
        "equal": match.equal,
        "same_id": match.same_id,
    }


def pair_lines(found: Iterable[Overlap]) -> Iterator[str]:
    """Yield a line with tabs for each pair of texts: parts, ids, share and how it was found."""
    yield "corpus\tid\tand\tid\tshare\tfound by"
    for overlap in found:
        for match in overlap.matches:
            how = "text and id" if match.same_id else "text"
            how = how if match.share else "id"
            fields = (overlap.first, match.first, overlap.second, match.second)
            yield "\t".join((*fields, f"{match.share:g}", how))
