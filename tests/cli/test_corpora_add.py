"""`bluered corpora add`, `remove` and `validate`: what is accepted, what is refused and why."""

import json
import shutil
import tarfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bluered.cli.main import app
from bluered.corpora import load
from bluered.corpora.added import added
from bluered.corpora.catalog import corpus
from bluered.errors import BlueredError

AGREEMENTS = ("medsts", "mednli", "shareclef", "i2b2-2010")


@pytest.fixture(autouse=True)
def _place(monkeypatch, tmp_path) -> None:
    for variable in ("BLUERED_DATA", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable))


def run(*words: object) -> tuple[int, str, str]:
    """Return the status, what stands on stdout, and on stderr with the error line."""
    done = CliRunner().invoke(app, ["corpora", *map(str, words)])
    error = done.exception
    if error is not None and not isinstance(error, BlueredError | SystemExit):
        raise error
    line = f"bluered: {error}\n" if isinstance(error, BlueredError) else ""
    return done.exit_code, done.stdout, done.stderr + line


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.usefixtures("invented_counts")
@pytest.mark.parametrize("name", AGREEMENTS)
def test_a_good_copy_is_remembered_where_it_lies_and_nothing_is_copied(
    invented, tmp_path, name
) -> None:
    folder = invented(name)
    before = tree(folder)
    status, out, err = run("add", name, folder)
    assert (status, out) == (0, f"{folder}\n")
    assert err.endswith(f"{name}: added, read where it lies; nothing was copied\n")
    assert added()[name].folder == str(folder)
    assert len(list(load(name, "test"))) > 1
    written = {path for path in tree(tmp_path) if not path.startswith("corpora/")}
    assert written == {f"XDG_DATA_HOME/bluered/added/{name}.json"}
    assert tree(folder) == before


@pytest.mark.usefixtures("invented_counts")
def test_the_layout_is_found_in_a_folder_below(invented, tmp_path) -> None:
    folder = invented("shareclef")
    for name in ("mednli", "mednli_blue", "medsts_blue", "medsts"):
        invented(name)
    deeper = tmp_path / "corpora" / "a" / "b"
    deeper.mkdir(parents=True)
    shutil.move(folder, deeper)
    for name, place in (("shareclef", deeper / "shareclef"), ("medsts", folder.parent / "medsts")):
        assert run("add", name, tmp_path)[:2] == (0, f"{place}\n")


@pytest.mark.usefixtures("invented_counts")
def test_archives_are_added_as_they_are(invented) -> None:
    folder = invented("i2b2-2010")
    for part in list(folder.iterdir()):
        with tarfile.open(f"{part}.tar.gz", "w:gz") as tar:
            tar.add(part, part.name)
        shutil.rmtree(part)
    assert run("add", "i2b2-2010", folder)[0] == 0
    assert len(list(load("i2b2-2010", "own-train"))) == 4


@pytest.mark.usefixtures("invented_counts")
def test_blues_own_division_is_used_where_it_is_and_ours_is_called_ours(invented) -> None:
    folder = invented("medsts")
    err = run("add", "medsts", folder)[2]
    assert "own-train and own-dev are BlueRED's own division and not BLUE's" in err
    with pytest.raises(BlueredError, match=r"dev\.tsv of MedSTS is not on this machine"):
        load("medsts", "dev")
    tables = invented("medsts_blue")
    for name in ("train.tsv", "dev.tsv"):
        shutil.copy(tables / name, folder)
    status, _, err = run("add", "medsts", folder)
    assert (status, "own division" in err) == (0, False)
    assert [p.id for p in load("medsts", "dev")] == ["2", "17"]


@pytest.mark.usefixtures("invented_counts")
def test_blues_tables_alone_will_do(invented) -> None:
    assert run("add", "medsts", invented("medsts_blue"))[0] == 0
    assert run("add", "mednli", invented("mednli_bluebert"))[0] == 0
    assert len(list(load("mednli", "train"))) == 4


MISSING = [
    ("medsts", "clinicalSTS.train.txt"),
    ("medsts", "clinicalSTS.test.txt"),
    ("medsts", "clinicalSTS.test.gs.sim.txt"),
    ("mednli", "mli_train_v1.jsonl"),
    ("mednli", "mli_dev_v1.jsonl"),
    ("mednli", "mli_test_v1.jsonl"),
    ("shareclef", "Task1TrainSetCorpus199"),
    ("shareclef", "Task1TrainSetGOLD199knowtatorehost"),
    ("shareclef", "Task1TestSetCorpus100"),
    ("shareclef", "Task1Gold_SN2012"),
    ("i2b2-2010", "concept_assertion_relation_training_data"),
    ("i2b2-2010", "reference_standard_for_test_data"),
    ("i2b2-2010", "test_data"),
]


