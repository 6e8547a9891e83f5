"""`bluered annotate`: from texts to entities, concepts, relations and novelty."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from bluered.cli.inputs import STANDARD, check_inputs, read_inputs
from bluered.errors import BlueredError, FormatError, unknown_name

if TYPE_CHECKING:
    from bluered.documents.document import Document
    from bluered.pipeline.pipeline import Pipeline

Advance = Callable[[], None]

Terms = Annotated[
    str | None,
    typer.Option(
        "--terms",
        metavar="NAME|FOLDER",
        help="The terminology that ids are found in (`bluered terms list`), or none; by default "
        "what BLUERED_TERMS names, else the shipped one.",
    ),
]

TERMINAL, HTML, JSONL = "terminal", "html", "jsonl"
_HTML_ENDINGS = (".html", ".htm")
_LISTED = 20  # skipped documents named in the report


def annotate(
    inputs: Annotated[
        list[str],
        typer.Argument(metavar="INPUT...", help="Files to read; - is standard input."),
    ],
    *,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="The file to write; - is standard output.")
    ] = None,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="How to write: terminal, html, jsonl, pubtator, bioc-xml, bioc-json, brat, conll. "
            "By default as OUTPUT ends; without one, terminal on a terminal and jsonl elsewhere.",
        ),
    ] = None,
    from_: Annotated[
        str | None, typer.Option("--from", help="The format of the inputs; recognised by default.")
    ] = None,
    given_entities: Annotated[
        bool,
        typer.Option("--given-entities", help="Keep the inputs' entities and add relations only."),
    ] = False,
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Skip bad documents and list them at the end.")
    ] = False,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Processor cores to use; all by default.")
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="A model bundle's folder instead of the shipped model.")
    ] = None,
    terms: Terms = None,
    no_terms: Annotated[
        bool,
        typer.Option("--no-terms", help="Look no ids up: they hold within each document only."),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="The same as --format jsonl.")] = False,
) -> None:
    """Find entities, concepts and relations in texts.

    Reads plain text (first line or paragraph: the title), PubTator, BioC XML, BioC JSON, brat,
    CoNLL and JSONL, and writes the same formats, a page (-o page.html) or a view for the terminal.
    Concepts get the ids of NCBI Gene, MeSH, NCBI Taxonomy, Cellosaurus and dbSNP, where their names
    are known (`bluered explain` says why); ids that the inputs give are kept.
    """
    if terms is not None and no_terms:
        raise typer.BadParameter("--terms and --no-terms exclude each other")
    target = _format(output, JSONL if json else format_)
    check_inputs(inputs)
    report = _Report(keep_going=keep_going)
    on_error = report.skipped if keep_going else None
    documents = read_inputs(inputs, from_, on_error=on_error)
    documents = _started(documents, report)  # before a model is loaded
    from bluered.normalize.locate import NONE
    from bluered.pipeline.load import cores, load

    used = threads or cores()
    nlp = load(model, threads=used, processes=used, terms=NONE if no_terms else terms)
    annotated = nlp.pipe(documents, given_entities=given_entities, on_error=report.failed)
    with _progress(shown=target != TERMINAL or output not in (None, STANDARD)) as advance:
        counted = report.counted(annotated, advance)
        _write(counted, output or STANDARD, target, nlp, report.losses)
    report.print(target=target, given_entities=given_entities)
    report.check()


def _format(output: str | None, name: str | None) -> str:
    """Return the name of the format to write, or raise FormatError."""
    from bluered.formats.registry import FORMATS

    known = [TERMINAL, HTML, *(n for n in FORMATS if n != "plain")]
    if name is not None:
        if name not in known:
            raise FormatError(unknown_name("format to annotate to", name, known))
        return name
    if output is None or output == STANDARD:
        return TERMINAL if output is None and sys.stdout.isatty() else JSONL
    lower = output.lower().removesuffix(".gz")
    if lower.endswith(_HTML_ENDINGS):
        return HTML
    endings = {e: n for n, f in FORMATS.items() for e in f.endings if n in known}
    matching = [ending for ending in endings if lower.endswith(ending)]
    if not matching:
        raise FormatError(
            f"no format to annotate to is known by the ending of {output!r}: add --format, one of "
            + ", ".join(known)
        )
    return endings[max(matching, key=len)]


def _started(documents: "Iterator[Document]", report: "_Report") -> "Iterator[Document]":
    """Return the documents with the first one read already; there must be one."""
    first = next(documents, None)
    if first is None:
        report.print_bad()
        raise FormatError("no document to annotate in the input")
    return chain([first], documents)


def _write(
    documents: "Iterable[Document]", output: str, target: str, nlp: "Pipeline", losses: Counter[str]
) -> None:
    if target == HTML:
        from bluered.reports.page import write_page

        write_page(documents, output, model=nlp.model)
    elif target == TERMINAL:
        _write_terminal(documents, output)
    else:
        from bluered.formats.files import write_file

        write_file(documents, output, target, losses=losses)


def _write_terminal(documents: "Iterable[Document]", output: str) -> None:
    import io

    from rich.console import Console

    from bluered.formats.streams import replacing
    from bluered.reports.terminal import print_documents

    if output == STANDARD:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # a terminal that cannot show Greek letters
        with replacing(STANDARD):  # which names it where it cannot be written
            print_documents(documents, Console(highlight=False))
        return
    with replacing(output) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", errors="replace", write_through=True)
        print_documents(documents, Console(file=text, highlight=False))
        text.detach()


@contextmanager
def _progress(*, shown: bool) -> Iterator[Advance]:
    """Give a function to call after each document; a line on stderr moves if it is a terminal."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.completed:.0f} documents"), TimeElapsedColumn()
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not (shown and console.is_terminal)
    ) as bar:
        task = bar.add_task("", total=None)
        yield lambda: bar.advance(task)


