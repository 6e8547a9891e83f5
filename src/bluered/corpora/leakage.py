"""Which texts of a test split a model has seen in training, by what its card says of its training.

Compared are the texts where both corpora are on this machine; else the table that comes with
BlueRED answers (shared_documents.tsv: what `bluered corpora overlap --list` prints of the open
corpora).
"""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Literal

from msgspec import Struct

from bluered.corpora.catalog import catalog, corpus, split_files
from bluered.corpora.entry import Corpus
from bluered.corpora.locate import counted_splits, is_here
from bluered.corpora.overlap import overlaps
from bluered.corpora.texts import Part, Source, read_part, sources, split_part
from bluered.errors import CorpusError

TABLE = "shared_documents.tsv"
COVERED = ("biored", "bc5cdr", "chemprot", "ddi", "hoc", "biosses")
"""The corpora of the table, in the order in which the command was given them."""

NEAR = 0.8
"""How like (difflib's ratio) a name must be to that of a corpus to be taken for a slip."""

FILE = "="
"""Between the name of a part and its file."""

_WITHOUT, _AND = " without ", " and "


class Leak(Struct, frozen=True):
    """What a split that was trained on shares with the test split: the ids of the test's texts.

    `source` says how that is known: "dropped" where they were taken out before training; "nothing"
    where it is not, because the corpus is neither on this machine nor in the table, or in no
    catalogue.
    """

    trained_on: str
    texts: tuple[str, ...]
    source: Literal["texts", "table", "dropped", "nothing"]


def without(name: str, dropped: Sequence[str]) -> str:
    """Return the name of a part that was learned from without the texts of some splits.

    >>> without("bc5cdr:train", ("biored:dev", "biored:test"))
    'bc5cdr:train without biored:dev and biored:test'
    """
    return name + _WITHOUT + _AND.join(dropped)


def whole(name: str) -> str:
    """Return the name of a part without what was dropped from it.

    >>> whole("bc5cdr:train without biored:dev and biored:test")
    'bc5cdr:train'
    """
    return name.partition(_WITHOUT)[0]


def leaks(test: Corpus, split: str, trained_on: Sequence[str]) -> list[Leak]:
    """Return what the test shares with each part that was trained on.

    A part is named "biored:train", "bc5cdr" (all splits), or "NAME=FILE" for any other documents;
    or as `without` names it.
    """
    known = catalog()
    asked = f"{test.name}:{split}"
    found = [Leak(name, (), "dropped") for name in trained_on if asked in _dropped(name)]
    trained_on = [whole(name) for name in trained_on if asked not in _dropped(name)]
    here: list[Source] = []
    test_is_here = is_here(test, split)
    for name in dict.fromkeys(each for given in trained_on for each in _splits(given, known)):
        owner, _, part = name.partition(":")
        entry = known.get(owner)
        if FILE in name and test_is_here:
            here += sources(name)
        elif entry is None or part not in entry.splits:
            found.append(Leak(name.partition(FILE)[0], (), "nothing"))
        elif test_is_here and is_here(entry, part):
            here += sources(name)
        else:
            found.append(_from_table(asked, name))
    if here:
        found += _from_texts(split_part(test, split), [read_part(source) for source in here])
    return found


def check_names(trained_on: Sequence[str]) -> None:
    """Raise CorpusError for what a user cannot have meant: a slip of the pen, a file not here.

    What is in no catalogue may have been trained on all the same, so that only a name that is
    nearly that of a corpus is taken for a slip.
    """
    known = catalog()
    for name in map(whole, trained_on):
        owner, colon, split = name.partition(":")
        if FILE in name:
            sources(name)
        elif owner in known:
            if colon:
                split_files(known[owner], split)
        elif near := _near(owner, known):
            raise CorpusError(
                f"no corpus '{owner}'; did you mean '{near}'? (a corpus of that very name that is "
                "not in the catalogue: NAME=FILE)"
            )


def _near(name: str, known: dict[str, Corpus]) -> str:
    """Return the corpus that a name is nearly that of, or a task of which it is; "" if none."""
    owner = {task: entry.name for entry in known.values() for task in entry.tasks}.get(name)
    near = get_close_matches(name.lower(), known, n=1, cutoff=NEAR)
    return owner or (near[0] if near else "")


def _dropped(name: str) -> list[str]:
    """Return the splits whose texts were taken out of a part."""
    return name.partition(_WITHOUT)[2].split(_AND)


def _splits(given: str, known: dict[str, Corpus]) -> Iterator[str]:
    """Yield the splits that a model card names; a corpus alone stands for all of its splits."""
    if given in known:
        yield from (f"{given}:{split}" for split in counted_splits(known[given]))
    else:
        yield given


def _from_texts(tested: Part, trained: Sequence[Part]) -> Iterator[Leak]:
    for overlap, part in zip(overlaps([tested], trained), trained, strict=True):
        if part.corpus and part.name == tested.name:  # trained on the test itself: all of it
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
