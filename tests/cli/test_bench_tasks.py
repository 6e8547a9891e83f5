"""`bluered bench blue` and `bench TASK` on invented corpora, from files of any form."""

import io
import json
import shutil
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from bluered.corpora import catalog
from bluered.documents.document import Document
from bluered.documents.examples import Example, TextPair
from bluered.formats.files import write_file
from bluered.tasks.examples import examples

INVENTED = Path(__file__).parents[1] / "data"
AGREED = ("medsts", "shareclef", "i2b2-2010", "mednli")
OPEN = ("biosses", "bc5cdr-disease", "bc5cdr-chemical", "ddi", "chemprot", "hoc")


@pytest.fixture
def bluered(monkeypatch, tmp_path, command_line):
    """Run the command line on the invented corpora; returns exit status, stdout and stderr."""
    monkeypatch.setenv("BLUERED_DATA", str(INVENTED))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))

    return partial(command_line, "bench")


def save(found: Sequence[Example], task: str, folder: Path) -> Path:
    """Write examples as a system would hand them in."""
    folder.mkdir(exist_ok=True)
    if catalog.task(task).entry.type == "named-entities":
        path = folder / f"{task}.bioc.json"
        write_file(found, path)
        return path
    path = folder / f"{task}.jsonl"
    path.write_bytes(b"\n".join(map(msgspec.json.encode, found)))
    return path


@pytest.fixture
def as_published(monkeypatch) -> None:
    """The invented data pass for the published ones."""
    monkeypatch.setattr("bluered.tasks.benchmark.deviations", lambda task, split, gold: ())


@pytest.fixture
def gold(bluered, as_published, tmp_path) -> Path:
    """A folder with the gold of the four corpora under agreements as the prediction."""
    return save_gold(tmp_path)


def save_gold(tmp_path: Path) -> Path:
    for task in AGREED:
        save(list(examples(catalog.task(task), "test")), task, tmp_path / "gold")
    return tmp_path / "gold"


def rows(out: str) -> dict[str, dict]:
    return {row["task"]: row for row in json.loads(out)["rows"]}


def test_rows_that_can_be_scored_are_and_the_others_say_why_not(bluered, gold) -> None:
    status, out, err = bluered("blue", "--predictions", gold, "--json")
    assert (status, err) == (0, "")
    found = rows(out)
    assert list(found) == [
        *("medsts", "biosses", "bc5cdr-disease", "bc5cdr-chemical", "shareclef"),
        *("ddi", "chemprot", "i2b2-2010", "hoc", "mednli"),
    ]
    assert {task: found[task]["score"] for task in AGREED} == dict.fromkeys(AGREED, 1.0)
    for task in OPEN:
        corpus = catalog.task(task).corpus.name
        assert found[task]["score"] is None
        assert found[task]["reason"] == f"not on this machine: bluered corpora fetch {corpus}"


def test_the_mean_is_over_the_rows_that_were_run(bluered, gold) -> None:
    result = json.loads(bluered("blue", "--predictions", gold, "--json")[1])
    assert result["mean"]["rows"] == list(AGREED)
    assert result["mean"]["score"] == 1
    assert result["mean"]["published"]["ELMo"] == pytest.approx((68.6 + 75.6 + 71.2 + 71.4) / 400)
    _, out, _ = bluered("blue", "--predictions", gold)
    assert "mean of 4 rows: medsts, shareclef, i2b2-2010, mednli; the published means" in out
    (line,) = [line for line in out.splitlines() if line.startswith("mean of 4 rows")]
    assert line.split()[4:6] == ["100.0", "71.7"]
    assert out.splitlines()[1].split()[:3] == ["task", "metric", "gold"]


