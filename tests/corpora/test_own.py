"""A corpus of the user's own: few keys suffice, and every fault is named with file and line."""

import os

import pytest

from bluered.corpora import load
from bluered.corpora.added import Added, notes, remember
from bluered.corpora.catalog import broken, catalog, corpus, task, tasks
from bluered.corpora.own import read_own
from bluered.errors import CorpusError, FormatError

PAIRS = "id\tfirst\tsecond\tscore\n1\tMice run.\tRats run.\t3.5\n2\tA cat.\tA dog.\t0\n"
SHORT = """[splits]
train = "train.tsv"
test = "test.tsv"

[task]
type = "sentence-similarity"
"""
LONG = """name = "beasts"
title = "Beasts"
version = "2.1"
licence = "CC0-1.0"
layout = "table"
citation = "Nobody A. Beasts. 2020"

[splits]
train = "train.tsv"
test = "test.tsv"

[columns]
first = "first"
second = "second"

[tasks.beasts-similarity]
type = "sentence-similarity"
metric = "pearson"
published = [
  {system = "guess", score = 12.5, source = "Nobody 2020"},
]
"""
MENTIONS = """name = "cells"
format = "pubtator"

[splits]
test = "test.txt"

[task]
type = "named-entities"
entity_types = ["Cell", "Gene"]
"""
PUBTATOR = "1|t|HeLa cells\n1|a|None.\n1\t0\t4\tHeLa\tCell\n\n"


@pytest.fixture
def data(tmp_path, place):
    """A folder with two splits of a table and one of documents."""
    folder = tmp_path / "mine"
    folder.mkdir()
    for split in ("train", "test"):
        (folder / f"{split}.tsv").write_text(PAIRS)
    (folder / "test.txt").write_text(PUBTATOR.replace("Cell\n", "Cell\t-\n"))
    return folder


def own(folder, text, name="my-pairs.toml"):
    (folder / name).write_text(text)
    return read_own(folder / name)


def test_two_tables_are_enough(data) -> None:
    entry = own(data, SHORT)
    assert (entry.name, entry.title, entry.layout) == ("my-pairs", "my-pairs", "table")
    assert list(entry.tasks) == ["my-pairs"]
    assert entry.tasks["my-pairs"].metric == "pearson"


def test_everything_may_be_said(data) -> None:
    entry = own(data, LONG)
    assert (entry.name, entry.version, entry.citation.text) == (
        "beasts",
        "2.1",
        "Nobody A. Beasts. 2020",
    )
    assert entry.tasks["beasts-similarity"].published[0].score == 12.5


def test_documents_are_read_by_their_format(data) -> None:
    text = MENTIONS.replace(', "Gene"', "")
    assert own(data, text).layout == "annotated"
    with pytest.raises(CorpusError, match=r"my-pairs.toml:9: no mention of type 'Gene'; did you"):
        own(data, MENTIONS)


def test_what_was_added_is_known_by_name(data) -> None:
    entry = own(data, LONG)
    path = data / "my-pairs.toml"
    assert "beasts-similarity" not in tasks()
    remember(entry.name, Added(str(data), str(path)))
    assert corpus("beasts") == entry
    assert task("beasts-similarity").corpus == entry
    assert [pair.id for pair in load("beasts", "test")] == ["1", "2"]
    assert own(data, LONG) == entry  # adding it again is no clash
    path.write_text(LONG.replace('"beasts"', '"other"'))
    with pytest.raises(CorpusError, match=r"'beasts' cannot .* now calls itself 'other'"):
        corpus("beasts")
    path.write_text("name =")
    assert task("bc5cdr-disease").corpus.name == "bc5cdr"
    with pytest.raises(CorpusError, match=r"no task 'beasts-similarity'.*toml:1: not valid TOML"):
        task("beasts-similarity")
    path.unlink()
    with pytest.raises(CorpusError, match=r"corpora remove beasts` forgets it"):
        corpus("beasts")


