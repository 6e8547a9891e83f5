"""Fixtures shared by all tests."""

import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("BLUERED_DATA", Path(__file__).parents[2] / "shared" / "data"))


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder with the real corpora; skips where there is none."""
    if not (DATA / "biored").is_dir():
        pytest.skip(f"no corpora at {DATA}: set BLUERED_DATA or run `bluered corpora fetch`")
    return DATA