def test_the_signature_names_the_gold_of_each_row(bluered, gold, tmp_path) -> None:
    result = json.loads(bluered("blue", "--predictions", gold, "--json")[1])
    golds = ",".join(
        f"{t}={row['gold']}" for t, row in rows(json.dumps(result)).items() if row["score"]
    )
    start = (
        f"benchmark:blue|scorer:correct|split:test|system:gold|gold:{golds}|bootstrap:BCa,n=9999"
    )
    assert result["signature"].startswith(start)
    saved = tmp_path / "out.json"
    bluered("blue", "--predictions", gold, "-o", saved)
    assert json.loads(saved.read_text()) == result


def test_a_user_without_the_agreements_reads_where_to_apply(bluered, gold, tmp_path, monkeypatch):
    monkeypatch.setenv("BLUERED_DATA", str(tmp_path / "nothing"))
    _, out, _ = bluered("blue", "--predictions", gold)
    for task in AGREED:
        assert f"  {task}: needs agreement: {catalog.task(task).corpus.obtain}" in out
    assert "mean of" not in out
    found = rows(bluered("blue", "--predictions", gold, "--json")[1])
    assert {row["score"] for row in found.values()} == {None}


def test_rows_without_predictions_say_so(bluered, gold) -> None:
    (gold / "mednli.jsonl").unlink()
    assert rows(bluered("blue", "--predictions", gold, "--json")[1])["mednli"]["reason"] == (
        "no predictions"
    )


def test_some_tasks_only(bluered, gold) -> None:
    found = rows(bluered("blue", "--predictions", gold, "--tasks", "mednli, medsts", "--json")[1])
    assert list(found) == ["medsts", "mednli"]
    status, _, err = bluered("blue", "--predictions", gold, "--tasks", "mednly")
    assert (status, err.splitlines()) == (
        1,
        ["bluered: no task of blue 'mednly'; did you mean 'mednli'?"],
    )


def test_a_wrong_name_does_not_go_unnoticed(bluered, gold) -> None:
    (gold / "med_sts.tsv").write_text("index\tscore\n1\t2\n")
    _, out, err = bluered("blue", "--predictions", gold, "--json")
    assert err == f"warning: no task is named like these in {gold}: med_sts.tsv\n"
    assert json.loads(out)["strays"] == ["med_sts.tsv"]
    said = "  not scored, since no task is named like these files: med_sts.tsv"
    assert said in bluered("blue", "--predictions", gold)[1].splitlines()


def test_a_row_that_cannot_be_scored_stops_no_other(bluered, gold) -> None:
    shutil.copy(gold / "medsts.jsonl", gold / "medsts.txt")
    (gold / "mednli.jsonl").write_text("{\n")
    status, out, err = bluered("blue", "--predictions", gold, "--json")
    assert status == 0
    found = rows(out)
    assert (
        "holds several files for medsts: medsts.jsonl and medsts.txt" in found["medsts"]["reason"]
    )
    assert "mednli.jsonl:1" in found["mednli"]["reason"]
    assert [task for task, row in found.items() if row["score"] == 1] == ["shareclef", "i2b2-2010"]
    warned = [line.split()[:5] for line in err.splitlines()]
    said = [["warning:", task, "is", "not", "scored:"] for task in ("medsts", "mednli")]
    assert warned == said


def test_where_no_row_can_be_scored_it_is_an_error(bluered, gold) -> None:
    (gold / "mednli.jsonl").write_text("{\n")
    status, out, err = bluered("blue", "--predictions", gold, "--tasks", "mednli,hoc")
    assert status == 1
    assert "hoc: not on this machine" in out
    assert err.splitlines()[-1].startswith("bluered: none of the tasks was scored")
    status, out, err = bluered("mednli", "--predictions", gold)
    assert (status, out, len(err.splitlines())) == (1, "", 1)