def test_a_corpus_that_is_broken_is_not_in_the_way_of_others(data) -> None:
    own(data, SHORT.replace("[task]", "[tasks.fine]"), "good.toml")
    remember("good", Added(str(data), str(data / "good.toml")))
    remember("gone", Added(str(data), str(data / "gone.toml")))
    (notes() / "medsts.json").write_text("{")
    assert "good" in catalog()
    assert "gone" not in catalog()
    assert list(broken()) == ["medsts", "gone"]
    assert task("fine").corpus.name == "good"
    assert own(data, SHORT).name == "my-pairs"
    for name in ("gone", "medsts"):
        with pytest.raises(CorpusError, match=rf"corpora remove {name}`"):
            load(name, "test")


def test_a_task_that_two_corpora_came_to_give_is_refused(data) -> None:
    for name in ("one", "two"):
        own(data, SHORT, f"{name}.toml")
        remember(name, Added(str(data), str(data / f"{name}.toml")))
    changed = SHORT.replace("[task]", "[tasks.two]")
    (data / "one.toml").write_text(changed)
    with pytest.raises(CorpusError, match=r"the task 'two' is one of 'one' and 'two'"):
        task("two")
    for name, other in (("one", "two"), ("two", "one")):
        with pytest.raises(CorpusError, match=rf"the task 'two' is one of {other}"):
            read_own(data / f"{name}.toml")
    (data / "one.toml").write_text(SHORT.replace("[task]", "[tasks.hoc]"))
    assert task("hoc").corpus.name == "hoc"


