"""One self-contained HTML page of annotated documents: nothing in it is fetched from anywhere.

All text is escaped by the template engine, and the page's content security policy allows its own
style and script by their hashes and nothing else, so that no text of a document can ever run.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment
from markupsafe import Markup
from msgspec import Struct

from bluered.documents.document import Document, Span
from bluered.formats.streams import replacing
from bluered.pipeline.pipeline import ERROR
from bluered.reports.environment import environment
from bluered.reports.excerpts import excerpt
from bluered.reports.graph import Graph, graph
from bluered.reports.kinds import KINDS, Kind
from bluered.reports.page_text import Block, blocks, plain
from bluered.reports.view import RelationView, View, view

_EVIDENCE_WIDTH = 260  # characters of a sentence in the table


class Row(Struct, frozen=True):
    """A line of the relation table; `sentences` are the anchors of its evidence, the best first."""

    number: int
    shown: RelationView
    sentences: tuple[str, ...]
    excerpts: tuple[tuple[tuple[str, str], ...], ...]


class Article(Struct, frozen=True):
    """A document ready for the template; `key` begins all its anchors ("d1")."""

    key: str
    shown: View
    title: Block | None
    blocks: tuple[Block, ...]
    rows: tuple[Row, ...]
    graph: Graph | None
    error: str
    kinds: tuple[tuple[Kind, int], ...]

    @property
    def name(self) -> str:
        """The title as plain text, the id where there is no title."""
        return self.title.text if self.title else self.shown.document.id

    @property
    def pubmed(self) -> str | None:
        """The address at PubMed, where the id looks like a PMID."""
        number = self.shown.document.id
        if number.isascii() and number.isdigit() and 4 < len(number) <= 8:
            return f"https://pubmed.ncbi.nlm.nih.gov/{number}/"
        return None


def write_page(
    documents: Iterable[Document], path: str | Path, *, title: str = "", model: str = ""
) -> int:
    """Write the page of documents to a file, whole or not at all, and return how many they were."""
    with replacing(path) as stream:  # first, so that a folder that cannot be written is told early
        articles = [_article(number, d) for number, d in enumerate(documents, start=1)]
        for piece in _pieces(articles, title=title, model=model):
            stream.write(piece.encode(errors="replace"))
    return len(articles)


def render_page(documents: Iterable[Document], *, title: str = "", model: str = "") -> str:
    """Return the page of documents as text."""
    articles = [_article(number, d) for number, d in enumerate(documents, start=1)]
    return "".join(_pieces(articles, title=title, model=model))


def _pieces(articles: list[Article], *, title: str, model: str) -> Iterator[str]:
    style, script = _asset("page.css"), _asset("page.js")
    return _environment().get_template("page.html.j2").generate(
        articles=articles,
        title=title or (articles[0].name if len(articles) == 1 else f"{len(articles)} documents"),
        model=model,
        kinds=KINDS,
        entity_count=sum(len(a.shown.document.entities) for a in articles),
        relation_count=sum(len(a.rows) for a in articles),
        style=Markup(style),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
        policy=(
            "default-src 'none'; base-uri 'none'; form-action 'none'; "
            f"style-src '{_hash(style)}'; script-src '{_hash(script)}'"
        ),
    )  # fmt: skip


@cache
def _environment() -> Environment:
    made = environment()
    made.filters["plain"] = plain
    return made


def _asset(name: str) -> str:
    """Return one of the page's own files as it stands between its tags."""
    return files("bluered.reports").joinpath("templates", name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return "sha256-" + base64.b64encode(digest).decode()


def _article(number: int, document: Document) -> Article:
    shown = view(document)
    key = f"d{number}"
    parts = list(blocks(shown, key))
    title = parts.pop(0) if parts and parts[0].type == "title" and parts[0].text else None
    counts = {kind: sum(c.kind == kind for c in shown.concepts.values()) for kind in KINDS}
    return Article(
        key=key,
        shown=shown,
        title=title,
        blocks=tuple(part for part in parts if part.text),
        rows=tuple(_row(shown, key, n, r) for n, r in enumerate(shown.relations, start=1)),
        graph=graph(shown.relations),
        error=document.infons.get(ERROR, ""),
        kinds=tuple((kind, count) for kind, count in counts.items() if count),
    )


def _row(shown: View, key: str, number: int, relation: RelationView) -> Row:
    return Row(
        number=number,
        shown=relation,
        sentences=tuple(
            dict.fromkeys(  # the best first: the page goes there
                f"{key}-s{n}"
                for span in relation.evidence
                for n, sentence in enumerate(shown.sentences, start=1)
                if _overlap(sentence, span)
            )
        ),
        excerpts=tuple(
            tuple(
                excerpt(
                    shown.document.text,
                    sentence,
                    relation.head.mentions,
                    relation.tail.mentions,
                    width=_EVIDENCE_WIDTH,
                )
            )
            for sentence in relation.evidence[:3]
        ),
    )


def _overlap(first: Span, second: Span) -> bool:
    return first.start < second.end and second.start < first.end