@pytest.mark.usefixtures("invented_counts")
@pytest.mark.parametrize("anyway", [(), ("--anyway",)])
@pytest.mark.parametrize(("name", "file"), MISSING)
def test_a_partial_copy_is_refused_with_the_file_and_where_to_apply(
    invented, name, file, anyway
) -> None:
    folder = invented(name)
    path = folder / file
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    status, out, err = run("add", name, folder, *anyway)
    assert (status, out) == (1, "")
    assert f"missing: {file}" in err
    assert f"is missing in {folder}" in err
    assert err.splitlines()[-1].endswith(f"; to get it: {corpus(name).obtain}")
    assert added() == {}


@pytest.mark.usefixtures("invented_counts")
@pytest.mark.parametrize(("name", "file"), MISSING)
def test_a_renamed_file_is_named_beside_the_one_that_is_missing(invented, name, file) -> None:
    folder = invented(name)
    (folder / file).rename(folder / f"my_{file}")
    status, _, err = run("add", name, folder)
    assert status == 1
    assert f"missing: {file}" in err
    assert f"unknown in {folder}: my_{file} (give files back the names they came with)" in err


@pytest.mark.usefixtures("invented_counts")
@pytest.mark.parametrize("name", AGREEMENTS)
def test_a_folder_without_the_corpus_is_refused(tmp_path, name) -> None:
    (tmp_path / "empty").mkdir()
    status, _, err = run("add", name, tmp_path / "empty")
    first = next(file for file in corpus(name).files if not file.about).path
    assert status == 1
    assert err.startswith(
        f"bluered: {tmp_path}/empty is not {corpus(name).title}: expected {first}"
    )
    assert corpus(name).obtain in err


INSIDE = [  # a file inside the folders of notes and records
    ("shareclef", "Task1TestSetCorpus100/ALLREPORTS/toy11.txt", "lacks the notes of toy11"),
    ("i2b2-2010", "test_data/0002.txt", "0002.txt missing"),
    ("i2b2-2010", "reference_standard_for_test_data/rel/0001.rel", "0001.rel missing"),
    ("i2b2-2010", "reference_standard_for_test_data/concepts/0001.con", "0001.con missing"),
]


@pytest.mark.usefixtures("invented_counts")
@pytest.mark.parametrize(("name", "file", "message"), INSIDE)
def test_a_note_or_record_that_is_missing_is_refused_even_anyway(
    invented, name, file, message
) -> None:
    folder = invented(name)
    (folder / file).unlink()
    status, _, err = run("add", name, folder, "--anyway")
    assert status == 1
    assert message in err


def _shorten(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[1:]))


COUNTED = [
    ("medsts", ["clinicalSTS.train.txt"], "own-train + own-dev: pairs: expected 20, found 19"),
    ("mednli", ["mli_dev_v1.jsonl"], "dev: pairs: expected 2, found 1"),
    (
        "shareclef",
        ["Task1Gold_SN2012/Gold_SN2012/toy11.txt"],
        "test: tagged mentions: expected 3, found 2",
    ),
    (
        "i2b2-2010",
        ["concept_assertion_relation_training_data/partners/rel/toy_4.rel"],
        "own-train + own-dev: mention relations: expected 6, found 5",
    ),
    (
        "i2b2-2010",
        ["reference_standard_for_test_data/rel/0001.rel"],
        "test: mention relations: TrWP: expected 1, found 0",
    ),
]


@pytest.mark.usefixtures("invented_counts")
@pytest.mark.parametrize(("name", "files", "message"), COUNTED)
def test_a_copy_with_another_count_is_refused_unless_anyway(invented, name, files, message) -> None:
    folder = invented(name)
    for file in files:
        _shorten(folder / file)
    status, out, err = run("add", name, folder)
    assert (status, out, added()) == (1, "", {})
    assert f"count: {message}" in err
    assert err.splitlines()[-1].endswith("; --anyway adds it nevertheless")
    status, out, err = run("add", name, folder, "--anyway")
    assert (status, out) == (0, f"{folder}\n")
    assert f"count: {message}" in err
    assert "warning: the copy differs" in err
    assert list(added()) == [name]


