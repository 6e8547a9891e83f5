"""From a finished run of a reader to a bundle: export, quantize, calibrate on dev, the card."""

import logging
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np

from bluered import __version__
from bluered.encoding.wording import BUCKETS
from bluered.errors import ModelError
from bluered.export.calibrate import calibrated
from bluered.export.card import model_card
from bluered.export.onnx import export_pairs, export_reader
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
from bluered.metrics.calibration import Scaling
from bluered.models.encoder import encoder_folder
from bluered.models.reader import Reader
from bluered.models.tokenizer import encoder_tokenizer
from bluered.training.config import AnyRecipe, Recipe
from bluered.training.run import (
    RECIPE,
    RESULT,
    Result,
    all_trained_on,
    load_run,
    read_recipe,
    stages_of,
)
from bluered.training.tagger import chain_of

log = logging.getLogger(__name__)

OVERLAP = 48
"""Pieces that two windows share when a bundle runs; training takes more. Faster, and on dev no
worse."""


def export_bundle(run: Path, target: Path, *, name: str) -> Path:
    """Write the bundle of a reader's run to the folder `target` and return it.

    The threshold is chosen, and confidences are scaled, on the dev documents of the run's task with
    the bundle itself. The folder is put in place when it is complete; one that exists is replaced.
    """
    recipe, model = load_run(run)
    if not isinstance(model, Reader):
        raise ModelError(f"{run} is a run of a {recipe.model}: expected a reader's")
    result = msgspec.json.decode((run / RESULT).read_bytes(), type=Result)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".export-") as made:
        folder = Path(made) / "bundle"
        folder.mkdir()
        _tokenizer(encoder_folder(recipe.encoder), folder / "tokenizer.json")
        _graph(folder / "reader.onnx", lambda path: export_reader(model, path))
        _graph(folder / "pairs.onnx", lambda path: export_pairs(model, path))
        _words(recipe, folder / "words.npy")
        settings = _settings(
            name, model, recipe, result, seen=tuple(all_trained_on(run)), at=folder
        )
        write_settings(folder, settings)
        settings = calibrated(folder, recipe)
        write_settings(folder, settings)
        (folder / CARD).write_text(model_card(settings, recipe, _stages(run)), encoding="utf-8")
        if target.exists():
            shutil.rmtree(target)
        folder.rename(target)
    return target


def _tokenizer(encoder: Path, path: Path) -> None:
    """Put an encoder's tokenizer where the bundle keeps it: as it is, or made of its vocabulary."""
    if (encoder / "tokenizer.json").is_file():
        shutil.copyfile(encoder / "tokenizer.json", path)
    else:
        encoder_tokenizer(encoder).save(str(path))


def _stages(run: Path) -> list[tuple[AnyRecipe, Result]]:
    """Return the stages of a run with what each gave, the first trained first."""
    found = [
        (
            read_recipe(stage / RECIPE, runs=run.parent),
            msgspec.json.decode((stage / RESULT).read_bytes(), type=Result),
        )
        for stage in stages_of(run)
        if (stage / RESULT).is_file()
    ]
    return found[::-1]


def write_settings(folder: Path, settings: Settings) -> None:
    """Write `bundle.json`."""
    encoded = msgspec.json.format(msgspec.json.encode(settings), indent=1)
    (folder / SETTINGS).write_bytes(encoded + b"\n")


def _graph(path: Path, export: Callable[[Path], None]) -> None:
    whole = path.with_suffix(".float.onnx")
    export(whole)
    quantize(whole, path)
    log.info("%s: %.1f MB", path.name, path.stat().st_size / 1e6)
    whole.unlink()


def _words(recipe: Recipe, path: Path) -> None:
    """Copy the words that a recipe names; those of one that names none say nothing."""
    if recipe.words:
        shutil.copyfile(recipe.words, path)
    else:
        np.save(path, np.zeros((BUCKETS, 1 + len(recipe.relations) + 2), dtype=np.float16))


def _settings(
    name: str, model: Reader, recipe: Recipe, result: Result, *, seen: tuple[str, ...], at: Path
) -> Settings:
    chain = chain_of(model.tagger.crf)
    return Settings(
        layout=LAYOUT,
        name=name,
        version=__version__,
        licence="Apache-2.0",
        trained_on=tuple(sorted(set(seen))),
        window=recipe.window,
        overlap=min(OVERLAP, recipe.overlap),
        tagger=TaggerSettings(
            types=recipe.types,
            confidence=Scaling(),
            starts=tuple(chain.starts.tolist()),
            ends=tuple(chain.ends.tolist()),
            transitions=tuple(map(tuple, chain.transitions.tolist())),
        ),
        relations=RelationSettings(
            types=recipe.relations,
            threshold=result.dev["threshold"],
            words=recipe.words_share if recipe.words else 0.0,
            confidence=Scaling(),
            novelty=Scaling(),
        ),
        sha256={file: checksum(at / file) for file in FILES},
    )
