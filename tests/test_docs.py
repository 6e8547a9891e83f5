"""What the pages of docs/ show is read and run."""

import re
from pathlib import Path

import pytest

from bluered.corpora.catalog import task
from bluered.documents.document import Document
from bluered.documents.examples import LabelledText
from bluered.formats.files import read_file
from bluered.metrics.counts import Counts
from bluered.tasks.answers import read
from bluered.tasks.biored.evaluate import score_predictions
from bluered.tasks.biored.waterfall import STAGES
from bluered.tasks.examples import examples

DOCS = Path(__file__).parents[1] / "docs"
SCORES = (DOCS / "scores.md").read_text("utf-8")
PYTHON = (DOCS / "python.md").read_text("utf-8")

FORMS = re.findall(r"^```(jsonl|tsv) (\S+)\n(.*?)^```$", SCORES, re.MULTILINE | re.DOTALL)
TYPES = {
    "named-entities",
    "relation-extraction",
    "document-classification",
    "sentence-similarity",
    "inference",
}


@pytest.mark.parametrize(("ending", "name", "lines"), FORMS)
def test_every_form_of_answers_is_read_as_shown(tmp_path, ending, name, lines):
    path = tmp_path / f"answers.{ending}"
    path.write_text(lines, "utf-8")
    first = read(task(name), path)[0]
    if isinstance(first, Document):
        assert first.id == "227508"
        assert [(e.start, e.end) for e in first.entities] == [(0, 8)]
    else:
        assert first.id in lines
        answer = next(filter(None, (getattr(first, n, None) for n in ("labels", "label", "score"))))
        assert all(str(one) in lines for one in (answer if isinstance(answer, tuple) else [answer]))


def test_every_type_of_task_has_its_forms():
    assert {task(name).entry.type for _, name, _ in FORMS} == TYPES


def code(heading: str) -> str:
    """Return the Python code below a heading of docs/python.md."""
    section = PYTHON.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return "\n".join(re.findall(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL))


def test_scoring_and_comparing_in_python(data_dir, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    monkeypatch.chdir(tmp_path)
    for name, step in (("mine.tsv", 5), ("other.tsv", 2)):
        rows = [
            f"{one.id}\t{','.join(one.labels or ()) if number % step else ''}\n"
            for number, one in enumerate(examples(task("hoc"), "test"))
            if isinstance(one, LabelledText)
        ]
        Path(name).write_text("index\tlabels\n" + "".join(rows))
    exec(code("Score and compare"), {})
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first.startswith("example-f1 0.9")
    assert float(last.split()[0]) > 0
    assert float(last.split()[-1]) < 0.001


def test_corpora_in_python(data_dir, monkeypatch, capsys):
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    exec(code("Corpora"), {})
    out = capsys.readouterr().out
    assert " CPR:4 " in out
    assert "_s0 " in out


def test_the_example_of_lost_relations_is_worked_out_right(tmp_path):
    blocks = re.findall(r"^```pubtator (\w+)\n(.*?)^```$", SCORES, re.MULTILINE | re.DOTALL)
    sides: dict[str, list[Document]] = {}
    for name, lines in blocks:
        (tmp_path / f"{name}.pubtator").write_text(lines, "utf-8")
        sides[name] = list(read_file(tmp_path / f"{name}.pubtator"))
    scores = score_predictions(sides["gold"], sides["predicted"], from_text=True)
    rows = dict(re.findall(r"^\| (\w+) \| (\d \| \d \| \d \| [\d.]+) \|", SCORES, re.MULTILINE))
    for row, stage in zip(("mentions", "ids", "pairs", "types", "novelty"), STAGES, strict=True):
        counts = scores.total("waterfall", stage)
        found = f"{counts.tp} | {counts.fp} | {counts.fn} | {100 * counts.f1:.1f}"
        assert rows[row] == found, row
    assert scores.total("linking", "overall") == Counts(tp=3)
    assert scores.total("mention_ids", "overall") == Counts(tp=3, fp=2, fn=3)
    assert scores.total("concepts", "overall") == Counts(tp=3, fp=2, fn=4)
