"""BIOSSES: BLUE's split and order, the mean of five annotators, faults by file and line."""

import pytest

from bluered.corpora import load
from bluered.corpora.biosses import HEADER, read_pairs
from bluered.corpora.published_splits import published_ids
from bluered.documents.examples import TextPair
from bluered.errors import CorpusError, FormatError

ROWS = [
    ["1", "Aspirin helps.", " Aspirin is of help. ", "4", "4", "3", "4", "4"],
    ["2", 'Mice are "mice".', "Rats swim.", "0", "1", "0", "0", "0"],
]


def table(*rows: list[str], header: tuple[str, ...] = HEADER) -> str:
    return "".join("\t".join(row) + "\n" for row in (header, *rows))


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_the_score_is_the_mean_and_white_space_is_trimmed(tmp_path, ending, mark) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_bytes((mark + table(*ROWS)).replace("\n", ending).encode())
    first, second = read_pairs(path)
    assert (first.id, first.first, first.second) == ("1", "Aspirin helps.", "Aspirin is of help.")
    assert first.score == pytest.approx(3.8)
    assert (second.first, second.score) == ('Mice are "mice".', pytest.approx(0.2))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([ROWS[0], ROWS[0]], r"pairs.tsv:3: the number 1 of a pair stands twice"),
        ([ROWS[0][:-1]], r"pairs.tsv:2: expected 8 columns, found 7"),
        ([[*ROWS[0][:-1], "5"]], r"pairs.tsv:2: expected a score of 0 to 4, found '5'"),
        ([[*ROWS[0][:-1], ""]], r"pairs.tsv:2: expected a score of 0 to 4, found ''"),
    ],
)
def test_a_fault_is_named_with_its_line(tmp_path, rows, message) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(table(*rows))
    with pytest.raises(FormatError, match=message):
        list(read_pairs(path))


def test_another_table_is_refused(tmp_path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(table(header=("index", "score")))
    with pytest.raises(FormatError, match=r"pairs.tsv:1: expected the columns sentence_id"):
        list(read_pairs(path))


def test_a_part_of_the_corpus_is_refused(place) -> None:
    (place / "biosses").mkdir(parents=True)
    (place / "biosses" / "annotation_pairs_scores.tsv").write_text(table(*ROWS))
    with pytest.raises(CorpusError, match="pair 59 of BLUE's test part is not in the file"):
        list(load("biosses", "test"))


def test_the_published_split_covers_each_pair_once() -> None:
    ids = [name for split in ("train", "dev", "test") for name in published_ids("biosses", split)]
    assert sorted(map(int, ids)) == list(range(1, 101))
    with pytest.raises(CorpusError, match="did you mean 'test'"):
        published_ids("biosses", "tst")


@pytest.mark.parametrize(
    ("split", "count", "first", "tenth", "last"),
    [
        ("train", 64, ("78", 2.2), ("99", 3.2), ("93", 2.0)),
        ("dev", 16, ("88", 0.0), ("24", 1.8), ("2", 3.0)),
        ("test", 20, ("59", 3.0), ("89", 0.2), ("20", 2.0)),
    ],
)
def test_the_real_pairs_come_in_the_published_order(
    data_dir, monkeypatch, split, count, first, tenth, last
) -> None:
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    pairs = [pair for pair in load("biosses", split) if isinstance(pair, TextPair)]
    found = [(pair.id, pair.score) for pair in (pairs[0], pairs[9], pairs[-1])]
    assert len(pairs) == count
    assert found == [first, tenth, last]
