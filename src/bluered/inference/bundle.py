"""A model bundle: the folder that holds everything a model needs to run.

    bundle.json       what this file describes: names, types, windows, thresholds, checksums
    tokenizer.json    the tokenizer, as the `tokenizers` library writes it
    reader.onnx       ids, first, last, characters, names -> emissions, states (no padding)
    pairs.onnx        hidden, names, pairs, zones, features -> types, novelty, attention
    words.npy         (BUCKETS, 1 + types + 2), what the words around a pair say of it
    README.md         the model card

The layout is frozen: a change of meaning raises `layout`.
"""

import hashlib
from importlib.resources import files
from pathlib import Path

import msgspec
from msgspec import Struct

from bluered.errors import ModelError
from bluered.metrics.calibration import Scaling

LAYOUT = 3
SETTINGS = "bundle.json"
FILES = ("tokenizer.json", "reader.onnx", "pairs.onnx", "words.npy")
CARD = "README.md"


class TaggerSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tagger's types, its CRF: (tags,), (tags,), (from, to), and what confidences stand for."""

    types: tuple[str, ...]
    confidence: Scaling
    starts: tuple[float, ...]
    ends: tuple[float, ...]
    transitions: tuple[tuple[float, ...], ...]


class RelationSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The relation types (the graph's type 0 is none) and the least probability of any.

    `confidence` makes of the probability of a type how likely a relation that is told is right,
    `novelty` the same of the probability of its novelty. `words` is the share of the scores that
    the words beside the reader have.
    """

    types: tuple[str, ...]
    threshold: float
    words: float
    confidence: Scaling
    novelty: Scaling


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`bundle.json`. `trained_on` names corpora and splits, for checks of overlap with tests.

    Texts are read in windows of `window` pieces of which two share `overlap`.
    """

    layout: int
    name: str
    version: str
    licence: str
    trained_on: tuple[str, ...]
    window: int
    overlap: int
    tagger: TaggerSettings
    relations: RelationSettings
    sha256: dict[str, str]


class _Layout(Struct):
    """What is looked at first: other layouts have other fields."""

    layout: int


class Bundle(Struct, frozen=True):
    """An opened bundle: its folder and settings. `sha256` identifies the whole model."""

    folder: Path
    settings: Settings
    sha256: str

    @property
    def name(self) -> str:
        """The model's name and version, as printed with every score."""
        return f"{self.settings.name}-{self.settings.version}"

    @property
    def card(self) -> str:
        """The model card, in Markdown; empty where there is none."""
        path = self.folder / CARD
        return path.read_text(encoding="utf-8") if path.is_file() else ""


def shipped_folder() -> Path:
    """Return the folder of the model that ships in the package."""
    return Path(str(files("bluered.inference"))) / "assets"


def load_bundle(folder: Path | None = None, *, verify: bool = False) -> Bundle:
    """Open a bundle (the shipped one for None) or raise ModelError saying what is wrong with it.

    `verify` also checks every file against its checksum.
    """
    folder = shipped_folder() if folder is None else folder
    path = folder / SETTINGS
    if not path.is_file():
        raise ModelError(f"no model bundle at {folder}: expected a folder with {SETTINGS}")
    content = path.read_bytes()
    try:
        layout = msgspec.json.decode(content, type=_Layout).layout
        if layout != LAYOUT:
            raise ModelError(
                f"{path}: bundle layout {layout}, but this version reads {LAYOUT} "
                "(use a bundle made for it, or another version of bluered)"
            )
        settings = msgspec.json.decode(content, type=Settings)
    except msgspec.DecodeError as error:
        raise ModelError(f"{path}: {error}") from None
    for name in FILES:
        if not (folder / name).is_file():
            raise ModelError(f"{folder}: the bundle lacks {name} (fetch or export it again)")
        if verify and checksum(folder / name) != settings.sha256.get(name):
            raise ModelError(f"{folder / name}: the checksum differs from the one in {SETTINGS}")
    return Bundle(folder, settings, hashlib.sha256(content).hexdigest())


def checksum(path: Path) -> str:
    """Return the sha256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