@pytest.mark.usefixtures("invented_counts")
def test_a_training_note_without_gold_is_told_by_the_count(invented) -> None:
    folder = invented("shareclef")
    saved = folder / "Task1TrainSetGOLD199knowtatorehost" / "ALLSAVED"
    (saved / "toy04.txt.knowtator.xml").unlink()
    err = run("add", "shareclef", folder)[2]
    assert "own-train + own-dev: documents: expected 6, found 5" in err


@pytest.mark.parametrize("name", AGREEMENTS)
def test_the_real_counts_are_asked_of_a_real_copy(invented, name) -> None:
    status, _, err = run("add", name, invented(name))
    assert status == 1
    assert "count: " in err
    expected = {"medsts": "expected 318, found 3", "mednli": "expected 1422, found 3"}
    expected |= {"shareclef": "expected 5195", "i2b2-2010": "expected 6293, found 1"}
    assert expected[name] in err


@pytest.mark.usefixtures("invented_counts")
@pytest.mark.parametrize(
    ("name", "file", "old", "new"),
    [
        ("medsts", "clinicalSTS.train.txt", "\t0.7", "\tthe toy secret"),
        ("mednli", "mli_dev_v1.jsonl", '"entailment"', '"the toy secret"'),
        ("shareclef", "Task1Gold_SN2012/Gold_SN2012/toy11.txt", "||26||31", "||the toy secret"),
        (
            "i2b2-2010",
            "concept_assertion_relation_training_data/beth/concept/toy-1.con",
            'c="oil"',
            'c="the toy secret"',
        ),
    ],
)
def test_a_copy_of_other_content_is_refused_and_nothing_of_it_is_quoted(
    invented, caplog, name, file, old, new
) -> None:
    folder = invented(name)
    path = folder / file
    path.write_text(path.read_text().replace(old, new, 1))
    status, out, err = run("add", name, folder, "--anyway")
    assert status == 1
    assert f"unreadable: {path}:" in err
    everything = out + err + caplog.text + run("validate", name, folder, "--json")[1]
    assert "secret" not in everything
    quoted = ("kettle", "humming", "robot", "rusty", "crack", "oil was", "squeaky")
    assert [word for word in quoted if word in everything.lower()] == []


@pytest.mark.usefixtures("invented_counts")
def test_json_says_what_the_lines_say(invented) -> None:
    folder = invented("medsts")
    status, out, err = run("add", "medsts", folder, "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == {
        "corpus": "medsts",
        "folder": str(folder),
        "faults": [],
        "own_splits": ["own-train", "own-dev"],
        "added": True,
    }
    _shorten(folder / "clinicalSTS.train.txt")
    status, out, _ = run("validate", "medsts", folder, "--json")
    report = json.loads(out)
    assert status == 1
    assert {f["kind"] for f in report["faults"]} == {"count"}
    assert "added" not in report


@pytest.mark.usefixtures("invented_counts")
def test_validate_adds_nothing_and_looks_where_the_corpus_was_added(invented) -> None:
    folder = invented("mednli")
    assert run("validate", "mednli", folder)[0] == 0
    assert added() == {}
    status, _, err = run("validate", "mednli")
    assert status == 1
    assert "mli_train_v1.jsonl" in err
    run("add", "mednli", folder)
    assert run("validate", "mednli")[0] == 0
    (folder / "mli_dev_v1.jsonl").unlink()
    assert "mli_dev_v1.jsonl" in run("validate", "mednli")[2]


@pytest.mark.usefixtures("invented_counts")
def test_remove_forgets_and_leaves_the_files(invented) -> None:
    folder = invented("mednli")
    run("add", "mednli", folder)
    before = tree(folder)
    assert run("remove", "mednli")[0] == 0
    assert (added(), tree(folder)) == ({}, before)
    status, _, err = run("remove", "mednli")
    assert (status, err) == (1, "bluered: no corpus 'mednli' to remove: none was added\n")
    run("add", "mednli", folder)
    assert "did you mean 'mednli'" in run("remove", "mednly")[2]


@pytest.mark.usefixtures("invented_counts")
def test_list_and_info_show_what_was_added(invented) -> None:
    folder = invented("shareclef")
    run("add", "shareclef", folder)
    listed = {line.split()[0]: line for line in run("list")[1].splitlines()}
    assert listed["shareclef"].split()[-2:] == ["added", str(folder)]
    assert listed["mednli"].split()[-2:] == ["no", "-"]
    text = run("info", "shareclef")[1]
    assert f"added     from {folder}" in text
    assert "devel_docids.txt: absent" in text
    assert "Task1Gold_SN2012: here" in text
    assert json.loads(run("info", "shareclef", "--json")[1])["added"]["folder"] == str(folder)