def test_a_byte_order_mark_does_not_matter(data) -> None:
    own(data, "\ufeff" + SHORT)
    remember("my-pairs", Added(str(data), str(data / "my-pairs.toml")))
    assert corpus("my-pairs").title == "my-pairs"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('version = "2.1"', 'verson = "2.1"', r":3: no key 'verson'; did you mean 'version'\?"),
        ('version = "2.1"', "version = 2.1", r":3: `version`: Expected `str`, got `float`"),
        ('layout = "table"', 'layout = "tabel"', r":5: no layout 'tabel'; did you mean 'table'"),
        ('layout = "table"', 'format = "pubtater"', r":5: no format 'pubtater'; .* 'pubtator'"),
        ('layout = "table"', 'access = "free"', r":5: no access 'free'; did you mean"),
        ('"pearson"', '"pearsson"', r":18: no metric 'pearsson'; did you mean 'pearson'\?"),
        ('"pearson"', '"accuracy"', r":18: the metric accuracy does not suit sentence-simil"),
        ('"sentence-similarity"', '"similarity"', r":17: no type 'similarity'; did you mean"),
        (
            '"sentence-similarity"\nmetric = "pearson"',
            '"named-entities"',
            r":17: beasts: a table is read for tasks of one type",
        ),
        (
            '"sentence-similarity"\nmetric = "pearson"',
            '"inference"',
            r":9: .*train.tsv:1: no column 'label'; did you",
        ),
        ('type = "sentence-similarity"\n', "", r":16: the key `type` is missing in \[tasks.beasts"),
        ("[columns]", "[colums]", r":12: no key 'colums'; did you mean 'columns'"),
        ('first = "first"', 'frist = "first"', r":13: no key 'frist'; .* 'first'\? \(\[columns\]"),
        ('second = "second"', 'second = "secnd"', r":14: .*train.tsv:1: no column 'secnd'; did"),
        ("score = 12.5", "scoer = 12.5", r":20: no key 'scoer'; did you mean 'score'"),
        ("score = 12.5", 'score = "high"', r":20: `score`: Expected `float`, got `str`"),
        ('test = "test.tsv"', 'test = "tset.tsv"', r":10: no file 'tset.tsv' in .*'test.tsv'\?"),
        ('test = "test.tsv"', "test = 1", r":10: `test`: Expected"),
        ('test = "test.tsv"', 'test = "../test.tsv"', r":10: '../test.tsv' leaves the corpus's f"),
        ('"beasts"', '"hoc"', r":1: the name 'hoc' is that of a corpus of BlueRED's"),
        ('"beasts"', '"Beasts!"', r":1: the name 'Beasts!' must be of a-z"),
        ("[tasks.beasts-similarity]", "[tasks.hoc]", r":16: the task 'hoc' is one of hoc"),
        ("[tasks.beasts-similarity]", "[task]\n[tasks.x]", r":16: both \[task\] and \[tasks\]"),
        ("[splits]", "[splits", r":8: not valid TOML"),
        ('metric = "pearson"', "counts = {dev = 1}", r":18: .*counts of the unknown split 'dev'"),
    ],
)
def test_a_fault_is_named_with_its_line(data, old, new, message) -> None:
    text = LONG.replace(old, new, 1)
    assert text != LONG
    with pytest.raises(CorpusError, match=r"my-pairs.toml" + message):
        own(data, text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SHORT.replace("[splits]", "[split]"), r"toml:1: no key 'split'; did you mean 'splits'"),
        ('[task]\ntype = "inference"\n', r"toml: the key `splits` is missing"),
        ('[splits]\n[task]\ntype = "inference"\n', r"toml:1: there is no split"),
        ('[splits]\ntrain = "train.tsv"\n', r"toml: there is no task: add \[task\] with a type"),
        (SHORT.replace("type", "tpye"), r"toml:6: no key 'tpye'; .* 'type'\? \(\[task\]\)"),
        (SHORT.replace('"sentence-similarity"', "3"), r"toml:6: `type`: Expected `str`, got `int`"),
        (SHORT.replace("sentence-similarity", "document-relations"), r"toml:6: document-relations"),
        ('splits = "train.tsv"\n', r"toml:1: `splits`: Expected `table`, got `str`"),
        ("task = 1\n[splits]\n", r"toml:1: `task`: expected one table with keys, \[task\]"),
        (SHORT.replace("[task]", "[[task]]"), r"toml:5: `task`: expected one table with keys"),
        (SHORT.replace('"sentence-similarity"', '["inference"]'), r"toml:6: `type`: Expected"),
        (SHORT.replace("[task]\ntype", "[task.type]\na"), r"toml:5: `type`: Expected"),
        ('name = ["a"]\n' + SHORT, r"toml:1: `name`: Expected `str`, got `array`"),
        (SHORT.replace('"test.tsv"', "[]"), r"toml:3: split 'test' names no file"),
        (SHORT.replace("test.tsv", ""), r"toml:3: split 'test' names no file"),
        ('name = "blue"\n' + SHORT, r"toml:1: the name 'blue' means all tasks of BLUE"),
        (SHORT.replace("[task]", "[tasks.blue]"), r"toml:5: the name 'blue' means all tasks"),
        (f'name = "{101 * "a"}"\n{SHORT}', r"toml:1: the name 'a.* must be .* 100 at most"),
        (SHORT + 'labels = ["p"]\n', r"toml:7: sentence-similarity has no labels"),
        (SHORT + 'negative = "p"\n', r"toml:7: sentence-similarity has no labels"),
        (SHORT + "counts = { test = -3 }\n", r"toml:7: expected 0 or more, found -3"),
        (SHORT + "[counts.test]\npairs = -1\n", r"toml:8: expected 0 or more, found -1"),
        (
            SHORT + 'published = [{ system = "x", score = nan, source = "y" }]\n',
            r"toml:7: expected a number, found nan",
        ),
        (
            SHORT.replace("sentence-similarity", "inference") + 'labels = ["p", "q", "p"]\n',
            r"toml:7: the label 'p' stands twice",
        ),
        (
            SHORT.replace("sentence-similarity", "inference") + 'labels=["p"]\nnegative="p"\n',
            r"toml:8: 'p' is one of `labels` too",
        ),
        (
            SHORT.replace("sentence-similarity", "inference") + 'labels = "yes"\n',
            r"toml:7: `labels`: Expected `array`, got `str`",
        ),
        (
            'layout = "annotated"\n' + SHORT,
            r"toml:7: sentence-similarity is read with layout = .table.",
        ),
        (
            'format = "pubtator"\n' + SHORT.replace("sentence-similarity", "relation-extraction"),
            r"toml:6: relations from annotated documents need `examples`",
        ),
    ],
)
def test_a_fault_of_a_short_entry_is_named_too(data, text, message) -> None:
    with pytest.raises(CorpusError, match=message):
        own(data, text)


