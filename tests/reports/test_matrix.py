"""Tables of systems by tasks, and the picture of accuracy against speed, from made-up cells."""

from itertools import pairwise
from statistics import stdev
from xml.etree import ElementTree

import pytest

from bluered.metrics.significance import Interval
from bluered.reports import matrix, speed
from bluered.reports.tables import as_markdown, as_text
from bluered.tasks.cells import NER, RELATIONS, Cell, Figure, Gap

SYSTEMS = [
    matrix.System(name="tiny", published="BioBERT"),
    matrix.System(name="hub", published="ELMo"),
]


def cell(task: str, seed: int, score: float, **changes) -> Cell:
    metrics = {"biosses": "pearson", "hoc": "example-f1", "biored": "all"}
    metric = changes.get("metric", metrics[task])
    figures = {metric: Figure(score=score, interval=Interval(score - 0.01, score + 0.01))}
    fields = {
        "row": "tiny",
        "recipe": f"bert-{task}",
        "seed": seed,
        "task": task,
        "split": "test",
        "encoder": "x",
        "model": "bert",
        "metric": metric,
        "figures": figures,
        "units": {"biosses": 20, "hoc": 315, "biored": 100}[task],
        "gold": "0123",
        "train_seconds": 90.0,
        "answer_seconds": 0.25,
        "train_memory": 300 << 20,
        "answer_memory": 200 << 20,
        "answers": "test/x",
        "digest": "d",
    }
    return Cell(**(fields | changes))


def gap(row: str, task: str, seed: int, reason: str) -> Gap:
    return Gap(row=row, recipe=f"bert-{task}", seed=seed, task=task, reason=reason)


FOUND = [
    cell("biosses", 13, 0.80),
    cell("biosses", 14, 0.84),
    cell("hoc", 13, 0.7),
    gap("tiny", "hoc", 14, "its process was killed"),
    *(gap("hub", task, seed, "no encoder") for task in ("biosses", "hoc") for seed in (13, 14)),
]


def shown(found, systems=SYSTEMS) -> list[str]:
    found = matrix.tables(found, systems, title="Two", split="test")
    return "\n".join("\n".join(as_text(table)) for table in found).splitlines()


def line(lines: list[str], name: str, number: int = 0) -> list[str]:
    return [each for each in lines if each.startswith(name)][number].split()


def test_means_stand_with_their_deviation_above_the_published_figures():
    lines = shown(FOUND)
    head = lines[1]
    assert "biosses, Pearson" in head
    assert "hoc, example F1" in head
    deviation = 100 * stdev([0.8, 0.84])
    assert line(lines, "tiny")[1:] == ["82.0", "±", f"{deviation:.1f}", "70.0", "76.0", "(2)"]
    assert line(lines, "  published")[1:] == ["82.7", "82.9", "82.8", "(2)"]
    assert line(lines, "hub")[1:] == ["-", "-", "-"]
    assert line(lines, "  published", 1)[1:3] == ["60.2", "80.0"]
    assert line(lines, "BlueBERT base P (")[-4:-2] == ["89.3", "85.3"]


def test_notes_say_each_reason_once_and_which_test_is_small():
    lines = [each.strip() for each in shown(FOUND)]
    assert "hub (bert-biosses, bert-hoc): no encoder" in lines
    assert "tiny (bert-hoc): its process was killed" in lines
    assert "tiny (bert-hoc): 1 of 2 seeds" in lines
    assert "biosses: 20 pairs: too few to tell close systems apart" in lines
    assert not any(each.startswith("hoc: 315") for each in lines)
    assert sum("no encoder" in each for each in lines) == 1


def test_figures_of_other_data_are_in_no_mean():
    other = cell("hoc", 13, 0.9, left_out="not the data that was published (x)", seen=3)
    lines = shown([cell("biosses", 13, 0.8), other])
    assert line(lines, "tiny")[1:] == ["80.0", "90.0", "80.0", "(1)"]
    assert line(lines, "  published")[1:] == ["82.7", "82.9", "82.7", "(1)"]
    told = "hoc: not the data that was published (x): compares with no published figure"
    assert told in [each.strip() for each in lines]
    assert "hoc: texts of 3 of 315 documents were trained on" in [each.strip() for each in lines]


def related(row: str, recipe: str, score: float, **changes) -> Cell:
    figures = {name: Figure(score=score - n / 10) for n, name in enumerate(RELATIONS)}
    return cell("biored", 13, score, row=row, recipe=recipe, figures=figures, **changes)


def tagged(row: str, score: float, **changes) -> Cell:
    figures = {NER: Figure(score=score)}
    return cell("biored", 13, score, row=row, metric=NER, figures=figures, **changes)


BIORED = [tagged("BERT-CRF", 0.85), related("pairs", "a", 0.7), related("pairs", "b", 0.6)]
HEADS = [
    matrix.System(name="BERT-CRF", published="BioBERT-CRF"),
    matrix.System(name="pairs", published="PubMedBERT"),
]


