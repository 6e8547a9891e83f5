"""Where a model goes wrong on BioRED: tables, and for programs."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bluered.documents.biored_types import ENTITY_TYPES, RELATION_TYPES
from bluered.metrics.counts import Counts
from bluered.reports.figures import percent
from bluered.reports.scores import counts_json
from bluered.reports.tables import Table
from bluered.tasks.biored.labels import SHORT
from bluered.tasks.biored.mention_errors import KINDS, SEEN, Group, total
from bluered.tasks.biored.relation_errors import MEASURES, NO_RELATION, RelationErrors

Mentions = Mapping[tuple[str, str], Group]

WAYS = {
    "sentence": "where both concepts are mentioned",
    "distance": "characters between their nearest mentions",
    "length": "characters of the document, in thirds",
    "concepts": "concepts of the document, in thirds",
    "pair": "types of the concepts",
}
"""The ways relations are grouped, as a table calls them."""


def to_json(mentions: Mentions, relations: RelationErrors) -> dict[str, Any]:
    """Return all counts; the confusion is a list of gold type, predicted type and pairs."""
    by_type: dict[str, Any] = {}
    for (kind, seen), group in mentions.items():
        by_type.setdefault(kind, {})[seen] = counts_json(group.counts) | {"errors": group.kinds}
    by_way: dict[str, Any] = {}
    for (way, member), counts in relations.groups.items():
        measures = {name: counts_json(counts[name]) for name in MEASURES}
        by_way.setdefault(way, {})[member] = measures
    confusion = [
        {"gold": gold, "predicted": said, "pairs": number}
        for (gold, said), number in sorted(relations.confusion.items())
    ]
    return {"mentions": by_type, "relations": by_way, "confusion": confusion}


def tables(mentions: Mentions, relations: RelationErrors) -> Iterator[Table]:
    """Yield the tables of mentions, relations and the confusion of relation types."""
    yield _mention_table(mentions)
    for way, words in WAYS.items():
        yield _relation_table(relations, way, words)
    yield _confusion(relations)


def _mention_table(mentions: Mentions) -> Table:
    known = [kind for kind in ENTITY_TYPES if any(group[0] == kind for group in mentions)]
    others = sorted({kind for kind, _ in mentions} - set(known))
    rows = [_mention_row("all", mentions.values())]
    rows += [
        _mention_row(f"all, {seen}", (g for (_, s), g in mentions.items() if s == seen))
        for seen in SEEN
    ]
    for kind in (*known, *others):
        name = SHORT.get(kind, kind)
        rows.append(_mention_row(name, (g for (k, _), g in mentions.items() if k == kind)))
        rows += [
            _mention_row(f"{name}, {seen}", (mentions[kind, seen],))
            for seen in SEEN
            if (kind, seen) in mentions
        ]
    return Table(
        "Mentions by type, and by whether BioRED train has the name",
        ["", "gold", "predicted", "P", "R", "F1", *KINDS],
        rows,
        notes=(
            "seen: with this type; other type: with another type only; case does not count",
            "a gold mention not found exactly: its border is wrong, its type, both, or it is "
            "missed; spurious: a false one that touches none of these",
        ),
    )


def _mention_row(label: str, groups: Iterable[Group]) -> list[str]:
    group = total(groups)
    return [label, *_sizes(group.counts), *_ratios(group.counts), *_kinds(group)]


def _kinds(group: Group) -> list[str]:
    return [str(group.kinds[kind]) for kind in KINDS]


def _sizes(counts: Counts) -> list[str]:
    return [str(counts.tp + counts.fn), str(counts.tp + counts.fp)]


def _ratios(counts: Counts) -> list[str]:
    return [percent(ratio) for ratio in (counts.precision, counts.recall, counts.f1)]


def _relation_table(relations: RelationErrors, way: str, words: str) -> Table:
    rows = []
    for (kind, member), counts in relations.groups.items():
        if kind == way:
            pair = counts["pair"]
            right = pair.tp and counts["type"].tp / pair.tp
            rows.append(
                [
                    member,
                    *_sizes(pair),
                    *_ratios(pair),
                    percent(counts["type"].f1),
                    percent(counts["all"].f1),
                    percent(right) if pair.tp else "-",
                ]
            )
    heads = ["", "gold", "predicted", "P", "R", "pair F1", "+ type F1", "all F1", "type right"]
    return Table(
        f"Relations by {words}",
        heads,
        rows,
        notes=("P and R are of pairs; type right: of the right pairs",) if way == "pair" else (),
    )


def _confusion(relations: RelationErrors) -> Table:
    found = relations.confusion
    names = {name for two in found for name in two} - {NO_RELATION}
    order = [name for name in RELATION_TYPES if name in names]
    order += [*sorted(names - set(order)), NO_RELATION]
    rows = [
        [gold, *(str(found[gold, said]) if (gold, said) in found else "" for said in order)]
        for gold in order
    ]
    return Table(
        "Types of relations: gold in rows, predicted in columns",
        ["", *order],
        rows,
        notes=(f"{NO_RELATION}: the pair has no relation on that side",),
    )
