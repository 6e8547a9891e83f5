"""Where title and abstract are in a text that does not say so.

A first paragraph, or a first line, is the title; all that follows is the abstract. A text of one
line has no title, nor has one whose second line goes on in lower case: its lines were wrapped.
Nothing is changed or removed, so offsets are those of the text as it was given.
"""

import re

from msgspec import structs

from bluered.documents.document import Document, Passage

_TEXT = frozenset({"text", ""})  # what the reader of plain text calls its one passage
_EMPTY_LINE = re.compile(r"\r?\n[ \t\r]*\n")
_LINE_END = re.compile(r"\r?\n")


def document_from_text(text: str, document_id: str = "text") -> Document:
    """Return a document of a title and an abstract below it, or of one paragraph."""
    return Document(id=document_id, text=text, passages=passages_of(text))


def with_passages(document: Document) -> Document:
    """Return the document with title and abstract where its text has no parts yet."""
    passages = document.passages
    if len(passages) > 1 or (passages and passages[0].type not in _TEXT):
        return document
    return structs.replace(document, passages=passages_of(document.text))


def passages_of(text: str) -> tuple[Passage, ...]:
    """Return the title and the abstract, or the abstract alone, of a text."""
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    if start >= end:
        return ()
    cut = _EMPTY_LINE.search(text, start, end)
    if cut is None:
        cut = _LINE_END.search(text, start, end)
        if cut is not None and text[cut.end() : end].lstrip()[:1].islower():
            cut = None
    if cut is None:
        return (Passage(type="abstract", start=start, end=end),)
    rest = cut.end() + len(text[cut.end() : end]) - len(text[cut.end() : end].lstrip())
    return (
        Passage(type="title", start=start, end=start + len(text[start : cut.start()].rstrip())),
        Passage(type="abstract", start=rest, end=end),
    )
