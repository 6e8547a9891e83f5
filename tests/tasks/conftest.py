"""BioRED's documents and the predictions made of them, read once for all tests."""

from pathlib import Path

import pytest

from bluered.documents.document import Document
from bluered.formats import pubtator

from .perturb import PERTURBATIONS, from_bytes


class Split:
    """The gold of one split, and perturbed copies of it."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        with path.open("rb") as stream:
            self.gold = list(pubtator.read(stream))
        self._made: dict[str, list[Document]] = {}

    def predicted(self, perturbation: str) -> list[Document]:
        if perturbation not in self._made:
            self._made[perturbation] = from_bytes(PERTURBATIONS[perturbation](self.gold))
        return self._made[perturbation]


@pytest.fixture(scope="session", params=["test", "dev"])
def split(request, data_dir: Path) -> Split:
    return Split(request.param, data_dir / "biored" / f"{request.param.capitalize()}.PubTator")
