"""`bluered score TASK` for BLUE's tasks and a user's own, as a user runs it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bluered.corpora.catalog import task
from bluered.tasks.examples import examples


@pytest.fixture
def bluered(command_line):
    """Run the command line; returns exit status, stdout and stderr."""

    return command_line


@pytest.fixture
def mednli(tmp_path) -> tuple[Path, Path]:
    """Invented gold and prediction: three of four right."""
    gold, pred = tmp_path / "gold.tsv", tmp_path / "pred.tsv"
    gold.write_text("index\tlabel\n1\tneutral\n2\tentailment\n3\tcontradiction\n4\tneutral\n")
    pred.write_text("index\tlabel\n4\tentailment\n3\tcontradiction\n2\tentailment\n1\tneutral\n")
    return gold, pred


def test_json_holds_what_a_program_needs(bluered, mednli):
    gold, pred = mednli
    status, out, err = bluered("score", "mednli", "--gold", gold, "--pred", pred, "--json")
    result = json.loads(out)
    assert (status, err) == (0, "")
    assert list(result) == ["task", "scorer", "metric", "score", "signature", "details"]
    assert (result["task"], result["scorer"], result["metric"]) == ("mednli", "correct", "accuracy")
    assert result["score"] == 0.75
    assert result["details"]["correct"] == 3
    assert result["signature"].startswith(
        "task:mednli|scorer:correct|metric:accuracy|units:4|gold:"
    )


def test_the_signature_changes_with_the_gold_alone(bluered, mednli):
    gold, pred = mednli

    def gold_of(*files: Path) -> str:
        _, out, _ = bluered("score", "mednli", "--gold", files[0], "--pred", files[1], "--json")
        return json.loads(out)["signature"].split("|gold:")[1]

    assert gold_of(gold, pred) == gold_of(gold, gold) != gold_of(pred, gold)


def test_intervals_come_when_asked_for(bluered, mednli):
    gold, pred = mednli
    _, out, _ = bluered("score", "mednli", "--gold", gold, "--pred", pred, "--json", "--interval")
    result = json.loads(out)
    low, high = result["interval"]
    assert 0 <= low < 0.75 < high <= 1
    assert "bootstrap:units,BCa,n=9999,seed=1" in result["signature"]


def test_blues_figures_and_quirks(bluered, mednli):
    gold, pred = mednli
    options = ("score", "mednli", "--gold", gold, "--pred", pred, "--scorer", "blue", "--quirks")
    _, out, _ = bluered(*options, "--json")
    result = json.loads(out)
    assert [quirk["quirk"] for quirk in result["quirks"]][:2] == ["same_rows", "micro"]
    assert any("stops here: row 0 is 1 in the gold, 4" in note for note in result["notes"])
    _, text, _ = bluered(*options)
    assert "What each quirk of eval_mednli.py moves" in text
    assert "As eval_mednli.py prints it: nothing, see below" in text


@pytest.mark.parametrize("scorer", ["correct", "blue"])
def test_tables_and_markdown_end_with_the_signature(bluered, mednli, scorer):
    gold, _ = mednli
    options = ("score", "mednli", "--gold", gold, "--pred", gold, "--scorer", scorer)
    _, text, _ = bluered(*options)
    assert text.splitlines()[-1].startswith(f"task:mednli|scorer:{scorer}")
    _, markdown, _ = bluered(*options, "--markdown")
    assert "| neutral |" in markdown
    assert markdown.splitlines()[-1].startswith("`task:mednli")


def test_a_score_that_does_not_exist_is_null(bluered, tmp_path):
    gold, pred = tmp_path / "gold.tsv", tmp_path / "pred.tsv"
    gold.write_text("index\tscore\n1\t2.5\n2\t3\n")
    pred.write_text("index\tscore\n1\t1\n2\t1\n")
    status, out, _ = bluered("score", "medsts", "--gold", gold, "--pred", pred, "--json")
    assert (status, json.loads(out)["score"]) == (0, None)
    _, text, _ = bluered("score", "medsts", "--gold", gold, "--pred", pred)
    assert text.splitlines()[3].split() == ["pearson", "-", "2", "pairs"]


@pytest.fixture
def systems(tmp_path) -> tuple[Path, Path, Path]:
    """Invented gold of 40 pairs, a prediction with 4 and one with 12 wrong answers."""
    wrong = {"gold": 0, "good": 4, "poor": 12}
    files = []
    for name, number in wrong.items():
        answers = ["neutral" if n < number else "entailment" for n in range(40)]
        rows = "".join(f"{n}\t{answer}\n" for n, answer in enumerate(answers))
        files.append(tmp_path / f"{name}.tsv")
        files[-1].write_text("index\tlabel\n" + rows)
    return files[0], files[1], files[2]


def test_two_systems_are_compared(bluered, systems):
    gold, good, poor = systems
    options = ("score", "mednli", "--gold", gold, "--pred", good, "--against", poor)
    status, out, err = bluered(*options, "--json")
    result = json.loads(out)
    found = result["against"]
    assert (status, err, result["score"], found["score"]) == (0, "", 0.9, 0.7)
    assert found["difference"] == pytest.approx(0.2)
    low, high = found["interval"]
    assert 0 < low < 0.2 < high
    assert 0.001 < found["p_value"] < 0.05
    assert (found["units"], found["differing"]) == (40, 8)
    assert found["too_few"].startswith("40 pairs leave an interval")
    _, text, _ = bluered(*options)
    assert f"{good} against {poor}" in text
    (line,) = [line for line in text.splitlines() if line.startswith("difference")]
    assert line.split()[1] == "+20.0"
    assert line.split()[-1] == f"{found['p_value']:.3f}"
    assert found["too_few"] in text


def test_the_other_way_round_the_difference_is_negative(bluered, systems):
    gold, good, poor = systems
    options = ("score", "mednli", "--gold", gold, "--pred", poor, "--against", good)
    assert json.loads(bluered(*options, "--json")[1])["against"]["difference"] < 0


def test_a_gold_too_small_to_tell_is_said_to_be(bluered, mednli):
    gold, pred = mednli
    options = ("score", "mednli", "--gold", gold, "--pred", pred)
    assert "differ in 1 of 4 pairs: too few to tell" in bluered(*options, "--against", gold)[1]
    assert "the two are scored alike in all 4 pairs" in bluered(*options, "--against", pred)[1]


def test_pairs_that_differ_are_counted_by_their_scores(bluered, tmp_path):
    files = [tmp_path / name for name in ("gold.tsv", "one.tsv", "other.tsv")]
    for path, last in zip(files, (2, 7, 8), strict=True):
        path.write_text(f"index\tscore\n1\t1\n2\t3\n3\t4\n4\t{last}\n")
    gold, pred, other = files
    _, text, _ = bluered("score", "medsts", "--gold", gold, "--pred", pred, "--against", other)
    assert "the two differ in 1 of 4 pairs" in text


def test_what_has_no_score_cannot_be_compared(bluered, tmp_path):
    gold, pred = tmp_path / "gold.tsv", tmp_path / "pred.tsv"
    gold.write_text("index\tscore\n1\t2.5\n2\t3\n")
    pred.write_text("index\tscore\n1\t1\n2\t1\n")
    _, _, err = bluered("score", "medsts", "--gold", gold, "--pred", gold, "--against", pred)
    assert "the other prediction has no score, so there is no difference" in err


def test_the_two_tables_of_eval_rel_say_what_they_are_of(bluered, tmp_path):
    gold = tmp_path / "gold.tsv"
    gold.write_text("docid\tid\targ1\targ2\tlabel\nd\tR0\tT1\tT2\tCPR:3\nd\tR1\tT1\tT3\tfalse\n")
    options = ("score", "chemprot", "--gold", gold, "--pred", gold, "--scorer", "blue")
    text = bluered(*options)[1].splitlines()
    assert "As eval_rel.py prints it, all labels" in text
    assert "As eval_rel.py prints it, without `false`" in text


def test_quirks_that_moved_nothing_take_one_line(bluered, tmp_path):
    gold, pred = tmp_path / "gold.tsv", tmp_path / "pred.tsv"
    rows = [f"d\tR{n}\tT1\tT{n}\t" for n in range(9)]
    header = "docid\tid\targ1\targ2\tlabel\n"
    gold.write_text(header + f"{rows[0]}DDI-int\n" + "".join(f"{r}DDI-false\n" for r in rows[1:]))
    pred.write_text(header + "".join(f"{row}DDI-false\n" for row in rows))
    options = ("score", "ddi", "--gold", gold, "--pred", pred, "--scorer", "blue", "--quirks")
    table = bluered(*options)[1].split("What each quirk of eval_rel.py moves")[1].splitlines()
    assert [line.split()[0] for line in table[3:6]] == ["false_by_name", "micro", "all"]
    assert "  moved nothing: rows, same_order, accuracy_is_recall" in "\n".join(table)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("mednli", "--scorer", "biorex"), "are for biored, not for mednli"),
        (("mednli", "--align", "ids"), "are for biored, not for mednli"),
        (("biored", "--scorer", "blue"), "biored has the scorers"),
        (("mednli", "--quirks"), "add --scorer blue"),
        (("biored", "--quirks"), "add --scorer biorex"),
        (("mednli", "--split", "dev"), "--gold and --split exclude each other"),
        (("mednly",), "no task 'mednly'; did you mean 'mednli'"),
    ],
)
def test_options_that_do_not_fit_are_named(bluered, mednli, arguments, message):
    gold, pred = mednli
    status, out, err = bluered("score", *arguments, "--gold", gold, "--pred", pred)
    assert (status, out, len(err.splitlines())) == (1, "", 1)
    assert message in err


def test_a_fault_is_one_line_with_file_and_line(bluered, mednli):
    gold, pred = mednli
    pred.write_text(pred.read_text().replace("2\tentailment", "2\tentailed"))
    status, out, err = bluered("score", "mednli", "--gold", gold, "--pred", pred)
    assert (status, out, len(err.splitlines())) == (1, "", 1)
    assert f"{pred}:4: no label of mednli like this; did you mean 'entailment'?" in err


def test_a_corpus_that_is_not_here_is_said_to_be(bluered, mednli, monkeypatch, tmp_path):
    monkeypatch.setenv("BLUERED_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    status, _, err = bluered("score", "mednli", "--pred", mednli[1])
    assert status == 1
    assert "MedNLI is not on this machine" in err


OPEN = ("biosses", "bc5cdr-disease", "bc5cdr-chemical", "ddi", "chemprot", "hoc")


@pytest.fixture(scope="session")
def gold_answers(data_dir, tmp_path_factory) -> dict[str, Path]:
    """The gold of every open test set as a file of answers of our own."""
    import msgspec

    folder = tmp_path_factory.mktemp("answers")
    found = {name: folder / f"{name}.jsonl" for name in OPEN}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLUERED_DATA", str(data_dir))
        for name, path in found.items():
            lines = (msgspec.json.encode(one) + b"\n" for one in examples(task(name), "test"))
            path.write_bytes(b"".join(lines))
    return found


@pytest.mark.parametrize("name", OPEN)
@pytest.mark.parametrize("scorer", ["correct", "blue"])
def test_gold_against_the_corpus_scores_1(
    bluered, gold_answers, data_dir, monkeypatch, name, scorer
):
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    _, out, err = bluered("score", name, "--pred", gold_answers[name], "--json", "--scorer", scorer)
    result = json.loads(out)
    assert (result["score"], err) == (pytest.approx(1), "")
    assert "split:test" in result["signature"]
    _, out, _ = bluered(
        "score", name, "--gold", gold_answers[name], "--pred", gold_answers[name], "--json"
    )
    assert json.loads(out)["signature"].split("|gold:")[1] in result["signature"]


SCORE_ALL = """
import sys, time
import bluered.tasks.answers, bluered.tasks.examples, bluered.tasks.scoring
from bluered.corpora.catalog import task
from bluered.tasks.answers import read
from bluered.tasks.examples import examples
from bluered.tasks.scoring import score
for argument in sys.argv[1:]:
    name, path = argument.split("=")
    print(score(task(name), list(examples(task(name), "test")), read(task(name), path)).score)
print(time.process_time())
assert "pandas" not in sys.modules and "sklearn" not in sys.modules
"""


def test_scoring_all_open_test_sets_takes_less_than_5_seconds(gold_answers, data_dir, monkeypatch):
    """Of processor time, since other work on the machine is none of ours."""
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    files = [f"{name}={path}" for name, path in gold_answers.items()]
    done = subprocess.run(
        [sys.executable, "-c", SCORE_ALL, *files], capture_output=True, text=True, check=True
    )
    *found, seconds = map(float, done.stdout.split())
    assert found == pytest.approx([1] * len(OPEN))
    assert seconds < 5
