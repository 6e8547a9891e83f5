"""A document as text in a terminal: coloured mentions, tables of relations and of concepts.

Without colour (a pipe, NO_COLOR, a dumb terminal) a mention is written `[name]G`, with the letter
of its kind. Everything fits the console's width; 80 columns are enough.
"""

from collections.abc import Iterable

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from bluered.documents.document import Document
from bluered.pipeline.pipeline import ERROR
from bluered.reports.excerpts import excerpt
from bluered.reports.kinds import KINDS, OTHER, kind_of
from bluered.reports.marks import clean, has_colour, identifier, mark, style
from bluered.reports.segments import segments
from bluered.reports.view import Concept, RelationView, View, view

_WIDE = 118  # columns from which the evidence has its own column


def print_documents(documents: Iterable[Document], console: Console) -> int:
    """Print each document with its legend and relations, and return how many there were."""
    count = 0
    for document in documents:
        if count:
            console.print()
        console.print(render(document, colour=has_colour(console)))
        count += 1
    return count


def render(document: Document, *, colour: bool = True) -> RenderableType:
    """Return what a console prints of one document."""
    shown = view(document)
    parts: list[RenderableType] = [Text(clean(document.id), style="bold dim")]
    for number, passage in enumerate(_passages(document)):
        title = document.passages[number : number + 1] and document.passages[number].type == "title"
        text = _passage(shown, *passage, colour=colour)
        if title:
            text.stylize("bold")
        parts.append(Padding(text, (0, 0, 1, 0)))
    if ERROR in document.infons:
        parts.append(Text(f"not annotated: {clean(document.infons[ERROR])}", style="bold red"))
        return Group(*parts)
    parts.append(_legend(shown, colour=colour))
    parts.append(_Relations(shown, colour=colour) if shown.relations else Text("No relations."))
    parts += _concepts(shown, colour=colour)
    return Group(*parts)


def _passages(document: Document) -> list[tuple[int, int]]:
    if not document.passages:
        return [(0, len(document.text))]
    return [(p.start, p.end) for p in document.passages if document.text[p.start : p.end].strip()]


def _concepts(shown: View, *, colour: bool) -> list[RenderableType]:
    """Return the table of the concepts with their ids, and the names whose ids are local."""
    linked = [concept for concept in shown.concepts.values() if not concept.local]
    local = [concept for concept in shown.concepts.values() if concept.local]
    parts: list[RenderableType] = []
    if linked:
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
        for heading in ("Concept", "Id", "Name", "Found by"):
            table.add_column(heading, overflow="fold")
        table.add_column("Score", justify="right", no_wrap=True)
        for concept in linked:
            table.add_row(
                mark(concept.name, concept.kind, colour=colour),
                identifier(concept.id, concept.home, colour=colour),
                *map(clean, (concept.preferred, concept.match, concept.score)),
            )
        parts.append(table)
    if local and linked:
        names = Text(", ").join(mark(c.name, c.kind, colour=colour) for c in local)
        parts.append(Text("Local ids, which hold within this document only: ") + names)
    elif local:
        told = "Concepts have local ids: they hold within this document only."
        parts.append(Text(told, style="dim"))
    return parts


def _passage(shown: View, start: int, end: int, *, colour: bool) -> Text:
    result = Text()
    for segment in segments(shown.document.entities, start, end):
        text = clean(shown.document.text[segment.start : segment.end])
        if not segment.entities:
            result.append(text)
            continue
        kind = kind_of(segment.entities[-1].type)
        if colour:
            result.append(text, style=style(kind))
        else:
            result.append("[" * segment.begins + text + f"]{kind.letter}" * segment.ends)
    return result


def _legend(shown: View, *, colour: bool) -> Text:
    counts = {
        kind: sum(c.kind == kind for c in shown.concepts.values()) for kind in (*KINDS, OTHER)
    }
    result = Text()
    for kind, count in counts.items():
        if not count:
            continue
        result.append("  " if result else "")
        result.append(
            f" {kind.label} " if colour else f"{kind.letter} = {kind.label}",
            style=style(kind) if colour else "",
        )
        result.append(f" {count}" if colour else f" ({count})", style="dim")
    return result if result else Text("No entities.")


class _Relations:
    """The relations of a document: one table where there is room, rows of two lines elsewhere."""

    def __init__(self, shown: View, *, colour: bool) -> None:
        self.shown = shown
        self.colour = colour

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield what fits the console's width."""
        if options.max_width >= _WIDE:
            yield self._table()
        else:
            yield from self._rows(options.max_width)

    def _table(self) -> Table:
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, expand=True)
        for heading, ratio in (("Head", 4), ("Relation", 3), ("Tail", 4)):
            table.add_column(heading, ratio=ratio)
        table.add_column("Novelty", min_width=10)
        table.add_column("Conf.", min_width=5, justify="right")
        table.add_column("Supporting sentence", ratio=10)
        for row in self.shown.relations:
            table.add_row(*self._cells(row), self._evidence(row, 170))
        return table

    def _rows(self, width: int) -> RenderResult:
        room = max(18, width - 19)  # beside novelty, confidence and the gaps
        kind = min(20, room // 3)
        widths = ((room - kind) // 2, kind, (room - kind) // 2, 10, 5)
        heading = [Text(h, style="bold") for h in ("Head", "Relation", "Tail", "Novelty", "Conf.")]
        yield Text()
        yield _grid(heading, widths)
        for row in self.shown.relations:
            yield _grid(self._cells(row), widths)
            if row.evidence:
                yield Padding(self._evidence(row, 2 * width - 20), (0, 0, 0, 4))

    def _cells(self, row: RelationView) -> list[Text]:
        confidence = row.relation.confidence
        return [
            self._name(row.head),
            Text(clean(row.label)),
            self._name(row.tail),
            Text(row.novelty, style="bold" if row.relation.novel else "dim"),
            Text("" if confidence is None else f"{confidence:.2f}"),
        ]

    def _name(self, concept: Concept) -> Text:
        return mark(concept.name, concept.kind, colour=self.colour)

    def _evidence(self, row: RelationView, width: int) -> Text:
        result = Text(style="italic" if self.colour else "")
        each = width // max(1, len(row.core))
        for number, sentence in enumerate(row.core):
            result.append(" / " if number else "")
            parts = excerpt(
                self.shown.document.text,
                sentence,
                row.head.mentions,
                row.tail.mentions,
                width=each,
            )
            for text, role in parts:
                concept = {"head": row.head, "tail": row.tail}.get(role)
                result.append(
                    Text(clean(text))
                    if concept is None
                    else mark(text, concept.kind, colour=self.colour)
                )
        return result


def _grid(cells: list[Text], widths: Iterable[int]) -> Table:
    """Return one line of the narrow layout."""
    grid = Table.grid(padding=(0, 1))
    for width in widths:
        grid.add_column(width=width)
    grid.add_row(*cells)
    return grid
