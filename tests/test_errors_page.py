"""docs/errors.md is written by its script, and what stands before the mark is kept."""

import runpy
from pathlib import Path

from bluered.corpora import documents

ROOT = Path(__file__).parents[1]
SCRIPT = runpy.run_path(str(ROOT / "docs" / "generate_errors.py"))


def test_the_tables_are_written_anew_and_the_prose_is_kept(data_dir, monkeypatch, tmp_path):
    monkeypatch.setenv("BLUERED_DATA", str(data_dir))
    (tmp_path / "images").mkdir()
    page = tmp_path / "errors.md"
    page.write_text(f"# Prose\n\n{SCRIPT['MARK']}old tables\n")
    gold = list(documents("biored", "dev"))
    SCRIPT["renew"](page, "dev", system="gold-1", tagged=gold, related=gold)
    written = page.read_text("utf-8")
    assert written.startswith(f"# Prose\n\n{SCRIPT['MARK']}\n## gold-1 on BioRED dev")
    assert "old tables" not in written
    assert "| all | 3533 | 3533 | 100.0 | 100.0 | 100.0 | 0 | 0 | 0 | 0 | 0 |" in written
    assert "gold-1" in (tmp_path / SCRIPT["PICTURE"]).read_text("utf-8")


def test_the_page_in_docs_has_mark_tables_and_picture():
    page = (ROOT / "docs" / "errors.md").read_text("utf-8")
    prose, tables = page.split(SCRIPT["MARK"])
    assert "bluered bench biored --errors" in prose
    for title in (
        "Mentions by type, and by whether BioRED train has the name",
        "Relations by where both concepts are mentioned",
        "Types of relations: gold in rows, predicted in columns",
        "Confidences: can they be believed?",
    ):
        assert f"**{title}**" in tables
    assert (ROOT / "docs" / SCRIPT["PICTURE"]).is_file()
