"""An invented corpus and a place for it."""

import hashlib
import io
import zipfile
from pathlib import Path

import pytest

from bluered.corpora.catalog import read_entry
from bluered.corpora.entry import Corpus

TEXT = b"""1|t|BRCA1 in cancer
1|a|We found BRCA1.
1\t0\t5\tBRCA1\tGene\t672
1\t9\t15\tcancer\tDisease\tD009369
1\tAssociation\t672\tD009369\tNovel

"""


@pytest.fixture
def archive() -> bytes:
    """A zip that holds one split with CR LF, and a member that would leave the folder."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as zipped:
        zipped.writestr("Inner/train.txt", TEXT.replace(b"\n", b"\r\n"))
        zipped.writestr("../escaped.txt", "out")
    return stream.getvalue()


@pytest.fixture
def entry(archive, httpserver) -> Corpus:
    """The entry of a corpus that the test's server offers."""
    return read_entry(
        "invented",
        f"""
title = "Invented"
summary = "One document"
version = "1"
home = "https://example.org/"
licence = "CC0"
terms = "none"
access = "open"
citation = {{text = "Nobody 2020", doi = "10.0/0"}}
splits = {{train = "train.txt"}}

[[downloads]]
name = "all.zip"
url = "{httpserver.url_for("/all.zip")}"
sha256 = "{hashlib.sha256(archive).hexdigest()}"

[[files]]
path = "train.txt"
download = "all.zip"
member = "Inner/train.txt"
sha256 = "{hashlib.sha256(TEXT).hexdigest()}"
bytes = {len(TEXT)}
""",
    )


@pytest.fixture
def place(tmp_path, monkeypatch) -> Path:
    """An empty folder that BLUERED_DATA names, with an empty cache beside it."""
    data = tmp_path / "data"
    monkeypatch.setenv("BLUERED_DATA", str(data))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    return data
