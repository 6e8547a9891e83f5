"""From two finished runs to a model bundle: export, quantize, measure on dev, write the card."""

import logging
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from bluered import __version__
from bluered.errors import ModelError
from bluered.export.card import model_card
from bluered.export.onnx import export_encoder, export_pairs, export_tagger
from bluered.export.quantize import quantize
from bluered.inference.bundle import (
    CARD,
    FILES,
    LAYOUT,
    SETTINGS,
    RelationSettings,
    Settings,
    TaggerSettings,
    checksum,
)
from bluered.models.encoder import encoder_folder
from bluered.models.relations import RelationModel
from bluered.models.tagger import Tagger
from bluered.training.config import Recipe
from bluered.training.run import RESULT, Result, load_run, trained_on
from bluered.training.tagger import chain_of

log = logging.getLogger(__name__)

OVERLAP = 48
"""Pieces that two windows share when a bundle runs. On dev no worse than the 128 of training
(mentions 80.2 against 80.0, pairs 70.3 against 70.7, all 32.9 against 31.7), and faster."""


class Source(Struct, frozen=True):
    """A finished run: its recipe and result."""

    recipe: Recipe
    result: Result


def export_bundle(tagger_run: Path, relations_run: Path, target: Path, *, name: str) -> Path:
    """Write the bundle of two runs to the folder `target` and return it.

    The folder is put in place when it is complete; one that exists is replaced.
    """
    tagger_recipe, tagger = load_run(tagger_run)
    relations_recipe, relations = load_run(relations_run)
    if not isinstance(tagger, Tagger) or not isinstance(relations, RelationModel):
        raise ModelError("expected a tagger's run and a relation model's run, in this order")
    if encoder_folder(tagger_recipe.encoder) != encoder_folder(relations_recipe.encoder):
        raise ModelError("the two runs use different tokenizers: a bundle holds one")
    sources = {
        "tagger": Source(tagger_recipe, _result(tagger_run)),
        "relations": Source(relations_recipe, _result(relations_run)),
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".export-") as made:
        folder = Path(made) / "bundle"
        folder.mkdir()
        shutil.copyfile(
            encoder_folder(tagger_recipe.encoder) / "tokenizer.json", folder / "tokenizer.json"
        )
        _graph(folder / "tagger.onnx", lambda path: export_tagger(tagger, path))
        _graph(folder / "encoder.onnx", lambda path: export_encoder(relations, path))
        _graph(folder / "pairs.onnx", lambda path: export_pairs(relations, path))
        settings = _settings(name, tagger, sources, folder)
        encoded = msgspec.json.format(msgspec.json.encode(settings), indent=1)
        (folder / SETTINGS).write_bytes(encoded + b"\n")
        card = model_card(settings, {k: (s.recipe, s.result) for k, s in sources.items()})
        (folder / CARD).write_text(card, encoding="utf-8")
        if target.exists():
            shutil.rmtree(target)
        folder.rename(target)
    return target


def set_threshold(folder: Path, threshold: float) -> None:
    """Give a bundle another least probability for relations (chosen on dev, after quantizing)."""
    settings = msgspec.json.decode((folder / SETTINGS).read_bytes(), type=Settings)
    relations = structs.replace(settings.relations, threshold=threshold)
    encoded = msgspec.json.encode(structs.replace(settings, relations=relations))
    (folder / SETTINGS).write_bytes(msgspec.json.format(encoded, indent=1) + b"\n")


def _result(run: Path) -> Result:
    return msgspec.json.decode((run / RESULT).read_bytes(), type=Result)


def _graph(path: Path, export: Callable[[Path], None]) -> None:
    whole = path.with_suffix(".float.onnx")
    export(whole)
    quantize(whole, path)
    log.info("%s: %.1f MB", path.name, path.stat().st_size / 1e6)
    whole.unlink()


def _settings(name: str, tagger: Tagger, sources: dict[str, Source], folder: Path) -> Settings:
    chain = chain_of(tagger)
    spans, links = sources["tagger"].recipe, sources["relations"].recipe
    return Settings(
        layout=LAYOUT,
        name=name,
        version=__version__,
        licence="Apache-2.0",
        trained_on=tuple(sorted({trained_on(recipe) for recipe in (spans, links)})),
        tagger=TaggerSettings(
            types=spans.types,
            window=spans.window,
            overlap=OVERLAP,
            starts=tuple(chain.starts.tolist()),
            ends=tuple(chain.ends.tolist()),
            transitions=tuple(map(tuple, chain.transitions.tolist())),
        ),
        relations=RelationSettings(
            types=links.types,
            window=links.window,
            overlap=OVERLAP,
            threshold=sources["relations"].result.dev["threshold"],
        ),
        sha256={file: checksum(folder / file) for file in FILES},
    )
