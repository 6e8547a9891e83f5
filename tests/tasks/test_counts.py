"""What there is to find: BLUE's table comes out, or one line says why not."""

import pytest

from bluered.corpora.added import Added, remember
from bluered.corpora.catalog import corpus, task
from bluered.corpora.own import read_own
from bluered.tasks.counts import COUNTED, task_counts, to_find

BLUE = {
    "biosses": {"train": 64, "dev": 16, "test": 20},
    "bc5cdr-disease": {"train": 4182, "dev": 4244, "test": 4424},
    "bc5cdr-chemical": {"train": 5203, "dev": 5347, "test": 5385},
    "ddi": {"train": 2937, "dev": 1004, "test": 979},
    "chemprot": {"train": 4154, "dev": 2416, "test": 3458},
    "hoc": {"train": 1108, "dev": 157, "test": 315},
}
"""The table of BLUE's README, for the open corpora."""


@pytest.mark.parametrize("name", ["biosses", "bc5cdr", "ddi", "chemprot", "hoc"])
def test_blues_table_comes_out_or_the_difference_is_explained(data_dir, monkeypatch, name) -> None:
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    for counts in task_counts(corpus(name)):
        blue = BLUE[counts.task]
        assert {count.split: count.published for count in counts.splits} == blue
        assert list(counts.deviations()) == []
        other = [count.split for count in counts.splits if count.found != blue[count.split]]
        assert bool(other) == bool(counts.difference)
        assert "\n" not in counts.difference
        assert all(split in counts.difference for split in other)


def test_every_type_of_task_has_a_count() -> None:
    assert {task(name).entry.type for name in BLUE} | {"inference"} < set(COUNTED)


TABLES = {
    "sentence-similarity": ("pearson", "first\tsecond\tscore\na\tb\t1\nc\td\t0\n", 2),
    "inference": ("accuracy", "first\tsecond\tlabel\na\tb\tneutral\n", 1),
    "document-classification": (
        "example-f1",
        "id\tdocument\ttext\tlabels\n1\tA\ta\tx,y\n2\tA\tb\tx\n3\tB\tc\t\n",
        1,
    ),
    "relation-extraction": ("micro-f1", "text\tlabel\na\tx\nb\tnone\nc\ty\n", 2),
}


@pytest.mark.parametrize("kind", TABLES)
def test_each_type_counts_what_is_usual_for_it(tmp_path, monkeypatch, kind) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    metric, table, number = TABLES[kind]
    (tmp_path / "dev.tsv").write_text(table)
    described = tmp_path / "invented.toml"
    negative = 'negative = "none"' if kind == "relation-extraction" else ""
    described.write_text(f"""splits = {{dev = "dev.tsv"}}
[task]
type = "{kind}"
metric = "{metric}"
{negative}
counts = {{dev = 7}}
published_counts = {{dev = 8}}
""")
    entry = read_own(described)
    remember("invented", Added(str(tmp_path), str(described)))
    assert to_find(task("invented"), "dev") == number
    (counts,) = task_counts(entry)
    assert (counts.splits[0].found, counts.splits[0].published) == (number, 8)
    assert list(counts.deviations()) == [
        f"invented, dev: {COUNTED[entry.tasks['invented'].type]}: expected 7, found {number}"
    ]
