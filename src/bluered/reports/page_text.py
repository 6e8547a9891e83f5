"""A document's text as HTML: its sentences with anchors, its mentions linked to concepts."""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import groupby

from markupsafe import Markup
from msgspec import Struct

from bluered.documents.document import Entity, Passage, Span
from bluered.normalize.linker import MATCH, NAME, SCORE
from bluered.reports.kinds import kind_of
from bluered.reports.segments import Segment, segments
from bluered.reports.view import View

_CONTROL = dict.fromkeys(
    (
        *range(9), 11, 12, *range(14, 32), *range(127, 160),
        *range(0x202A, 0x202F), *range(0x2066, 0x206A),  # would turn the order of what is shown
        *range(0xD800, 0xE000),
    ),
    "\N{REPLACEMENT CHARACTER}",
)  # fmt: skip
_LABELLED = 5  # mentions that a tooltip tells of, the innermost first
_LABEL_WIDTH = 80


class Block(Struct, frozen=True):
    """A passage: its type, its text and the same as HTML."""

    type: str
    text: str
    html: Markup


def plain(text: str) -> str:
    """Return text without characters that HTML does not allow or that hide its order."""
    return text.translate(_CONTROL)


def blocks(shown: View, key: str) -> Iterator[Block]:
    """Yield the passages of a document; `key` begins the anchors of its sentences and concepts."""
    document = shown.document
    whole = Passage(type="text", start=0, end=len(document.text))
    numbered = list(enumerate(shown.sentences, start=1))
    for passage in document.passages or (whole,):
        inside = [(n, s) for n, s in numbered if passage.start <= s.start < passage.end]
        yield Block(
            type=passage.infons.get("section", passage.type),
            text=plain(document.text[passage.start : passage.end]).strip(),
            html=_sentences(shown, key, passage, inside),
        )


def _sentences(shown: View, key: str, passage: Passage, inside: list[tuple[int, Span]]) -> Markup:
    """Return a passage as HTML; its mentions are gone through once, however many sentences."""
    edges = [edge for _, sentence in inside for edge in (sentence.start, sentence.end)]
    pieces = segments(shown.document.entities, passage.start, passage.end, cuts=edges)
    parts: list[Markup] = []
    # between the edges lie in turn what is outside sentences and what is one sentence
    for place, found in groupby(pieces, key=lambda piece: bisect_right(edges, piece.start)):
        html = Markup("").join(_segment(shown, key, piece) for piece in found)
        if place % 2:
            number = inside[place // 2][0]
            html = Markup('<span class="sentence" id="{}-s{}">{}</span>').format(key, number, html)
        parts.append(html)
    return Markup("").join(parts)


def _segment(shown: View, key: str, segment: Segment) -> Markup:
    text = plain(shown.document.text[segment.start : segment.end])
    if not segment.entities:
        return Markup("{}").format(text)
    innermost = segment.entities[-1]
    concept = shown.concept_of(innermost)
    classes = ["mention", kind_of(innermost.type).key]
    classes += ["begins"] * segment.begins + ["ends"] * segment.ends + ["joins"] * segment.joins
    if len(segment.entities) > 1:
        classes += ["nested", f"in-{kind_of(segment.entities[0].type).key}"]
    values = {
        "classes": " ".join(classes),
        "label": _label(shown, segment.entities),
        "letter": kind_of(innermost.type).letter if segment.ends else "",
        "text": text,
    }
    if concept is None:
        return Markup(
            '<span class="{classes}" title="{label}" data-letter="{letter}">{text}</span>'
        ).format(**values)
    return Markup(
        '<a class="{classes}" href="#{key}-c{number}" title="{label}" data-letter="{letter}">'
        "{text}</a>"
    ).format(key=key, number=concept.number, **values)


def _label(shown: View, entities: tuple[Entity, ...]) -> str:
    """Return what a mention's tooltip says, the innermost first."""
    lines: list[str] = []
    for entity in entities[: -_LABELLED - 1 : -1]:
        concept = shown.concept_of(entity)
        parts = [kind_of(entity.type).label, _short(plain(entity.text))]
        if concept is not None:
            parts += ["local id"] if concept.local else _identity(entity)
        if entity.confidence is not None:
            parts.append(f"confidence {entity.confidence:.2f}")
        lines.append(" \N{MIDDLE DOT} ".join(parts))
    if len(entities) > _LABELLED:
        lines.append(f"and {len(entities) - _LABELLED} more around it")
    return "\n".join(lines)


def _identity(entity: Entity) -> list[str]:
    """Return the ids of a mention, its concepts' names, how they were found and how surely."""
    told = [", ".join(entity.concepts)]
    told += [entity.infons[name] for name in (NAME, MATCH) if entity.infons.get(name)]
    if score := entity.infons.get(SCORE):
        told.append(f"score {score}")
    return [_short(plain(one)) for one in told]


def _short(text: str) -> str:
    return (
        text if len(text) <= _LABEL_WIDTH else text[: _LABEL_WIDTH - 1] + "\N{HORIZONTAL ELLIPSIS}"
    )