def test_data_that_are_not_the_published_ones_are_told_from_them(bluered, tmp_path) -> None:
    status, out, err = bluered("blue", "--predictions", save_gold(tmp_path), "--json")
    assert status == 0
    found = rows(out)
    assert found["mednli"]["differs"] == ["pairs: expected 1422, found 3"]
    assert all(found[task]["differs"] for task in AGREED)
    assert json.loads(out)["mean"] is None
    assert "|differs:medsts,shareclef,i2b2-2010,mednli|" in json.loads(out)["signature"]
    said = "warning: mednli:test is not the data that was published: pairs: expected 1422, found 3"
    assert said in err.splitlines()
    _, out, _ = bluered("blue", "--predictions", tmp_path / "gold")
    assert "mean of" not in out
    assert "mednli (differs)" in out
    note = "mednli: not the data that was published (pairs: expected 1422, found 3): compares with"
    assert note in out
    assert "mednli: 3 pairs: too few to tell close systems apart" in out


def test_the_system_has_a_name(bluered, gold) -> None:
    _, out, _ = bluered("blue", "--predictions", gold, "--name", "Mine 2", "--markdown")
    assert "**BLUE, test: Mine 2 beside" in out
    assert "| task | metric | Mine 2 | 95% interval | ELMo |" in out
    assert "|system:Mine_2|" in out


def test_a_name_that_is_a_slip_or_a_file_that_is_not_here_is_told(bluered, gold) -> None:
    ask = ("mednli", "--predictions", gold, "--trained-on")
    for name, said in {
        "bc5dr:train": "no corpus 'bc5dr'; did you mean 'bc5cdr'?",
        "BioRED": "no corpus 'BioRED'; did you mean 'biored'?",
        "bc5cdr-disease": "no corpus 'bc5cdr-disease'; did you mean 'bc5cdr'?",
        "bc5cdr:trian": "no split of bc5cdr named 'trian'; did you mean 'train'?",
        "NLM=absent.txt": "no file absent.txt",
    }.items():
        status, out, err = bluered(*ask, name)
        assert (status, out) == (1, "")
        assert said in err


def test_a_file_that_was_trained_on_is_compared(bluered, gold, tmp_path) -> None:
    seen, *_ = examples(catalog.task("shareclef"), "test")
    assert isinstance(seen, Document)
    write_file([replace(seen, id="1")], tmp_path / "mine.jsonl")
    trained = f"MINE={tmp_path / 'mine.jsonl'},pubmed"
    _, out, err = bluered("shareclef", "--predictions", gold, "--trained-on", trained)
    said = "stand in what the model was trained on: MINE (1); not known: pubmed"
    (note,) = [line for line in out.splitlines() if said in line]
    assert note.startswith("  shareclef: at least 1 of ")
    assert said in err.splitlines()[0]
    assert "|seen:shareclef=1+/" in out


def test_it_is_said_where_nothing_is_shared(bluered, gold) -> None:
    _, out, err = bluered("mednli", "--predictions", gold, "--trained-on", "medsts:test")
    assert err == ""
    assert "mednli: nothing shared with medsts:test, which the model was trained on" in out
    assert "|seen:mednli=0/3|" in out


def test_blues_scripts_give_another_figure(bluered, gold) -> None:
    found = json.loads(bluered("blue", "--predictions", gold, "--scorer", "blue", "--json")[1])
    assert "scorer:blue" in found["signature"]
    assert rows(json.dumps(found))["mednli"]["score"] == 1


def test_one_task_stands_beside_its_published_figures(bluered, gold) -> None:
    status, out, err = bluered("mednli", "--predictions", gold / "mednli.jsonl", "--markdown")
    assert (status, err) == (0, "")
    assert "**MedNLI, test: accuracy beside published figures**" in out
    assert "| mednli.jsonl | 100.0 |" in out
    assert "| BlueBERT base P+M | 84.0 |" in out
    folder = bluered("mednli", "--predictions", gold, "--markdown")[1]
    assert "| gold | 100.0 |" in folder


def test_one_task_that_cannot_be_scored_is_an_error(bluered, gold) -> None:
    status, out, err = bluered("hoc", "--predictions", gold)
    assert (status, out) == (1, "")
    assert err == "bluered: hoc: not on this machine: bluered corpora fetch hoc\n"
    assert "did you mean 'mednli'" in bluered("mednly", "--predictions", gold)[2]


