"""`bluered examples`: the examples of a task, ready for a model, to JSONL or BLUE's tables."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from bluered.corpora.catalog import Task
    from bluered.tasks.ready import ReadyExample


def examples(
    task: Annotated[str, typer.Argument(help="A task, as `bluered corpora list` names it.")],
    *,
    split: Annotated[str, typer.Option("--split", help="train, dev or test.")] = "train",
    output: Annotated[
        str, typer.Option("--output", "-o", help="File to write; - is stdout; .gz is compressed.")
    ] = "-",
    form: Annotated[
        Literal["jsonl", "tsv"], typer.Option("--format", help="jsonl, or tsv: BLUE's columns.")
    ] = "jsonl",
    no_answers: Annotated[
        bool, typer.Option("--no-answers", help="Leave out scores, labels and tags.")
    ] = False,
) -> None:
    """Write the examples of a split as BLUE builds them, one a line, for any tool to train on.

    Pairs, blinded candidate relations, sentences with labels; for named entities sentences with
    tokens, offsets and BIO tags.
    """
    import msgspec

    from bluered.corpora.catalog import task as find_task
    from bluered.formats.streams import replacing
    from bluered.tasks.ready import ready_examples, table_lines

    asked = find_task(task)
    numbers = Counter[str]()
    ready = _counted(asked, ready_examples(asked, split, answers=not no_answers), numbers)
    with replacing(output) as stream:
        if form == "tsv":
            for line in table_lines(asked, ready, answers=not no_answers):
                stream.write(line.encode())
        else:
            encoder = msgspec.json.Encoder()
            for example in ready:
                stream.write(encoder.encode(example) + b"\n")
    said = ", ".join(f"{number} {what}" for what, number in numbers.items())
    typer.echo(f"{task}, {split}: {said}", err=True)


def _counted(
    task: "Task", ready: "Iterable[ReadyExample]", numbers: Counter[str]
) -> "Iterator[ReadyExample]":
    """Yield the examples and count them, and what there is to find in them."""
    from bluered.documents.examples import TaggedSentence
    from bluered.tasks.tagging import mentions_begun

    for example in ready:
        if isinstance(example, TaggedSentence):
            numbers["sentences"] += 1
            if example.tags is not None:
                numbers["mentions"] += mentions_begun(example)
        else:
            numbers["examples"] += 1
            label = getattr(example, "label", None)
            if task.entry.negative and label is not None:
                numbers["positive"] += label != task.entry.negative
        yield example
