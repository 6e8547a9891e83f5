"""What each step loses: tables, JSON and the picture, also in a browser."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from bluered.metrics.counts import Counts
from bluered.reports import linking, waterfall
from bluered.reports.scores import intervals
from bluered.reports.tables import as_text
from bluered.tasks.scores import Scores

CHROMIUM = Path("/usr/bin/chromium")


def counted(counts: dict[tuple[str, ...], Counts]) -> Scores:
    return Scores(
        task="biored",
        scorer="correct",
        documents=("1", "2"),
        counts={path: [found, Counts()] for path, found in counts.items()},
    )


CHAIN = {
    ("waterfall", "mentions"): Counts(3, 1, 1),
    ("waterfall", "ids"): Counts(2, 2, 2),
    ("waterfall", "pair"): Counts(2, 3, 2),
    ("waterfall", "type"): Counts(1, 4, 3),
    ("waterfall", "novelty"): Counts(0, 5, 4),
}
RELATIONS = dict(zip(("pair", "type", "novelty", "all"), (3, 2, 2, 1), strict=True))
FROM_MODEL = {
    ("ner", "overall"): Counts(4, 1, 1),
    ("relations", "pair"): Counts(3, 1, 1),
    ("right_pairs", "type"): Counts(2, 1, 1),
    ("right_pairs", "novelty"): Counts(2, 1, 1),
} | {
    (*place, name): Counts(number, 4 - number, 4 - number)
    for place in waterfall.INPUTS
    for name, number in RELATIONS.items()
}


def text(scores: Scores) -> str:
    tables = waterfall.tables(scores, waterfall.losses(scores), intervals={})
    return "\n".join(line for table in tables for line in [*as_text(table), ""])


def test_tables_say_what_the_counts_say():
    assert text(counted(CHAIN | FROM_MODEL)) == GOLDEN


GOLDEN = """\
Where relations from text are lost
stage        tp  fp  fn      P      R  F1 left   lost  95% interval
-----------  --  --  --  -----  -----  -------  -----  ------------
gold          4   0   0  100.0  100.0    100.0
mentions      3   1   1   75.0   75.0     75.0   25.0   [0.0, 25.0]
ids           2   2   2   50.0   50.0     50.0   25.0   [0.0, 25.0]
pairs         2   3   2   40.0   50.0     44.4    5.6    [0.0, 5.6]
types         1   4   3   20.0   25.0     22.2   22.2   [0.0, 22.2]
novelty       0   5   4    0.0    0.0      0.0   22.2   [0.0, 22.2]
lost in all                                     100.0
  each row: the errors of its stage and those before stay, later stages make none; R is what \
perfect later stages could still find; the last row but one is F1 of "all"

Each stage alone, on gold input
stage                     given   measure  of
--------  ---------------------  --------  --  ------
mentions                   text        F1   5    80.0
ids               gold mentions  accuracy      no ids
pair      gold mentions and ids        F1   4    75.0
type            its right pairs  accuracy   3    66.7
novelty         its right pairs  accuracy   3    66.7

