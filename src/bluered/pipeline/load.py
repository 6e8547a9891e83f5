"""How a model bundle becomes a pipeline."""

from pathlib import Path

from bluered.inference.bundle import load_bundle
from bluered.inference.relations import Relater
from bluered.inference.tagger import Tagger
from bluered.pipeline.pipeline import Pipeline


def load(model: str | Path | None = None, *, threads: int | None = None) -> Pipeline:
    """Return the pipeline of a model bundle, the shipped one unless a path is given.

    `threads` limits the processor cores used (all of them by default).
    """
    bundle = load_bundle(Path(model) if model is not None else None)
    return Pipeline(
        Tagger(bundle, threads=threads), Relater(bundle, threads=threads), model=bundle.name
    )