@pytest.mark.usefixtures("invented_counts")
def test_stats_count_the_splits_that_are_here(invented) -> None:
    run("add", "i2b2-2010", invented("i2b2-2010"))
    status, out, _ = run("stats", "i2b2-2010", "--json")
    assert status == 0
    report = json.loads(out)
    assert list(report["splits"]) == ["own-train", "own-dev", "test", "total"]
    assert report["differences"] == []


def test_what_was_added_is_not_mixed_with_files_elsewhere(invented, tmp_path) -> None:
    shutil.copytree(invented("medsts"), tmp_path / "BLUERED_DATA" / "medsts")
    folder = tmp_path / "corpora" / "medsts"
    (folder / "clinicalSTS.test.gs.sim.txt").unlink()
    assert "clinicalSTS.test.gs.sim.txt" in run("add", "medsts", folder)[2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["add", "medsts"], "name the folder of MedSTS: bluered corpora add medsts PATH"),
        (["add", "medsst", "/"], "did you mean 'medsts'"),
        (["add", "medsts", "/nowhere"], "there is no /nowhere"),
        (["validate", "medsst"], "did you mean 'medsts'"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(words, message) -> None:
    status, out, err = run(*words)
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert message in err


def test_a_file_that_is_none_of_the_corpus_is_refused(tmp_path) -> None:
    file = tmp_path / "stray.txt"
    file.touch()
    assert f"{file}: no file of MedSTS is called so" in run("add", "medsts", file)[2]


def test_open_corpora_are_validated_by_hash_and_count(data_dir, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    assert run("validate", "biosses")[0] == 0
    copy = tmp_path / "biosses"
    shutil.copytree(data_dir / "biosses", copy)
    path = copy / "annotation_pairs_scores.tsv"
    path.write_bytes(path.read_bytes().replace(b"4", b"3", 1))
    status, _, err = run("validate", "biosses", copy)
    assert status == 1
    assert f"content: {path} is not the published file (sha256 differs)" in err


OWN = """
title = "Kites"
[splits]
train = "kites.tsv"
[task]
type = "sentence-similarity"
counts = { train = 2 }
[columns]
id = "n"
first = "a"
second = "b"
score = "s"
"""


@pytest.fixture
def own(tmp_path) -> Path:
    (tmp_path / "kites.tsv").write_text("n\ta\tb\ts\n1\tup\taloft\t4\n2\tup\tdown\t1\n")
    (tmp_path / "kites.toml").write_text(OWN)
    return tmp_path / "kites.toml"


def test_a_corpus_of_ones_own_is_added_by_its_toml_file(own) -> None:
    assert run("validate", own)[0] == 0
    assert added() == {}
    assert run("add", own)[:2] == (0, f"{own.parent}\n")
    assert added()["kites"].entry == str(own)
    assert len(list(load("kites", "train"))) == 2
    listed = {line.split()[0]: line for line in run("list")[1].splitlines()}
    assert listed["kites"].split()[-2:] == ["added", str(own.parent)]
    assert f"added     from {own.parent}, as {own} describes" in run("info", "kites")[1]
    assert run("validate", "kites")[0] == 0
    assert run("remove", "kites")[0] == 0
    assert own.exists()
    assert "no corpus 'kites'" in run("validate", "kites")[2]


def test_counts_of_ones_own_entry_are_checked(own) -> None:
    own.write_text(OWN.replace("train = 2", "train = 3"))
    status, _, err = run("add", own)
    assert (status, added()) == (1, {})
    assert "kites, train: pairs: expected 3, found 2" in err
    assert run("add", own, "--anyway")[0] == 0


def test_a_fault_of_ones_own_file_is_told_by_line(own) -> None:
    own.write_text(OWN.replace("second =", "secnd ="))
    status, _, err = run("add", own)
    assert status == 1
    assert err.startswith(f"bluered: {own}:11: no key 'secnd'; did you mean 'second'")


def test_a_corpus_of_ones_own_takes_no_path(own) -> None:
    assert "says itself where its files are" in run("add", own, own.parent)[2]
    run("add", own)
    assert "name its TOML file instead" in run("add", "kites", own.parent)[2]
