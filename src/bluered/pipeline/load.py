"""How a model bundle becomes a pipeline."""

import os
from pathlib import Path

from bluered.errors import ModelError
from bluered.inference.bundle import load_bundle
from bluered.inference.relations import Relater
from bluered.inference.tagger import Tagger
from bluered.pipeline.pipeline import Pipeline


def load(model: str | Path | None = None, *, threads: int | None = None) -> Pipeline:
    """Return the pipeline of a model bundle, the shipped one unless a path is given.

    `threads` limits the processor cores used (all of them by default). Each document is computed on
    one core and several documents at a time, which is faster than several cores on one document.
    """
    if threads is not None and threads < 1:
        raise ModelError(f"threads must be 1 or more, not {threads} (None: all cores)")
    threads = threads or _cores()
    bundle = load_bundle(Path(model) if model is not None else None)
    return Pipeline(
        Tagger(bundle, threads=1), Relater(bundle, threads=1), model=bundle.name, threads=threads
    )


def _cores() -> int:
    """Return the number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
