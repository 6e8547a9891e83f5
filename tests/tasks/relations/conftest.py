"""The rows BLUE released, which are what the examples are compared with."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

Row = tuple[str, str, str]


@pytest.fixture
def released(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[Row]]:
    """Give the rows (index, sentence, label) of one of BLUE's files; skips where it is absent."""
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))

    def rows(name: str) -> list[Row]:
        path = data_dir / "blue_preprocessed" / name
        if not path.exists():
            pytest.skip(f"BLUE's own rows are not at {path}")
        with path.open(encoding="utf-8", newline="") as stream:
            table = csv.DictReader(stream, delimiter="\t")
            return [(row["index"], row["sentence"], row["label"]) for row in table]

    return rows
