"""The catalogue: complete, consistent, and strict about its keys."""

import pytest

from bluered.corpora import load
from bluered.corpora.catalog import catalog, corpus, read_entry, split_files
from bluered.corpora.counts import TOTAL
from bluered.corpora.layouts import LAYOUTS
from bluered.errors import CorpusError

ENTRY = """
title = "Invented"
summary = "Two documents"
version = "1"
home = "https://example.org/"
licence = "CC0"
terms = "none"
access = "open"

[citation]
text = "Nobody 2020"
doi = "10.0/0"

[splits]
train = "train.txt"

[[downloads]]
name = "all.zip"
url = "https://example.org/all.zip"

[[files]]
path = "train.txt"
download = "all.zip"
member = "inner/train.txt"
sha256 = "00"
bytes = 3

[counts.train]
documents = 2
"""


def test_an_entry_is_read() -> None:
    entry = read_entry("invented", ENTRY)
    assert entry.counts["train"].documents == 2
    assert split_files(entry, "train")[0].member == "inner/train.txt"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('version = "1"', 'verson = "1"', "verson"),
        ("documents = 2", "docs = 2", "docs"),
        ('access = "open"', 'access = "free"', "access"),
        ('train = "train.txt"', 'train = "test.txt"', "unknown file 'test.txt'"),
        ('download = "all.zip"', 'download = "none.zip"', "unknown download 'none.zip'"),
        ('path = "train.txt"', 'path = "../train.txt"', "leaves the corpus's folder"),
        ('name = "all.zip"', 'name = "/all.zip"', "leaves the corpus's folder"),
        ("[counts.train]", "[counts.tarin]", "unknown split 'tarin'"),
        ("[citation]", "[citation", "invented.toml"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(old, new, message) -> None:
    with pytest.raises(CorpusError, match=message):
        read_entry("invented", ENTRY.replace(old, new))


def test_every_corpus_has_a_loader_counts_and_a_citation() -> None:
    assert {entry.layout for entry in catalog().values()} <= set(LAYOUTS)
    for entry in catalog().values():
        if entry.access == "agreement":  # of these no copy could be counted or hashed
            assert entry.obtain
            assert set(entry.counts) | {s for total in entry.sums for s in total.splits}
            assert not any(file.sha256 for file in entry.files)
        else:
            assert set(entry.counts) == {*entry.splits, TOTAL}
            assert all(len(file.sha256) == 64 for file in entry.files)
        assert entry.citation.text
        assert not entry.citation.doi or entry.citation.doi.startswith("10.")
        assert all(download.url.startswith("https://") for download in entry.downloads)


def test_unknown_names_are_answered_with_near_ones() -> None:
    with pytest.raises(CorpusError, match=r"no corpus 'biorde'; did you mean 'biored'"):
        corpus("biorde")
    with pytest.raises(CorpusError, match=r"did you mean 'train'\?"):
        load("biored", "trian")
