"""How a model bundle becomes a pipeline."""

import os
from functools import partial
from pathlib import Path

from bluered.errors import ModelError
from bluered.inference.bundle import Bundle, load_bundle
from bluered.inference.reading import Reader
from bluered.inference.relations import Relater
from bluered.inference.tagger import Tagger
from bluered.normalize.dictionary import Dictionary
from bluered.normalize.linker import Linker, load_linker
from bluered.normalize.locate import NONE, VARIABLE, shipped_terminology
from bluered.normalize.terminology import Terminology
from bluered.pipeline.entities import entity_step
from bluered.pipeline.pipeline import Pipeline
from bluered.pipeline.step import Step


def load(
    model: str | Path | None = None,
    *,
    threads: int | None = None,
    processes: int = 1,
    terms: str | Path | None = None,
) -> Pipeline:
    """Return the pipeline of a model bundle, the shipped one unless a path is given.

    `threads` limits the processor cores used (all of them by default). Each document is computed on
    one core and several documents at a time, which is faster than several cores on one document.
    With `processes` above 1 a stream of many documents is worked on by that many processes, which
    is faster still: threads wait for each other at what is not onnxruntime's. They take twice the
    memory and begin by importing the main program, which must hold its work behind `if __name__ ==
    "__main__":` then.
    `terms` is the terminology that concept ids are found in, by name or folder; None is the one
    that BLUERED_TERMS names, else the shipped one; "none" is none.
    """
    if threads is not None and threads < 1:
        raise ModelError(f"threads must be 1 or more, not {threads} (None: all cores)")
    if processes < 1:
        raise ModelError(f"processes must be 1 or more, not {processes}")
    threads = threads or cores()
    linker = linker_of(terms)  # first: it opens in a moment, also where it is the wrong one
    bundle = load_bundle(Path(model) if model is not None else None)
    reader = reader_of(bundle)
    return Pipeline(
        Tagger(reader),
        Relater(reader, threads=1),
        linker=linker,
        model=bundle.name,
        threads=threads,
        processes=processes,
        again=partial(load, model, threads=1, terms=terms),
    )


def linker_of(terms: str | Path | None) -> Linker | None:
    """Return the linker of a terminology named as for `load`."""
    named = str(terms) if terms is not None else os.environ.get(VARIABLE)
    return None if named == NONE else load_linker(str(terms) if terms is not None else None)


def load_tagger(model: str | Path | None = None) -> Step:
    """Return the step of a model bundle that finds mentions, without the rest of the pipeline."""
    bundle = load_bundle(Path(model) if model is not None else None)
    return entity_step(Tagger(reader_of(bundle)))


def reader_of(bundle: Bundle) -> Reader:
    """Return the reader of a bundle, with the names of the shipped terminology.

    Those and no others, whatever ids are found in: the model learned what they are worth.
    """
    names = Dictionary(Terminology(shipped_terminology()))
    return Reader(bundle, names.matches, threads=1)


def cores() -> int:
    """Return the number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
