"""The inputs of commands that read texts: several files, standard input among them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bluered.errors import FormatError

if TYPE_CHECKING:
    from bluered.documents.document import Document

STANDARD = "-"

OnError = Callable[[FormatError], None]


def check_inputs(inputs: list[str]) -> None:
    """Raise the error of the first input that is not there."""
    for path in inputs:
        if not path:
            raise FormatError(
                "an input has an empty name: expected a file, or - for standard input"
            )
        if path != STANDARD:
            Path(path).stat()
    if inputs.count(STANDARD) > 1:
        raise FormatError("standard input (-) can be read once only")


def read_inputs(
    inputs: list[str], from_: str | None, *, on_error: OnError | None = None
) -> "Iterator[Document]":
    """Yield the documents of all inputs; `on_error` is told what is unreadable, else it raises."""
    from bluered.formats.files import read_file

    seen: set[str] = set()
    for path in inputs:
        try:
            for document in read_file(path, from_, on_error=on_error):
                if document.id in seen:
                    error = FormatError(
                        "a document with this id came before: give each its own id",
                        source=path,
                        document=document.id,
                    )
                    if on_error is None:
                        raise error
                    on_error(error)
                    continue
                seen.add(document.id)
                yield document
        except FormatError as error:
            if on_error is None:
                raise
            on_error(error)
