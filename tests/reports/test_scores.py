"""Scores as JSON and tables."""

import pytest

from bluered.metrics.counts import Counts
from bluered.metrics.significance import Interval
from bluered.reports import scores as report
from bluered.reports.published import published_rows
from bluered.reports.tables import Table, as_markdown, as_text
from bluered.tasks.quirks import Moved, Quirk, Step
from bluered.tasks.scores import Scores

SCORES = Scores(
    task="biored",
    scorer="correct",
    documents=("1", "2"),
    counts={
        ("ner", "overall"): [Counts(8, 1, 1), Counts(2, 0, 1)],
        ("ner", "by_type", "CellLine"): [Counts(1, 1, 0), Counts()],
        ("relations", "pair"): [Counts(3, 1, 1), Counts(0, 0, 1)],
        ("relations", "type"): [Counts(2, 2, 2), Counts(0, 0, 1)],
        ("relations", "novelty"): [Counts(3, 1, 1), Counts(0, 0, 1)],
        ("relations", "all"): [Counts(2, 2, 2), Counts(0, 0, 1)],
        ("relations", "by_concept_pair", "Gene-Gene", "pair"): [Counts(3, 1, 1), Counts(0, 0, 1)],
        ("relations", "by_concept_pair", "Gene-Gene", "all"): [Counts(2, 2, 2), Counts(0, 0, 1)],
    },
    notes={"left out": 3},
)


def test_json_has_the_shape_of_the_issue():
    found = {("ner", "overall"): Interval(0.5, 0.9)}
    result = report.to_json(SCORES, signature="s", intervals=found)
    assert list(result) == ["task", "scorer", "signature", "ner", "relations", "notes"]
    assert result["ner"]["overall"] == {
        "tp": 10,
        "fp": 1,
        "fn": 2,
        "precision": pytest.approx(10 / 11),
        "recall": pytest.approx(10 / 12),
        "f1": pytest.approx(20 / 23),
        "interval": [0.5, 0.9],
    }
    assert "interval" not in result["relations"]["pair"]
    assert result["relations"]["by_concept_pair"]["Gene-Gene"]["all"]["fn"] == 3


def test_tables_say_what_the_counts_say():
    text = "\n".join(line for table in report.tables(SCORES) for line in [*as_text(table), ""])
    assert text == GOLDEN


GOLDEN = """\
Mentions, exact spans and type
type      gold  tp  fp  fn     P      R    F1
--------  ----  --  --  --  ----  -----  ----
overall     12  10   1   2  90.9   83.3  87.0
CellLine     1   1   1   0  50.0  100.0  66.7

Relations
measure    gold  tp  fp  fn     P     R    F1
---------  ----  --  --  --  ----  ----  ----
pair          5   3   1   2  75.0  60.0  66.7
+ type        5   2   2   3  50.0  40.0  44.4
+ novelty     5   3   1   2  75.0  60.0  66.7
all           5   2   2   3  50.0  40.0  44.4

Relations, by concept pair
           gold  predicted  pair F1  all F1
---------  ----  ---------  -------  ------
Gene-Gene     5          4     66.7    44.4
"""


def test_published_rows_stand_beside_the_system():
    found = report.intervals(SCORES)
    tables = {t.title: t for t in report.tables(SCORES, intervals=found, system="ours")}
    ner = tables["Mentions, exact spans and type: F1 beside published figures"]
    assert ner.rows[0][0] == "ours"
    assert ner.rows[0][1].startswith("87.0 [")
    assert [list(row) for row in ner.rows[1:]] == [
        ["BiLSTM-CRF", "87.1"],
        ["BioBERT-CRF", "88.7"],
        ["PubMedBERT-CRF", "89.3"],
    ]
    relations = tables["Relations: F1 beside published figures"]
    assert list(relations.rows[1]) == ["PubMedBERT", "72.9", "58.9", "-", "47.7"]
    assert all("*" in row[0] for row in relations.rows[2:])


def test_every_published_row_has_a_source_and_a_plausible_figure():
    for row in published_rows():
        assert "doi:" in row.source
        assert all(0 < value < 100 for value in row.f1.values())
        assert set(row.f1) <= {"overall", *report.COLUMNS}


def test_markdown_escapes_what_would_break_a_table():
    table = Table("T", ["a", "b"], [["x|y*", "1"]], notes=("n|m",))
    assert list(as_markdown(table)) == [
        "**T**",
        "",
        "| a | b |",
        "|:--|--:|",
        "| x\\|y\\* | 1 |",
        "",
        "- n\\|m",
    ]


def test_quirk_table_explains_only_what_moved():
    steps = [
        Step(Quirk("five", "only five", "a.py"), {"typed": Moved(-2, 1, 0)}),
        Step(Quirk("none", "nothing", "b.py"), {"typed": Moved(0, 0, 0)}),
    ]
    table = report.quirk_table(steps)
    assert [list(row) for row in table.rows] == [["five", "-2/+1/+0"], ["none", "-"]]
    assert table.notes == ("five: only five (a.py)",)
    assert report.quirks_json(steps)[0]["moved"] == {"typed": {"tp": -2, "fp": 1, "fn": 0}}
