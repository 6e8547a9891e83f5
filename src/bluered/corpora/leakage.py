"""Which texts of a test split a model has seen in training, by what its card says of its training.

Compared are the texts where both corpora are on this machine; else the table that comes with
BlueRED answers (shared_documents.tsv: what `bluered corpora overlap --list` prints of the open
corpora).
"""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

from msgspec import Struct

from bluered.corpora.catalog import catalog, corpus
from bluered.corpora.entry import Corpus
from bluered.corpora.locate import counted_splits, missing
from bluered.corpora.overlap import overlaps
from bluered.corpora.texts import Part, split_part

TABLE = "shared_documents.tsv"
COVERED = ("biored", "bc5cdr", "chemprot", "ddi", "hoc", "biosses")
"""The corpora of the table, in the order in which the command was given them."""


class Leak(Struct, frozen=True):
    """What a split that was trained on shares with the test split: the ids of the test's texts.

    `source` says how that is known; "nothing" where it is not, because the corpus is neither on
    this machine nor in the table, or in no catalogue.
    """

    trained_on: str
    texts: tuple[str, ...]
    source: Literal["texts", "table", "nothing"]


def leaks(test: Corpus, split: str, trained_on: Sequence[str]) -> list[Leak]:
    """Return for each part that was trained on ("biored:train", "bc5cdr") what the test shares."""
    known = catalog()
    found: list[Leak] = []
    here: list[tuple[str, Corpus, str]] = []
    for name in dict.fromkeys(each for given in trained_on for each in _splits(given, known)):
        owner, _, part = name.partition(":")
        entry = known.get(owner)
        if entry is None or part not in entry.splits:
            found.append(Leak(name, (), "nothing"))
        elif missing(entry) or missing(test):
            found.append(_from_table(f"{test.name}:{split}", name))
        else:
            here.append((name, entry, part))
    if here:
        tested = split_part(test, split)
        trained = [split_part(entry, part) for _, entry, part in here]
        found += _from_texts(tested, trained)
    return found


def _splits(given: str, known: dict[str, Corpus]) -> Iterator[str]:
    """Yield the splits that a model card names; a corpus alone stands for all of its splits."""
    if given in known:
        yield from (f"{given}:{split}" for split in counted_splits(known[given]))
    else:
        yield given


def _from_texts(tested: Part, trained: Sequence[Part]) -> Iterator[Leak]:
    for overlap in overlaps([tested], trained):
        if overlap.second == tested.name:  # trained on the test itself: all of it
            texts = tested.ids
        else:
            texts = tuple(dict.fromkeys(match.first for match in overlap.matches))
        yield Leak(overlap.second, texts, "texts")


def _from_table(test: str, name: str) -> Leak:
    covered = {f"{entry}:{split}" for entry in COVERED for split in corpus(entry).splits}
    if test not in covered or name not in covered or test == name:
        return Leak(name, (), "nothing")
    return Leak(name, shared_ids().get((test, name), ()), "table")


@cache
def shared_ids() -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the ids of a split's texts that another split shares, by the names of the two."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    content = files("bluered.corpora").joinpath(TABLE).read_text("utf-8")
    for line in content.splitlines()[1:]:
        first, first_id, second, second_id, *_ = line.split("\t")
        found.setdefault((first, second), {})[first_id] = None
        found.setdefault((second, first), {})[second_id] = None
    return {names: tuple(ids) for names, ids in found.items()}
