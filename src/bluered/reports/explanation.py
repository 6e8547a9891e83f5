"""Why names have their ids, as text in a terminal: one block for each name."""

from collections.abc import Iterable, Iterator

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from bluered.pipeline.explanation import Considered, Explanation, Name, Part, Reading, Reason
from bluered.reports.homes import home_of
from bluered.reports.kinds import Kind, kind_of
from bluered.reports.marks import clean, has_colour, identifier, mark

_REASONS = 3
_LABEL_WIDTH = 8

Line = tuple[str, Text]
"""A line of a block: what it tells of, and what it tells."""


def print_explanations(explanations: Iterable[Explanation], console: Console) -> int:
    """Print the blocks of each document's names, and return how many names there were."""
    count = 0
    for number, explanation in enumerate(explanations):
        if number:
            console.print()
        console.print(render_explanation(explanation, colour=has_colour(console)))
        count += len(explanation.names)
    return count


def render_explanation(explanation: Explanation, *, colour: bool = True) -> RenderableType:
    """Return what a console prints of one document."""
    parts: list[RenderableType] = [Text(clean(explanation.document), style="bold dim")]
    for name in explanation.names:
        parts += [Text(), *_block(name, colour=colour)]
    return Group(*parts)


def _block(name: Name, *, colour: bool) -> Iterator[RenderableType]:
    kind = kind_of(name.type)
    heading = mark(name.name, kind, colour=colour)
    times = f"  {kind.label.lower()}, {_many(len(name.mentions), 'mention')}"
    yield heading + Text(times, style="dim")
    yield _lines(_of_name(name, kind, colour=colour))
    for part in name.parts:
        if len(name.parts) > 1:
            yield Padding(mark(part.name, kind, colour=colour), (0, 0, 0, 2))
        yield _lines(_of_part(part, kind, colour=colour))
    yield _lines(_given(name))


def _lines(lines: Iterable[Line]) -> RenderableType:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=_LABEL_WIDTH, style="dim")
    grid.add_column()
    for label, text in lines:
        grid.add_row(label, text)
    return Padding(grid, (0, 0, 0, 2))


def _of_name(name: Name, kind: Kind, *, colour: bool) -> Iterator[Line]:
    """Yield what is told of the name as a whole."""
    if name.lent_by:
        yield "id", _id(name.ids[0], kind, colour=colour)
        yield "how", Text(f"the text uses it for the same as '{clean(name.lent_by)}'")
    elif name.local:
        yield "id", Text(f"{clean(name.ids[0])} (holds within this document only)")
    elif len(name.parts) > 1:
        yield "ids", Text(", ").join(_id(one, kind, colour=colour) for one in name.ids)
    if name.why_not:
        yield "why not", Text(clean(name.why_not))
    if name.variant:
        yield from _of_variant(name.variant, kind, colour=colour)


def _given(name: Name) -> Iterator[Line]:
    """Yield what the input says."""
    if name.given:
        same = " (the same)" if set(name.given) == set(name.ids) else ""
        yield "file", Text(f"the file says {clean(', '.join(name.given))}{same}")


def _of_part(part: Part, kind: Kind, *, colour: bool) -> Iterator[Line]:
    """Yield what is told of a decision."""
    first, second = (*part.candidates, None, None)[:2]
    if part.why_not:
        yield "why not", Text(part.why_not)
    if first is not None:
        concept = _concept(first, kind, colour=colour) + f", probability {first.probability:.2f}"
        yield "id" if part.id else "likely", concept
        yield "how", Text(clean(first.how))
        if part.species:
            yield "species", Text(clean(f"{part.species.name}: {part.species.words}"))
        yield from _reasons(part.because)
    if first is not None and second is not None:
        behind = first.probability - second.probability
        told = f", probability {second.probability:.2f}, {behind:.2f} behind: {clean(second.how)}"
        yield "second", _concept(second, kind, colour=colour) + told
        yield from _rest(part, kind, colour=colour)
    elif first is not None:
        yield "second", Text("none: no other concept was found by this name")


def _rest(part: Part, kind: Kind, *, colour: bool) -> Iterator[Line]:
    """Yield the candidates after the second."""
    rest = [
        _concept(one, kind, colour=colour) + f" {one.probability:.2f}"
        for one in part.candidates[2:]
    ]
    if part.more:
        rest.append(Text(f"{part.more} more"))
    if rest:
        yield "then", Text("; ").join(rest)


def _of_variant(reading: Reading, kind: Kind, *, colour: bool) -> Iterator[Line]:
    form = f"  {clean(reading.form)}" if reading.form not in {"", reading.id} else ""
    told = f"{form}, right in {reading.probability:.0%} of such cases"
    yield "id", _id(reading.id, kind, colour=colour) + told
    yield "how", Text(clean(reading.reason))
    if reading.gene:
        named = f" {clean(reading.gene_name)}" if reading.gene_name else ""
        yield "gene", _id(reading.gene, kind_of("gene"), colour=colour) + named
    if reading.runner_up:
        yield "second", _id(reading.runner_up, kind, colour=colour)


def _reasons(because: tuple[Reason, ...]) -> Iterator[Line]:
    """Yield the strongest reasons for the first candidate, and the strongest against it."""
    pro = [reason for reason in because if reason.adds > 0][:_REASONS]
    contra = [reason for reason in because if reason.adds < 0][:1]
    if pro:
        yield "because", Text("; ".join(map(_reason, pro)))
    if contra:
        yield "though", Text(_reason(contra[0]))


def _reason(reason: Reason) -> str:
    return f"{reason.words} ({reason.adds:+.1f})"


def _concept(one: Considered, kind: Kind, *, colour: bool) -> Text:
    species = f" ({clean(one.species)})" if one.species else ""
    return _id(one.id, kind, colour=colour) + f"  {clean(one.name)}{species}"


def _id(concept: str, kind: Kind, *, colour: bool) -> Text:
    return identifier(concept, home_of(concept, kind.key), colour=colour)


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
