"""BLUE's table from invented results: what each cell, note and mean says."""

from pathlib import Path

from msgspec.structs import replace

from bluered.corpora import catalog
from bluered.corpora.leakage import Leak
from bluered.metrics.significance import Interval
from bluered.reports.blue import SYSTEMS, TASKS, mean, mean_json, single, table, to_json
from bluered.reports.leakage import nothing_text, seen_code, seen_text, unknown_text
from bluered.reports.tables import as_markdown
from bluered.tasks.benchmark import Row, Seen
from bluered.tasks.results import Result

GOLDEN = Path(__file__).parent / "data" / "blue.md"


def result(task: str, score: float | None, low: float, high: float, **more) -> Result:
    metric = catalog.task(task).entry.metric
    interval = Interval(low, high)
    return Result(
        task=task, scorer="correct", metric=metric, score=score, interval=interval, **more
    )


def row(task: str, **more) -> Row:
    return Row(task=catalog.task(task), split="test", **more)


SEEN = Seen(
    leaks=(Leak("biosses:train", tuple("12345678"), "texts"), Leak("pubmed", (), "nothing")),
    units=8,
    of=20,
    score=0.75,
    interval=Interval(0.4, 0.9),
)
ROWS = [
    row("medsts", reason="no predictions"),
    row("biosses", result=result("biosses", 0.8, 0.62, 0.9, units=20), seen=SEEN),
    row(
        "ddi",
        result=result(
            "ddi",
            0.7,
            0.68,
            0.72,
            units=191,
            details={"micro": {"f1": 0.74}, "macro": {"f1": 0.7}},
            notes={"gold pairs without a prediction, counted as negative": 3},
        ),
    ),
]


def test_the_table() -> None:
    assert "\n".join(as_markdown(table(ROWS, system="ours"))) + "\n" == GOLDEN.read_text("utf-8")


def test_every_row_of_blue_is_a_task_with_every_published_figure() -> None:
    assert len(TASKS) == 10
    for name in TASKS:
        published = catalog.task(name).entry.published
        assert [each.system for each in published] == list(SYSTEMS), name
        assert all(50 < each.score < 100 and each.source for each in published)


def test_the_published_means_are_over_the_same_rows() -> None:
    # 82.2: the ten figures of BlueBERT base (P) added up by hand, since the README gives no means.
    rows = [row(name, result=result(name, 0.5, 0.4, 0.6, units=1)) for name in TASKS]
    found = mean_json(rows)
    assert found is not None
    assert round(100 * found["published"]["BlueBERT base P"], 1) == 82.2
    assert found["score"] == 0.5


def test_a_mean_needs_all_its_values() -> None:
    assert mean([0.5, None]) is None
    assert mean([]) is None
    assert mean_json(ROWS[:2]) is None


def test_a_figure_that_does_not_exist_is_in_no_mean() -> None:
    none = row("biosses", result=result("biosses", None, 0, 0, units=20))
    lines = list(as_markdown(table([none, *ROWS[2:]], system="ours")))
    assert "- biosses: the figure does not exist for these predictions" in lines
    assert not any(line.startswith("| mean") for line in lines)


def test_a_figure_that_is_not_the_tasks_own_is_in_no_mean() -> None:
    micro = replace(result("ddi", 0.9, 0.88, 0.92, units=191), metric="micro-f1", scorer="blue")
    rows = [*(row(t, result=result(t, 0.5, 0.4, 0.6, units=100)) for t in ("hoc", "mednli"))]
    rows.append(row("ddi", result=micro))
    found = mean_json(rows)
    assert found is not None
    assert (found["score"], list(found["left_out"])) == (0.5, ["ddi"])
    lines = list(as_markdown(table(rows, system="ours")))
    assert "| ddi | micro F1 | 90.0 | [88.0, 92.0] |  |  |  |  |  |  |  |" in lines
    assert any("micro-f1 is not the task's own metric, macro-f1: compares with" in n for n in lines)
    alone = single(rows[-1], system="ours")
    assert alone.title == "DDI, test: micro F1"
    assert len(alone.rows) == 1


def test_a_small_test_is_said_to_be_small_whatever_the_interval() -> None:
    said = "- biosses: 3 pairs: too few to tell close systems apart"
    few = row("biosses", result=result("biosses", 1.0, 1.0, 1.0, units=3))
    assert said in list(as_markdown(table([few], system="ours")))


def test_another_split_is_told_from_what_was_published() -> None:
    on_dev = replace(ROWS[2], split="dev")
    said = "- the published figures are on test, ours on dev: they do not compare"
    assert said in list(as_markdown(table([on_dev], system="ours")))
    assert said in list(as_markdown(single(on_dev, system="ours")))


def test_one_task_lists_systems() -> None:
    lines = list(as_markdown(single(ROWS[1], system="ours")))
    assert lines[0] == "**BIOSSES, test: Pearson beside published figures**"
    assert lines[4:7] == [
        "| ours | 80.0 | [62.0, 90.0] |",
        "|   without the 8 seen | 75.0 | [40.0, 90.0] |",
        "| ELMo | 60.2 |  |",
    ]


def test_programs_get_what_was_seen_and_why_a_row_is_empty() -> None:
    assert to_json(ROWS[0])["reason"] == "no predictions"
    found = to_json(ROWS[1])
    assert found["score"] == 0.8
    assert found["interval"] == [0.62, 0.9]
    seen = found["seen_in_training"]
    assert (seen["units"], seen["of"], seen["score_without"]) == (8, 20, 0.75)
    assert [part["shared"] for part in seen["parts"]] == [8, None]


def test_what_is_not_known_makes_a_number_the_least() -> None:
    assert seen_text(SEEN.leaks, units=8, of=20) == (
        "at least 8 of 20 stand in what the model was trained on: biosses:train (8); "
        "not known: pubmed"
    )
    assert seen_code(SEEN.leaks, units=8, of=20) == "8+/20"
    assert seen_code(SEEN.leaks[:1], units=8, of=20) == "8/20"
    assert nothing_text([SEEN.leaks[1]]) == "not known whether texts of it stand in pubmed"


def test_what_was_not_seen_needs_no_words() -> None:
    nothing = [Leak("biored:train", (), "table")]
    assert seen_text(nothing, units=0, of=100) == ""
    assert unknown_text(nothing) == ""
    assert unknown_text(SEEN.leaks).startswith("the model was trained on pubmed, which is neither")
