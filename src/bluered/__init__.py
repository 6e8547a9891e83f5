"""BlueRED: benchmark and tool for reading biomedical literature.

`load()` gives a pipeline `nlp`, `nlp(text)` an annotated document, `nlp.pipe(texts)` a stream of
them; `read` and `write` open files of documents.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bluered.documents.document import (
    Document,
    Entity,
    MentionRelation,
    Passage,
    Relation,
    Span,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from bluered.pipeline.pipeline import Pipeline

__all__ = [
    "Document",
    "Entity",
    "MentionRelation",
    "Passage",
    "Relation",
    "Span",
    "__version__",
    "load",
    "read",
    "write",
]

__version__ = "0.1.0"

# onnxruntime reports its use to its maker and leaves a device id in the user's cache; it reads this
# when it is first imported. BlueRED sends nothing anywhere unless the user asks for a download.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")


def load(
    model: str | Path | None = None,
    *,
    threads: int | None = None,
    processes: int = 1,
    terms: str | Path | None = None,
) -> Pipeline:
    """Return a pipeline that annotates texts; the shipped model unless a bundle's path is given.

    `threads` limits the cores used (all by default); `processes` above 1 make long streams faster
    (docs/python.md). `terms` names the terminology that concept ids are found in (docs/terms.md);
    "none" is none.
    """
    from bluered.pipeline.load import load as load_pipeline  # heavy: onnxruntime, numpy

    return load_pipeline(model, threads=threads, processes=processes, terms=terms)


def read(path: str | Path, format: str | None = None) -> Iterator[Document]:
    """Yield the documents of a file; its format is recognised unless named."""
    from bluered.formats.files import read_file

    return read_file(path, format)


def write(documents: Iterable[Document], path: str | Path, format: str | None = None) -> int:
    """Write documents to a file, in the format of its ending unless named, and return how many."""
    from bluered.formats.files import write_file

    return write_file(documents, path, format)
