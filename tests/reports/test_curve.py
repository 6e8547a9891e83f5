"""The log of a run as a table and as a picture."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from bluered.reports import curve
from bluered.reports.tables import as_text

LOG = [
    {"epoch": 1, "loss": 3.25, "seconds": 61.5, "score": 0.5, "f1": 0.7, "precision": 0.8},
    {"epoch": 2, "loss": 1.5, "seconds": 60.1, "score": 0.7, "f1": 0.8, "precision": 0.8},
    {"epoch": 3, "loss": 1.0, "seconds": 60.2, "score": 0.7, "f1": 0.84, "precision": 0.9},
]
SPACE = "{http://www.w3.org/2000/svg}"


def test_the_table_marks_the_epoch_that_is_kept():
    assert "\n".join(as_text(curve.table(LOG, title="reader"))) == GOLDEN


GOLDEN = """\
reader
epoch  loss  seconds  score    f1  precision
-----  ----  -------  -----  ----  ---------
1      3.25     61.5    0.5   0.7        0.8
2 *     1.5     60.1    0.7   0.8        0.8
3         1     60.2    0.7  0.84        0.9
  * kept: the best on dev by score"""


def drawn(log) -> ElementTree.Element:
    return ElementTree.fromstring(curve.svg(log, name="a <run>"))


def texts(root) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SPACE}text")]


def points(root) -> list[list[tuple[float, float]]]:
    lines = [e.get("points", "").split() for e in root.iter(f"{SPACE}polyline")]
    return [[(float(x), float(y)) for x, y in (p.split(",") for p in line)] for line in lines]


def test_the_picture_shows_loss_and_scores_but_not_what_f1_stands_for():
    root = drawn(LOG)
    assert "a <run>: loss and dev scores by epoch" in texts(root)
    assert "kept: epoch 2, the best by score" in texts(root)
    assert {"loss 1", "score 0.7", "f1 0.84"} <= set(texts(root))
    assert not any("precision" in text for text in texts(root))
    loss, score, f1 = points(root)
    assert [y for _, y in loss] == sorted(y for _, y in loss)  # down the page as it falls
    assert score[1][1] == score[2][1] < score[0][1]
    assert f1[0][1] == score[2][1]  # one scale: 0.7 is as high in both
    assert len({x for x, _ in loss}) == 3


def test_values_lie_between_the_lines_of_the_scale():
    root = drawn(LOG)
    heights = [float(line.get("y1", "")) for line in root.iter(f"{SPACE}line")]
    for line in points(root):
        assert all(min(heights) <= y <= max(heights) for _, y in line)


def test_names_do_not_stand_on_each_other():
    log = [{"epoch": 1, "loss": 1, "seconds": 1, **{f"s{n}": 0.5 for n in range(7)}}]
    root = drawn(log)
    places = sorted(
        float(e.get("y", ""))
        for e in root.iter(f"{SPACE}text")
        if (e.text or "").startswith("s") and e.text != "scores on dev"
    )
    names = [p for p in places if p > 100]
    assert len(names) == 7
    assert min(b - a for a, b in pairwise(names)) >= 17
    assert max(names) < curve.HEIGHT


@pytest.mark.parametrize(
    "log",
    [
        [{"epoch": 1, "loss": 0.0, "seconds": 0.1, "accuracy": 0.0, "entropy": 9.5}],
        [
            {"epoch": n, "loss": 1 / n, "seconds": 1, "pearson": -0.5 + n / 200}
            for n in range(1, 99)
        ],
        [{"epoch": 1, "loss": 5e6, "seconds": 1, "score": 1.0, "threshold": 0.3}],
    ],
)
def test_any_log_can_be_drawn(log):
    root = drawn(log)
    assert all(0 <= y <= curve.HEIGHT for line in points(root) for _, y in line)
    numbers = [t for t in texts(root) if t.isdigit()]
    assert len(numbers) < 30
    assert not any("threshold" in text for text in texts(root))


def test_entropy_is_drawn_beside_the_loss():
    root = drawn([{"epoch": 1, "loss": 5.0, "seconds": 1, "accuracy": 0.3, "entropy": 5.0}])
    loss, entropy, _ = points(root)
    assert loss == entropy
