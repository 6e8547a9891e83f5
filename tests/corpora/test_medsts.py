"""MedSTS: the distribution, its scores in a file of their own, and BLUE's derived tables."""

import pytest

from bluered.corpora import load
from bluered.corpora.catalog import corpus
from bluered.corpora.medsts import read
from bluered.corpora.source import Source
from bluered.errors import CorpusError, FormatError


def pairs(split, *paths):
    return list(read(Source(corpus("medsts"), split, paths)))


@pytest.fixture
def folder(invented):
    return invented("medsts")


def test_test_pairs_get_the_scores_of_the_other_file(folder) -> None:
    found = pairs("test", folder / "clinicalSTS.test.txt", folder / "clinicalSTS.test.gs.sim.txt")
    assert [(p.id, p.score) for p in found] == [("0", 5.0), ("1", 0.0), ("2", 1.75)]
    assert (found[1].first, found[1].second) == (
        "The paper boat sinks.",
        "The wooden train sleeps.",
    )


def test_scores_in_the_last_column_of_a_table_are_read_too(folder) -> None:
    gold = folder / "clinicalSTS.test.gs.txt"
    gold.write_text("A tin bird\tA bird\t5.0\nB\tB\t0\nC\tC\t1.75\n")
    found = pairs("test", folder / "clinicalSTS.test.txt", gold)
    assert [p.score for p in found] == [5.0, 0.0, 1.75]


def test_own_splits_divide_the_training_pairs_by_a_fixed_rule(folder) -> None:
    path = folder / "clinicalSTS.train.txt"
    development, training = pairs("own-dev", path), pairs("own-train", path)
    assert [p.id for p in development] == ["9", "19"]
    assert len(training) == 18
    assert not {p.id for p in training} & {p.id for p in development}


def test_a_quotation_mark_is_a_sign_of_the_text(folder) -> None:
    found = pairs("own-train", folder / "clinicalSTS.train.txt")
    assert found[3].first == 'The "toy drum hums in the attic.'


def test_blues_tables_give_the_same_pairs(folder, invented) -> None:
    tables = invented("medsts_blue")
    original = pairs("train", folder / "clinicalSTS.train.txt")
    derived = pairs("train", tables / "train.tsv") + pairs("dev", tables / "dev.tsv")
    assert sorted(derived, key=lambda p: int(p.id)) == original
    both = tables / "test.tsv"
    files = folder / "clinicalSTS.test.txt", folder / "clinicalSTS.test.gs.sim.txt"
    assert pairs("test", both, both) == pairs("test", *files)


def test_without_blues_tables_there_is_no_dev_but_own_dev(place, folder) -> None:
    folder.rename(place.parent / "medsts")
    place.mkdir()
    (place.parent / "medsts").rename(place / "medsts")
    assert len(list(load("medsts", "own-dev"))) == 2
    with pytest.raises(
        CorpusError, match=r"dev\.tsv .* own-dev, which are BlueRED's and not BLUE's"
    ):
        load("medsts", "dev")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("clinicalSTS.train.txt", "a secret\tanother", r"train\.txt:1: expected 3 columns .* 2"),
        ("clinicalSTS.train.txt", "a\tb\t3\na secret\tb\thigh", r"train\.txt:2: .* from 0 to 5"),
        ("clinicalSTS.train.txt", "a secret\tb\t5.5", r"train\.txt:1: .* from 0 to 5"),
        ("clinicalSTS.train.txt", "a secret\tb\tnan", r"train\.txt:1: .* from 0 to 5"),
        ("train.tsv", "index\ta\tb\ts\n1\ta\tb\t1\n1\ta secret\tb\t2", r"train\.tsv:3: the id"),
        ("train.tsv", "1\ta secret\tb\t3.5\n2\ta\tb\t1", r"train\.tsv:1: expected a header"),
        ("train.tsv", "index\ta\tb\n1\ta secret\tb\n", r"train\.tsv:1: .* 4 columns, found 3"),
        ("train.tsv", 'i\ta\tb\ts\n1\t"a secret\tb\t1\n2\ta\tb\t1', r"train\.tsv:2: a quotation"),
    ],
)
def test_a_fault_is_told_by_file_and_line_without_the_text(folder, name, content, message) -> None:
    (folder / name).write_text(content)
    with pytest.raises(FormatError, match=message) as caught:
        pairs("train", folder / name)
    assert "secret" not in str(caught.value)


def test_too_few_scores_are_counted(folder) -> None:
    gold = folder / "clinicalSTS.test.gs.sim.txt"
    gold.write_text("5.0\n0\n")
    with pytest.raises(
        FormatError, match=r"gs\.sim\.txt: expected a score for each of the 3 pairs"
    ):
        pairs("test", folder / "clinicalSTS.test.txt", gold)


def test_text_that_is_not_utf8_is_told_by_its_place(folder) -> None:
    path = folder / "clinicalSTS.train.txt"
    path.write_bytes(b"a\tb\t3\na s\xe9cret\tb\t3\n")
    with pytest.raises(
        FormatError, match=r"train\.txt:2: byte 10 of the file is not UTF-8"
    ) as caught:
        pairs("own-train", path)
    assert "cret" not in str(caught.value)
