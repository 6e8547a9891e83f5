"""What a model has seen of a test split: from texts that are here, else from the shipped table."""

from pathlib import Path

import pytest

from bluered.corpora.catalog import corpus
from bluered.corpora.leakage import COVERED, Leak, leaks, shared_ids, without
from bluered.corpora.overlap import overlaps
from bluered.corpora.texts import parts_of
from bluered.reports.leakage import nothing_text
from bluered.reports.overlap import pair_lines


@pytest.fixture
def nothing_here(tmp_path, monkeypatch) -> None:
    for name in ("BLUERED_DATA", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))


@pytest.fixture
def all_here(data_dir, monkeypatch) -> None:
    if absent := [name for name in COVERED if not (data_dir / name).is_dir()]:
        pytest.skip(f"not at {data_dir}: {', '.join(absent)}")
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))


def counts(found: list[Leak]) -> list[tuple[str, int, str]]:
    return [(leak.trained_on, len(leak.texts), leak.source) for leak in found]


def test_the_table_answers_where_the_texts_are_not_here(nothing_here) -> None:
    found = leaks(corpus("biored"), "test", ["bc5cdr:train", "biored:train", "hoc:train"])
    assert counts(found) == [
        ("bc5cdr:train", 10, "table"),
        ("biored:train", 0, "table"),
        ("hoc:train", 0, "table"),
    ]
    assert counts(leaks(corpus("bc5cdr"), "test", ["biored:train"])) == [
        ("biored:train", 53, "table")
    ]


def test_what_nobody_knows_is_said_to_be_unknown(nothing_here) -> None:
    found = leaks(corpus("biored"), "test", ["pubmed", "bc5cdr:trian", "medsts:train"])
    assert [(leak.trained_on, leak.source) for leak in found] == [
        ("pubmed", "nothing"),
        ("bc5cdr:trian", "nothing"),
        ("medsts:train", "nothing"),
    ]


def test_texts_are_compared_where_they_are_here(all_here) -> None:
    found = leaks(corpus("bc5cdr"), "test", ["biored:train", "biored:dev", "pubmed"])
    assert sorted(counts(found)) == [
        ("biored:dev", 16, "texts"),
        ("biored:train", 53, "texts"),
        ("pubmed", 0, "nothing"),
    ]


def test_a_part_without_the_texts_of_the_test_shares_none_with_it(nothing_here) -> None:
    dropped = without("bc5cdr:train", ("biored:dev", "biored:test"))
    other = without("nlm-gene:train", ("biored:dev", "biored:test"))
    assert counts(leaks(corpus("biored"), "test", [dropped, other])) == [
        (dropped, 0, "dropped"),
        (other, 0, "dropped"),
    ]
    only_dev = without("bc5cdr:train", ("biored:dev",))
    assert counts(leaks(corpus("biored"), "test", [only_dev])) == [("bc5cdr:train", 10, "table")]
    assert counts(leaks(corpus("bc5cdr"), "test", [without("biored:train", ("x:y",))])) == [
        ("biored:train", 53, "table")
    ]


def test_a_corpus_alone_stands_for_all_its_splits(all_here) -> None:
    found = leaks(corpus("biored"), "test", ["bc5cdr"])
    assert counts(found) == [
        (f"bc5cdr:{s}", n, "texts")
        for s, n in zip(("train", "dev", "test"), (10, 11, 13), strict=True)
    ]


def test_a_model_trained_on_the_test_has_seen_all_of_it(all_here) -> None:
    assert counts(leaks(corpus("biored"), "test", ["biored:test"])) == [
        ("biored:test", 100, "texts")
    ]


def test_the_table_is_what_the_command_prints(all_here) -> None:
    parts = [part for name in COVERED for part in parts_of(name)]
    path = Path(__file__).parents[2] / "src" / "bluered" / "corpora" / "shared_documents.tsv"
    command = f"bluered corpora overlap {' '.join(COVERED)} --list"
    assert "\n".join(pair_lines(overlaps(parts))) + "\n" == path.read_text("utf-8"), command
    assert ("biored:test", "bc5cdr:train") in shared_ids()


def test_what_was_dropped_is_said_once(nothing_here) -> None:
    names = [
        without(name, ("biored:dev", "biored:test")) for name in ("bc5cdr:train", "nlm-gene:train")
    ]
    found = leaks(corpus("biored"), "test", [*names, "biored:train"])
    assert nothing_text(found) == (
        "nothing shared with bc5cdr:train, nlm-gene:train, biored:train, which the model was "
        "trained on without what stands in this test"
    )
