"""Which mentions of a document are of one variant."""

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct, field

from bluered.normalize.variants.reasons import Match
from bluered.normalize.variants.rs import Beside
from bluered.normalize.variants.sameness import (
    equal,
    is_allele_of,
    is_change_of,
    is_whole,
    translates,
)
from bluered.normalize.variants.variant import Variant


class Group(Struct):
    """The mentions of one variant; `rs` is where its rs number comes from, once that is known."""

    variants: list[Variant]
    mentions: list[int]
    genes: tuple[str, ...] = ()
    rs: str = ""
    match: Match = "normal form"
    source: str = ""
    told_at: int = -1
    numbers: Counter[str] = field(default_factory=Counter)


def variant_groups(chosen: Mapping[int, Variant], pairs: list[Beside]) -> list[Group]:
    """Return the mentions by variant: whole ones that are the same, then the others with them."""
    groups: list[Group] = []
    for index, variant in chosen.items():
        if is_whole(variant):
            _join(groups, index, variant)
    _merge_translations(groups, pairs)
    for index, variant in chosen.items():
        if not is_whole(variant):
            group = _group_of_part(groups, variant, index, pairs)
            if group:
                group.mentions.append(index)
            else:
                groups.append(Group([variant], [index]))
    _merge_translations(groups, pairs)
    return groups


def _join(groups: list[Group], index: int, variant: Variant) -> None:
    for group in groups:
        if any(equal(variant, other) for other in group.variants):
            group.mentions.append(index)
            if variant not in group.variants:
                group.variants.append(variant)
            return
    groups.append(Group([variant], [index]))


def _merge_translations(groups: list[Group], pairs: list[Beside]) -> None:
    """Put a change of the DNA and the change of the protein that it makes in one group.

    They are one where the codon fits, or where one stands in brackets behind the other.
    """
    together = {frozenset((p.mention, p.other)) for p in pairs if p.other is not None}
    merged: list[Group] = []
    for group in groups:
        for other in merged:
            if _is_translation(group, other) or _stand_together(group, other, together):
                other.variants += group.variants
                other.mentions += group.mentions
                break
        else:
            merged.append(group)
    groups[:] = merged


def _is_translation(one: Group, other: Group) -> bool:
    return any(translates(a, b) or translates(b, a) for a in one.variants for b in other.variants)


def _stand_together(one: Group, other: Group, together: set[frozenset[int]]) -> bool:
    molecules = {v.is_protein for v in one.variants}, {v.is_protein for v in other.variants}
    return not molecules[0] & molecules[1] and any(
        frozenset((a, b)) in together for a in one.mentions for b in other.mentions
    )


def _group_of_part(
    groups: list[Group], part: Variant, index: int, pairs: list[Beside]
) -> Group | None:
    """Return the variant that an allele or a change without a place is of.

    Of several with letters of the allele it is that of most mentions; a change without a place is
    of the variant that it stands beside, else of the only one that it fits.
    """
    fitting = [group for group in groups if any(_fits(part, whole) for whole in group.variants)]
    if part.position:
        return max(fitting, key=lambda group: len(group.mentions), default=None)
    partners = {p.other for p in pairs if p.mention == index}
    partners |= {p.mention for p in pairs if p.other == index}
    near = [group for group in groups if partners & set(group.mentions)] or fitting
    return near[0] if len(near) == 1 else None


def _fits(part: Variant, whole: Variant) -> bool:
    if part.position:
        return is_allele_of(part, whole)
    return is_change_of(part, whole) or (not whole.position and equal(part, whole))