class _Report:
    """What was annotated, skipped and lost."""

    def __init__(self, *, keep_going: bool) -> None:
        self.keep_going = keep_going
        self.losses: Counter[str] = Counter()
        self._skipped: list[str] = []
        self._failed: list[str] = []
        self._documents = self._entities = self._relations = self._local = 0
        self._start = monotonic()

    def skipped(self, error: FormatError) -> None:
        """Note a document that could not be read."""
        self._skipped.append(str(error))

    def failed(self, document: "Document", error: Exception) -> None:
        """Note a document that could not be annotated."""
        self._failed.append(f"document {document.id}: {type(error).__name__}: {error}")

    def counted(self, documents: "Iterable[Document]", advance: Advance) -> "Iterator[Document]":
        """Yield the documents and count what is in them."""
        from bluered.documents.concepts import is_local

        for document in documents:
            self._documents += 1
            self._entities += len(document.entities)
            self._relations += len(document.relations)
            self._local += sum(any(map(is_local, e.concepts)) for e in document.entities)
            advance()
            yield document

    def print(self, *, target: str, given_entities: bool) -> None:
        """Tell on stderr what was done."""
        _say(
            f"{_many(self._documents, 'document')}: {_many(self._entities, 'mention')}"
            f"{self._linked()}, {_many(self._relations, 'relation')} "
            f"in {monotonic() - self._start:.1f} s"
        )
        if given_entities and not self._entities:
            _say("the input has no entities: without --given-entities they are found")
        lost = [f"{count} {what}" for what, count in self.losses.items() if count]
        if lost:
            _say(f"{target} cannot hold: {'; '.join(lost)}")
        self.print_bad()

    def _linked(self) -> str:
        """Return how many mentions have an id that holds everywhere, and how many have not."""
        if not self._entities:
            return ""
        return f" ({self._entities - self._local:,} linked, {self._local:,} with a local id)"

    def print_bad(self) -> None:
        """List on stderr what could not be read or annotated."""
        for what, listed in (("skipped", self._skipped), ("not annotated", self._failed)):
            if listed:
                _say(f"{what}: {_many(len(listed), 'document')}")
                for line in listed[:_LISTED]:
                    _say(f"  {line}")
                if len(listed) > _LISTED:
                    _say(f"  and {len(listed) - _LISTED} more")

    def check(self) -> None:
        """Raise BlueredError when a document came out bare and that was not asked for."""
        if self._failed and not self.keep_going:
            raise BlueredError(
                f"{_many(len(self._failed), 'document')} could not be annotated and came out bare "
                "(--keep-going makes this no error)"
            )


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _say(message: str) -> None:
    typer.echo(message, err=True)