def test_a_constant_prediction_of_scores_has_no_figure(bluered, gold) -> None:
    task = catalog.task("medsts")
    same = [
        replace(pair, score=1.0) for pair in examples(task, "test") if isinstance(pair, TextPair)
    ]
    save(same, "medsts", gold)
    _, out, _ = bluered("blue", "--predictions", gold)
    assert "medsts: the figure does not exist for these predictions" in out
    assert "mean of 3 rows" in out


def test_what_was_trained_on_is_named_and_left_out(bluered, gold) -> None:
    status, out, err = bluered(
        "mednli", "--predictions", gold, "--trained-on", "mednli:test,pubmed", "--json"
    )
    assert status == 0
    seen = rows(out)["mednli"]["seen_in_training"]
    assert seen["units"] == seen["of"] > 0
    assert seen["score_without"] is None
    lines = err.splitlines()
    assert lines[0].startswith("warning: mednli:test:")
    assert "stand in what the model was trained on: mednli:test" in lines[0]
    assert "trained on pubmed, which is neither on this machine" in lines[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["blue"], "name what shall be scored on blue: --predictions or --model"),
        (["blue", "--predictions", "absent"], "no file or folder absent"),
        (["blue", "--predictions", str(Path(__file__))], "is not a folder"),
        (["mednli", "--predictions", ".", "--tasks", "hoc"], "--tasks is for `bluered bench blue`"),
        (["blue", "--predictions", ".", "--align", "ids"], "are for `bluered bench biored`"),
        (["biored", "--tasks", "hoc"], "--tasks and --scorer are for `bluered bench blue`"),
        (["biored", "--scorer", "blue"], "--tasks and --scorer are for `bluered bench blue`"),
        (["blue", "--predictions", ".", "--model", "."], "exclude each other"),
    ],
)
def test_wrong_uses_are_explained_in_one_line(bluered, arguments, said) -> None:
    status, out, err = bluered(*arguments)
    assert (status, out, len(err.splitlines())) == (1, "", 1)
    assert said in err


def test_without_the_train_extra_a_model_says_what_to_install(bluered, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "bluered.training.predict", None)
    status, _, err = bluered("blue", "--model", tmp_path)
    assert status == 1
    assert "pip install 'bluered[train]'" in err


def test_predictions_come_from_standard_input(bluered, gold, monkeypatch) -> None:
    stdin = type("Stdin", (), {"buffer": io.BytesIO((gold / "mednli.jsonl").read_bytes())})
    monkeypatch.setattr(sys, "stdin", stdin)
    status, out, _ = bluered("mednli", "--predictions", "-", "--json")
    assert status == 0
    assert (json.loads(out)["system"], rows(out)["mednli"]["score"]) == ("stdin", 1)
    assert "- is not a folder" in bluered("blue", "--predictions", "-")[2]


@pytest.mark.parametrize("tasks", ["", ",", " , "])
def test_a_list_of_no_tasks_is_an_error(bluered, gold, tasks) -> None:
    status, out, err = bluered("blue", "--predictions", gold, "--tasks", tasks)
    assert (status, out) == (1, "")
    assert "--tasks names no task: some of medsts, biosses" in err


def test_a_table_without_any_score_fails(bluered, gold, tmp_path) -> None:
    (tmp_path / "nothing").mkdir()
    status, out, err = bluered("blue", "--predictions", tmp_path / "nothing")
    assert status == 1
    assert "mednli: no predictions" in out
    assert err == "bluered: none of the tasks was scored: the reasons stand in the table\n"


@pytest.mark.parametrize("task", ["mednli", "blue", "biored"])
def test_a_split_that_a_known_corpus_has_not_is_a_slip(bluered, gold, task) -> None:
    status, out, err = bluered(task, "--predictions", gold, "--trained-on", "biosses:tset")
    assert (status, out) == (1, "")
    assert err == "bluered: no split of biosses named 'tset'; did you mean 'test'?\n"
