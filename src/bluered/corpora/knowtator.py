"""The mentions of a Knowtator (eHOST) file: annotations with spans, and classes with a slot.

- annotation/mention@id is the mention's id, annotation/span@start and @end (exclusive) its spans;
- the classMention of that id has a mentionClass@id, the type, and a hasSlotMention@id;
- the stringSlotMention of that id has a stringSlotMentionValue@value, the concept.
"""

from collections.abc import Iterator

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue] - lxml has no types
from msgspec import Struct

from bluered.documents.document import Span
from bluered.errors import FormatError


class Mention(Struct, frozen=True):
    """A mention as a file has it; `line` is where it stands."""

    line: int
    type: str
    concept: str
    spans: tuple[Span, ...]


def mentions(text: str, source: str) -> Iterator[Mention]:
    """Yield the mentions of a file in its order; one without a span is none (BLUE's rule)."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True)
    try:
        root = etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:  # whose message may quote the text
        raise FormatError("no well-formed XML", source=source, line=error.lineno) from None
    values = {
        slot.get("id"): value.get("value")
        for slot in root.iter("stringSlotMention")
        for value in reversed(slot.findall("stringSlotMentionValue"))  # the first one stays
    }
    classes = {element.get("id"): element for element in root.iter("classMention")}
    for annotation in root.iter("annotation"):
        line = annotation.sourceline or 1
        mention = annotation.find("mention")
        class_mention = None if mention is None else classes.get(mention.get("id"))
        class_ = None if class_mention is None else class_mention.find("mentionClass")
        if class_mention is None or class_ is None:
            raise FormatError("an annotation without a class", source=source, line=line)
        slot = class_mention.find("hasSlotMention")
        concept = None if slot is None else values.get(slot.get("id"))
        spans = tuple(_span(element, source) for element in annotation.findall("span"))
        if spans:
            yield Mention(line, class_.get("id", ""), concept or "CUI-less", spans)


def _span(element: etree._Element, source: str) -> Span:
    start, end = element.get("start", ""), element.get("end", "")
    if not (start.isdecimal() and end.isdecimal()):
        message = "expected a span with the numbers start and end"
        raise FormatError(message, source=source, line=element.sourceline or 1)
    return Span(int(start), int(end))
