"""`bluered explain`: why the names of a text get their concept ids, and what came second."""

import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bluered.cli.annotate import Terms
from bluered.cli.corpora import Json
from bluered.cli.inputs import check_inputs, read_inputs
from bluered.errors import BlueredError, FormatError, unknown_name

if TYPE_CHECKING:
    from bluered.documents.document import Document
    from bluered.normalize.linker import Linker
    from bluered.pipeline.explanation import Explanation, Name
    from bluered.pipeline.step import Step


def explain(
    inputs: Annotated[
        list[str],
        typer.Argument(metavar="INPUT...", help="Files to read; - is standard input."),
    ],
    *,
    mention: Annotated[
        str | None,
        typer.Option(
            "--mention", metavar="TEXT", help="Explain this name only, whatever its case."
        ),
    ] = None,
    given_entities: Annotated[
        bool,
        typer.Option(
            "--given-entities", help="Explain the inputs' mentions instead of the model's."
        ),
    ] = False,
    from_: Annotated[
        str | None, typer.Option("--from", help="The format of the inputs; recognised by default.")
    ] = None,
    limit: Annotated[
        int, typer.Option(min=1, help="How many candidates of each name to tell of.")
    ] = 3,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Processor cores to use; all by default.")
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="A model bundle's folder instead of the shipped model.")
    ] = None,
    terms: Terms = None,
    json: Json = False,
) -> None:
    """Say of each name in texts why it has its concept id, and which id came second.

    Tells how the id was found, what spoke for it, which species a gene was taken to be of and why,
    and why a name has a local id only. Ids that the inputs give are shown, not used. --json gives
    one line for each document (docs/annotate.md).
    """
    check_inputs(inputs)
    documents = read_inputs(inputs, from_)
    first = next(documents, None)  # before a model is loaded
    if first is None:
        raise FormatError("no document to explain in the input")
    from bluered.pipeline.load import cores, linker_of, load_tagger
    from bluered.pipeline.parallel import ordered_map

    linker = linker_of(terms)
    if linker is None:
        raise BlueredError("without a terminology there is nothing to explain: all ids are local")
    tagger = None if given_entities else load_tagger(model)
    explained = _explainer(tagger, linker, limit=limit)
    explanations = ordered_map(explained, chain([first], documents), threads=threads or cores())
    if mention is not None:
        explanations = _about(mention, explanations)
    count = _print_json(explanations) if json else _print(explanations)
    if given_entities and not count:
        typer.echo("the input has no entities: without --given-entities they are found", err=True)


def _explainer(
    tagger: "Step | None", linker: "Linker", *, limit: int
) -> "Callable[[Document], Explanation]":
    """Return the function that explains a document, its mentions found by the tagger if any."""
    from bluered.pipeline.explain import explain
    from bluered.pipeline.pipeline import as_document, run

    steps = [tagger] if tagger is not None else []

    def explained(document: "Document") -> "Explanation":
        read = run(steps, as_document(document))
        return explain(read, linker, given=document, limit=limit)

    return explained


def _about(mention: str, explanations: "Iterator[Explanation]") -> "Iterator[Explanation]":
    """Yield what is about one name; BlueredError if no document has it."""
    from msgspec.structs import replace

    others: dict[str, None] = {}
    found = False
    for explanation in explanations:
        names = tuple(name for name in explanation.names if _is_called(name, mention))
        others |= dict.fromkeys(name.name for name in explanation.names)
        if names:
            found = True
            yield replace(explanation, names=names)
    if not found:
        raise BlueredError(unknown_name("mention", mention, [*others]))


def _is_called(name: "Name", mention: str) -> bool:
    """Tell whether a name, or a part of it, is the one asked for, but for its writing."""
    from bluered.normalize.names import name_key

    wanted = name_key(mention, kind=name.type)
    called = (name.name, *(part.name for part in name.parts))
    return any(name_key(one, kind=name.type) == wanted for one in called)


def _print_json(explanations: "Iterable[Explanation]") -> int:
    """Print a line for each document, and return how many names there were."""
    import msgspec

    count = 0
    for explanation in explanations:
        typer.echo(msgspec.json.encode(explanation).decode())
        count += len(explanation.names)
    return count


def _print(explanations: "Iterable[Explanation]") -> int:
    import io

    from rich.console import Console

    from bluered.reports.explanation import print_explanations

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that cannot show Greek letters
    return print_explanations(explanations, Console(highlight=False, soft_wrap=False))