def test_biored_has_a_table_of_mentions_and_one_of_relations():
    lines = shown(BIORED, HEADS)
    start = lines.index("BioRED, test: relations on gold entities, F1")
    mentions, relations = lines[:start], lines[start:]
    assert line(mentions, "BERT-CRF")[1:] == ["85.0"]
    assert line(mentions, "  published")[1:] == ["88.7"]
    assert line(mentions, "BiLSTM-CRF (published)")[2:] == ["87.1"]
    assert line(relations, "pairs: a")[2:] == ["70.0", "60.0", "50.0", "40.0"]
    assert line(relations, "pairs: b")[2:] == ["60.0", "50.0", "40.0", "30.0"]
    assert line(relations, "  published")[1:] == ["72.9", "58.9", "-", "47.7"]
    assert not any("BioCreative" in each for each in lines)  # other documents


def test_time_and_memory_are_means_over_seeds():
    found = [*FOUND, cell("hoc", 15, 0.7, train_seconds=150.0, answer_memory=None)]
    lines = shown(found)
    start = lines.index("What it took, mean over seeds")
    costs = [each.split() for each in lines[start:] if each.startswith("tiny")]
    assert costs == [
        ["tiny", "bert-biosses", "2", "1.5", "4.0", "300", "200"],
        ["tiny", "bert-hoc", "2", "2.0", "4.0", "300", "200"],
    ]


def test_a_table_of_gaps_alone_says_why():
    lines = shown([Gap(row="tiny", recipe="x", seed=13, task="", reason="no recipe at x.toml")])
    assert lines[0] == "Two, test: no cell has figures"
    assert "  tiny (x): no recipe at x.toml" in lines
    assert not matrix.scored([gap("tiny", "hoc", 13, "?")])


def test_json_holds_cells_means_and_reasons():
    tiny, hub = matrix.to_json(FOUND, SYSTEMS)
    biosses, hoc = tiny["recipes"]
    assert biosses["figures"]["pearson"]["mean"] == pytest.approx(0.82)
    assert biosses["figures"]["pearson"]["deviation"] == pytest.approx(stdev([0.8, 0.84]))
    assert [each["seed"] for each in biosses["cells"]] == [13, 14]
    assert biosses["cells"][0]["figures"]["pearson"]["interval"] == pytest.approx([0.79, 0.81])
    assert hoc["reasons"] == {"14": "its process was killed"}
    assert tiny["published"] == {"biosses": 82.7, "hoc": 82.9}
    assert hub["recipes"][0]["reasons"] == {"13": "no encoder", "14": "no encoder"}
    assert hub["recipes"][0]["metric"] is None
    relations = matrix.to_json(BIORED, HEADS)[1]["published"]
    assert relations == {"biored": {"relations": {"pair": 72.9, "type": 58.9, "all": 47.7}}}


def test_markdown_has_the_same_rows():
    found = list(matrix.tables(FOUND, SYSTEMS, title="Two", split="test"))
    lines = [each for table in found for each in as_markdown(table)]
    assert any(each.startswith("| tiny | 82.0 ± 2.8 | 70.0 |") for each in lines)


SPACE = "{http://www.w3.org/2000/svg}"


def drawn(found) -> ElementTree.Element:
    picture = speed.svg(found, title="a <b>", split="test", signature="s")
    return ElementTree.fromstring(picture)


def test_the_faster_stands_right_and_the_better_higher():
    found = [
        related("slow", "a", 0.8, answer_seconds=1.0),
        related("fast", "b", 0.7, answer_seconds=0.01, answer_memory=None),
    ]
    root = drawn(found)
    slow, fast = (
        (float(e.get("cx", "")), float(e.get("cy", ""))) for e in root.iter(f"{SPACE}circle")
    )
    assert slow[0] < fast[0]
    assert slow[1] < fast[1]  # down the page is worse
    texts = [e.text for e in root.iter(f"{SPACE}text")]
    assert {"slow", "fast", "50.0, 1/s, 200 MB", "40.0, 100/s"} <= set(texts)
    ticks = dict(
        zip(
            (e.text for e in root.iter(f"{SPACE}text") if "tick" in e.get("class", "")),
            (float(e.get("x", "")) for e in root.iter(f"{SPACE}text") if "tick" in e.get("class")),
            strict=True,
        )
    )
    assert ticks["1"] == slow[0]
    assert ticks["100"] == fast[0]


def test_labels_of_near_points_stand_apart_and_inside():
    found = [related(f"s{n}", "a", 0.7 + n / 1000) for n in range(6)]
    root = drawn(found)
    names = [e for e in root.iter(f"{SPACE}text") if e.get("class") == "name"]
    heights = sorted(float(e.get("y", "")) for e in names)
    assert all(lower - upper >= 31.9 for upper, lower in pairwise(heights))
    assert heights[-1] < speed.HEIGHT - 40


def test_both_fields_are_drawn_where_both_are_measured():
    root = drawn(BIORED)
    panels = [e.text for e in root.iter(f"{SPACE}text") if e.get("class") == "panel"]
    assert panels == ["mentions, F1", "relations: pair, type and novelty, F1"]
    assert speed.svg(FOUND, title="x", split="test", signature="s") == ""