Relations by what they were found from: F1
given                              pair  + type  + novelty   all
---------------------------------  ----  ------  ---------  ----
gold mentions, gold ids            75.0    50.0       50.0  25.0
gold mentions, predicted ids       75.0    50.0       50.0  25.0
predicted mentions, gold ids       75.0    50.0       50.0  25.0
predicted mentions, predicted ids  75.0    50.0       50.0  25.0
"""


def test_a_file_has_the_chain_alone_and_others_nothing():
    assert text(counted(CHAIN)).splitlines()[0] == "Where relations from text are lost"
    assert "Each stage alone" not in text(counted(CHAIN))
    assert text(counted(FROM_MODEL)) == ""


def test_losses_for_programs():
    found = waterfall.losses_json(waterfall.losses(counted(CHAIN)))
    assert list(found) == ["mentions", "ids", "pair", "type", "novelty"]
    assert sum(loss["lost"] for loss in found.values()) == pytest.approx(1)
    assert found["ids"]["interval"] == pytest.approx([0, 0.25])


def test_accuracies_of_given_mentions():
    kind = ("by_type", "CellLine")
    scores = counted(
        {
            ("linking", "overall"): Counts(3, 2, 2),
            ("linking", *kind): Counts(0, 1, 1),
            ("linking", "answered", "overall"): Counts(3, 1, 1),
            ("linking", "known", "overall"): Counts(3, 1, 1),
        }
    )
    table = linking.linking_table(scores, intervals(scores), title="Ids of gold mentions")
    assert list(map(list, table.rows)) == [
        ["overall", "5", "4", "3", "60.0", "[0.0, 60.0]", "75.0", "4", "75.0"],
        ["CellLine", "1", "0", "0", "0.0", "[0.0, 0.0]", "-", "0", "-"],
    ]
    assert table.heads[-1] == "accuracy of these"
    plain = linking.linking_table(counted({("linking", "overall"): Counts(3, 2, 2)}), {}, title="T")
    assert list(plain.heads) == ["type", "gold", "answered", "right", "accuracy", "of answered"]


def picture(**change: Counts) -> str:
    counts = CHAIN | {("waterfall", stage): found for stage, found in change.items()}
    found = waterfall.losses(counted(counts))
    return waterfall.svg(found, system="a <b> & c", split="dev", signature="task:biored")


def test_the_picture_holds_the_figures_and_nothing_is_fetched():
    drawn = ElementTree.fromstring(picture())
    words = [element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    minus = "\N{MINUS SIGN}"
    losses = [f"{minus}25.0", f"{minus}25.0", f"{minus}5.6", f"{minus}22.2", f"{minus}22.2"]
    assert [word for word in words if word in {"100.0", "0.0", *losses}] == [
        "100.0", *losses, "0.0",
    ]  # fmt: skip
    assert "a <b> & c: where relations from text are lost" in words
    assert "href" not in picture()
    assert "task:biored" in picture()


def test_bars_hang_where_the_one_before_ends():
    space = "{http://www.w3.org/2000/svg}"
    drawn = ElementTree.fromstring(picture(novelty=Counts(2, 3, 2)))  # wins back 22.2
    bars = [r for r in drawn.iter(f"{space}rect") if r.get("class") in ("whole", "lost")]
    tops = [float(bar.get("y", "")) for bar in bars]
    ends = [top + float(bar.get("height", "")) for top, bar in zip(tops, bars, strict=True)]
    assert tops[0] == tops[1]
    assert ends[1:4] == pytest.approx(tops[2:5], abs=0.2)
    assert (tops[5], ends[5]) == pytest.approx((tops[6], ends[4]), abs=0.2)
    assert ends[0] == pytest.approx(ends[6], abs=0.2)
    assert "+22.2" in picture(novelty=Counts(2, 3, 2))


@pytest.mark.browser
@pytest.mark.parametrize(("scheme", "paper"), [("light", "#ffffff"), ("dark", "#0d1117")])
def test_the_picture_follows_the_colour_scheme_and_no_words_meet(tmp_path, scheme, paper):
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    (tmp_path / "w.svg").write_text(picture(), "utf-8")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu", "--no-first-run"]
        )
        page = browser.new_context(color_scheme=scheme).new_page()
        page.goto((tmp_path / "w.svg").as_uri())
        found = page.evaluate(
            "getComputedStyle(document.documentElement).getPropertyValue('--paper').trim()"
        )
        boxes = page.evaluate(
            "[...document.querySelectorAll('text')].map(t => t.getBBox())"
            ".map(b => [b.x, b.y, b.x + b.width, b.y + b.height])"
        )
        browser.close()
    assert found == paper
    assert all(b[0] >= 0 and b[2] <= waterfall.WIDTH and b[3] <= waterfall.HEIGHT for b in boxes)
    meeting = [
        (a, b)
        for n, a in enumerate(boxes)
        for b in boxes[:n]
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]
    assert meeting == []
