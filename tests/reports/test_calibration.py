"""Confidences as tables, for programs and as a picture."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from bluered.reports import calibration
from bluered.reports.tables import as_text
from bluered.tasks.biored.calibration import Answers

CHROMIUM = Path("/usr/bin/chromium")
FOUND = {
    "mentions": Answers((0.95, 0.95, 0.85, 0.15), (True, True, False, False), 2),
    "relations": Answers((), (), 3),
    "novelty": Answers((0.6, 0.7), (True, True), 0),
}


def text(found: dict[str, Answers]) -> str:
    tables = calibration.tables(calibration.reliabilities(found))
    return "\n".join(line for table in tables for line in [*as_text(table), ""])


GOLDEN = """\
Confidences: can they be believed?
                         right is  n  confidence  right  error  by chance  equal mass  without
---------  ----------------------  -  ----------  -----  -----  ---------  ----------  -------
mentions     exact spans and type  4        72.5   50.0   27.5       17.0        27.5        2
relations           pair and type  0                                                         3
novelty    novelty of right pairs  2        65.0  100.0   35.0       44.8        35.0        0
  error: expected calibration error in points over 10 bins of equal width, or of equal mass; \
by chance: what true probabilities would show with so few predictions; \
without: predictions that state no confidence

Confidences of mentions: exact spans and type
confidence  n  mean  right  too sure by
----------  -  ----  -----  -----------
0.1 to 0.2  1  15.0    0.0        +15.0
0.8 to 0.9  1  85.0    0.0        +85.0
0.9 to 1.0  2  95.0  100.0         -5.0

Confidences of novelty: novelty of right pairs
confidence  n  mean  right  too sure by
----------  -  ----  -----  -----------
0.5 to 0.6  1  60.0  100.0        -40.0
0.6 to 0.7  1  70.0  100.0        -30.0
"""


def test_tables_say_what_the_bins_say():
    assert text(FOUND) == GOLDEN


def test_it_is_told_where_there_are_no_confidences():
    none = {name: Answers((), (), 4) for name in FOUND}
    assert calibration.NONE in text(none)
    assert calibration.NONE not in text(FOUND)
    assert "none given" in picture(none)


def test_bins_for_programs():
    found = calibration.to_json(calibration.reliabilities(FOUND))
    assert list(found) == ["mentions", "relations", "novelty"]
    assert found["mentions"]["error"] == pytest.approx(0.275)
    assert found["relations"]["predictions"] == 0
    assert found["relations"]["without_confidence"] == 3
    bins = found["mentions"]["bins"]
    assert [one["predictions"] for one in bins] == [0, 1, 0, 0, 0, 0, 0, 0, 1, 2]
    assert len(found["novelty"]["bins_equal_mass"]) == 2


def picture(found: dict[str, Answers]) -> str:
    return calibration.svg(
        calibration.reliabilities(found), system="a <b> & c", split="dev", signature="task:biored"
    )


def test_bars_end_where_the_share_of_right_ones_is():
    space = "{http://www.w3.org/2000/svg}"
    drawn = ElementTree.fromstring(picture(FOUND))
    bars = [r for r in drawn.iter(f"{space}rect") if r.get("class") == "right"]
    heights = [float(bar.get("height", "")) for bar in bars]
    assert heights == [0, 0, 220, 220, 220]
    dots = [float(dot.get("cx", "")) for dot in drawn.iter(f"{space}circle")]
    assert dots[:3] == pytest.approx([60 + 220 * c for c in (0.15, 0.85, 0.95)])
    words = [element.text for element in drawn.iter(f"{space}text")]
    assert "4 predicted, error 27.5" in words
    assert "a <b> & c: can its confidences be believed?" in words
    assert "href" not in picture(FOUND)
    assert "task:biored" in picture(FOUND)


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_words_meet_and_all_lie_within(tmp_path, scheme):
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    many = {name: Answers((0.75,) * 99999, (True,) * 99999, 0) for name in FOUND}
    (tmp_path / "c.svg").write_text(picture(many), "utf-8")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu", "--no-first-run"]
        )
        page = browser.new_context(color_scheme=scheme).new_page()
        page.goto((tmp_path / "c.svg").as_uri())
        boxes = page.evaluate(
            "[...document.querySelectorAll('text')].map(t => t.getBBox())"
            ".map(b => [b.x, b.y, b.x + b.width, b.y + b.height])"
        )
        browser.close()
    assert all(
        b[0] >= 0 and b[2] <= calibration.WIDTH and b[3] <= calibration.HEIGHT for b in boxes
    )
    meeting = [
        (a, b)
        for n, a in enumerate(boxes)
        for b in boxes[:n]
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]
    assert meeting == []
