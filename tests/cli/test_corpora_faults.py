"""`bluered corpora`: a corpus that went wrong stops no other, and what to do is said."""

import json
import os
import shutil

import pytest
from typer.testing import CliRunner

from bluered.cli.main import app
from bluered.corpora.added import Added, added, notes, remember
from bluered.errors import BlueredError

PAIRS = "first\tsecond\tscore\nUp.\tAloft.\t4\nUp.\tDown.\t1\n"
TOML = '[splits]\ntest = "test.tsv"\n[task]\ntype = "sentence-similarity"\n'


@pytest.fixture
def work(monkeypatch, tmp_path):
    """An empty folder to work in, with a table of pairs."""
    for variable in ("BLUERED_DATA", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "test.tsv").write_text(PAIRS)
    monkeypatch.chdir(folder)
    return folder


def run(line: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, line.split())
    error = done.exception
    if error is not None and not isinstance(error, BlueredError | SystemExit):
        raise error
    return done.exit_code, done.stdout, done.stderr + (f"{error}" if error else "")


def test_a_broken_corpus_is_listed_as_such_and_the_others_go_on(work) -> None:
    for name in ("kites", "boats", "trains"):
        (work / f"{name}.toml").write_text(TOML)
    run("corpora add kites.toml")
    run("corpora add boats.toml")
    (work / "boats.toml").write_text("[splits")
    (notes() / "mednli.json").write_text("")
    assert run("corpora add trains.toml")[0] == 0
    status, out, err = run("corpora list")
    here = {line.split()[0]: line for line in out.splitlines()}
    assert status == 0
    assert "added" in here["kites"]
    assert "broken" in here["boats"]
    assert "broken" in here["mednli"]
    assert "corpora remove boats`" in err
    assert "corpora remove mednli`" in err
    listed = {entry["name"]: entry for entry in json.loads(run("corpora list --json")[1])}
    assert [name for name, entry in listed.items() if entry["broken"]] == ["mednli", "boats"]
    assert run("examples kites --split test")[0] == 0
    for name in ("mednli", "boats"):
        assert run(f"examples {name} --split test")[0] == 1
        assert run(f"corpora remove {name}")[0] == 0
    assert run("corpora list")[2] == ""


def test_what_was_deleted_cannot_be_fetched_and_bench_says_where_it_was(work) -> None:
    (work / "kites.toml").write_text(TOML)
    run("corpora add kites.toml")
    (work / "test.tsv").unlink()
    (work / "pred.tsv").write_text(PAIRS)
    err = run("bench kites --predictions pred.tsv")[2]
    looked = f"(looked in {work}, from where kites was added)"
    assert err == f"kites: test.tsv is not on this machine {looked}"
    status, out, _ = run("corpora validate kites --json")
    assert (status, json.loads(out)["faults"][0]["kind"]) == (1, "missing")


@pytest.mark.usefixtures("invented_counts")
def test_after_an_added_copy_went_away_no_agreement_is_asked_for(work, invented) -> None:
    folder = invented("medsts")
    run(f"corpora add medsts {folder}")
    shutil.rmtree(folder)
    (work / "predictions").mkdir()
    rows = json.loads(run("bench blue --predictions predictions --json")[1])["rows"]
    reasons = {row["task"]: row["reason"] for row in rows}
    assert f"(looked in {folder}, from where medsts was added)" in reasons["medsts"]
    assert "needs agreement" in reasons["mednli"]


def test_a_corpus_of_ones_own_may_come_by_fetch(work, httpserver) -> None:
    (work / "test.tsv").unlink()
    httpserver.expect_request("/test.tsv").respond_with_data(PAIRS)
    (work / "kites.toml").write_text(
        f'{TOML}[[files]]\npath = "test.tsv"\ndownload = "test.tsv"\n[[downloads]]\n'
        f'name = "test.tsv"\nurl = "{httpserver.url_for("/test.tsv")}"\n'
    )
    status, _, err = run("corpora validate kites.toml")
    assert (status, "add kites first, then fetch it" in err) == (1, True)
    status, _, err = run("corpora add kites.toml")
    assert status == 0
    assert "`bluered corpora fetch kites` brings the files that are missing" in err
    assert run("corpora validate kites")[0] == 1
    assert run("corpora fetch kites")[0] == 0
    assert run("corpora validate kites")[0] == 0
    assert run("examples kites --split test")[1].count("\n") == 2


def test_validate_reads_the_entry_of_an_added_corpus_again(work) -> None:
    for name in ("kites", "boats"):
        (work / f"{name}.toml").write_text(TOML)
        run(f"corpora add {name}.toml")
    (work / "boats.toml").write_text(TOML.replace("[task]", "[tasks.kites]"))
    for name in ("kites", "boats"):
        status, _, err = run(f"corpora validate {name}")
        assert (status, "the task 'kites' is one of" in err) == (1, True)


@pytest.mark.usefixtures("invented_counts")
def test_the_name_of_a_corpus_goes_before_a_file_called_so(work, invented) -> None:
    (work / "medsts").touch()
    assert run(f"corpora add medsts {invented('medsts')}")[0] == 0


@pytest.mark.usefixtures("invented_counts")
def test_overlap_takes_the_splits_that_are_here(work, invented) -> None:
    run(f"corpora add medsts {invented('medsts')}")
    status, out, _ = run("corpora overlap medsts --json")
    assert status == 0
    assert "medsts:own-dev" in out


@pytest.mark.usefixtures("invented_counts")
@pytest.mark.parametrize(
    ("name", "file", "make"),
    [
        ("medsts", "clinicalSTS.train.txt", "folder"),
        ("medsts", "clinicalSTS.train.txt", "pipe"),
        ("medsts", "clinicalSTS.train.txt", "empty"),
        ("mednli", "mli_dev_v1.jsonl", "empty"),
        ("shareclef", "Task1Gold_SN2012/Gold_SN2012/toy11.txt", "link"),
        ("shareclef", "Task1TestSetCorpus100/ALLREPORTS/toy11.txt", "pipe"),
        ("i2b2-2010", "test_data/0001.txt", "link"),
    ],
)
def test_what_is_no_file_or_holds_nothing_is_a_listed_fault(
    work, invented, name, file, make
) -> None:
    path = invented(name) / file
    folder = path.parents[file.count("/")]
    path.unlink()
    if make == "folder":
        path.mkdir()
    elif make == "pipe":
        os.mkfifo(path)
    elif make == "link":
        path.symlink_to(work / "nothing")
    else:
        path.write_text("")
    status, out, _ = run(f"corpora add {name} {folder} --anyway --json")
    faults = json.loads(out)["faults"]
    assert (status, added()) == (1, {})
    assert faults
    assert {fault["kind"] for fault in faults} == {"unreadable"}
    assert all(str(path) in fault["message"] for fault in faults)


def test_own_splits_of_a_corpus_of_ones_own_are_not_ours(work) -> None:
    (work / "kites.toml").write_text(TOML.replace("test =", "own-x ="))
    status, _, err = run("corpora add kites.toml")
    assert status == 0
    assert "own division" not in err


def test_remove_takes_no_path(work) -> None:
    remember("kites", Added(str(work)))
    (work / "precious.json").write_text("{}")
    assert run(f"corpora remove {work}/precious")[0] == 1
    assert (work / "precious.json").exists()