def test_a_layout_that_gives_other_data_than_the_task_wants_is_refused(data, invented) -> None:
    table = "index\tsentence\tlabels\n1_s0\tA b.\tresisting cell death\n"
    (data / "test.tsv").write_text(table)
    hoc = 'layout = "hoc"\n[splits]\ntest = "test.tsv"\n[task]\ntype = "document-classification"\n'
    assert own(data, hoc).layout == "hoc"
    with pytest.raises(CorpusError, match=r"toml:5: .* document-classification, not for inference"):
        own(data, hoc.replace("document-classification", "inference"))
    notes = invented("shareclef")
    text = MENTIONS.replace('format = "pubtator"', 'layout = "shareclef"').replace("named-ent", "@")
    text = text.replace('"test.txt"', '["Task1TestSetCorpus100", "Task1Gold_SN2012"]')
    text = text.replace('["Cell", "Gene"]', "[]")
    assert own(notes, text.replace("@", "named-ent")).layout == "shareclef"
    with pytest.raises(CorpusError, match=r"toml:7: relations from annotated .* need `examples`"):
        own(notes, text.replace("@ities", "relation-extraction"))
    with pytest.raises(CorpusError, match=r"toml:8: .* named-entities and .*, not for inference"):
        own(notes, text.replace("@ities", "inference"))


@pytest.mark.parametrize(
    ("layout", "files"),
    [
        ("i2b2-2010", '"test.tsv"'),
        ("shareclef", '"test.tsv"'),
        ("mednli", '["test.tsv", "train.tsv"]'),
        ("medsts", '["test.tsv", "train.tsv", "test.txt"]'),
        ("chemprot", '"test.tsv"'),
    ],
)
def test_a_layout_says_which_files_it_wants(data, layout, files) -> None:
    text = f'layout = "{layout}"\n' + SHORT.replace('"test.tsv"', files)
    text = text.replace('train = "train.tsv"\n', "")
    with pytest.raises(CorpusError, match=rf"toml:3: .* the layout {layout} wants .*; found \d"):
        own(data, text)


def test_files_that_hold_nothing_or_are_none_are_refused(data) -> None:
    (data / "folder.tsv").mkdir()
    with pytest.raises(FormatError, match=r"folder.tsv: expected a file, found a directory"):
        own(data, SHORT.replace("train.tsv", "folder.tsv"))
    (data / "test.tsv").write_text("index\tsentence\tlabels\n")
    hoc = 'layout = "hoc"\n[splits]\ntest = "test.tsv"\n[task]\ntype = "document-classification"\n'
    with pytest.raises(CorpusError, match=r"toml:3: .*test.tsv hold nothing for test"):
        own(data, hoc)
    (data / "test.tsv").unlink()
    os.mkfifo(data / "test.tsv")
    with pytest.raises(CorpusError, match=r"toml:3: .* is neither a file nor a folder"):
        own(data, SHORT)


def test_columns_by_number_mean_that_there_is_no_header(data) -> None:
    text = SHORT + "[columns]\nfirst = 1\nsecond = 2\nscore = 3\n"
    with pytest.raises(FormatError, match=r"train.tsv:1: .*\(all \[columns\] are numbers"):
        own(data, text)


def test_a_bad_row_is_named_when_the_corpus_is_read(data) -> None:
    (data / "test.tsv").write_text(PAIRS.replace("3.5", "much"))
    with pytest.raises(FormatError, match=r"test.tsv:2: expected a number as `score`"):
        own(data, SHORT)
    (data / "test.txt").write_text(2 * PUBTATOR.replace("Cell\n", "Cell\t-\n"))
    with pytest.raises(FormatError, match=r"document 1: .*before"):
        own(data, MENTIONS)


def test_a_name_that_another_file_has_is_refused(data) -> None:
    remember("beasts", Added(str(data), str(data / "elsewhere.toml")))
    (data / "elsewhere.toml").write_text(LONG)
    with pytest.raises(CorpusError, match=r"toml:1: .*is taken by .*elsewhere.toml"):
        own(data, LONG)
    renamed = LONG.replace('"beasts"', '"birds"', 1)
    with pytest.raises(CorpusError, match=r"toml:16: the task 'beasts-similarity' is one of beas"):
        own(data, renamed)


def test_a_file_that_is_not_text_is_told(data) -> None:
    (data / "my-pairs.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(CorpusError, match="not UTF-8"):
        read_own(data / "my-pairs.toml")
    with pytest.raises(CorpusError, match="no such file"):
        read_own(data / "nothing.toml")
