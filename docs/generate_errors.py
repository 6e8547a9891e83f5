"""Write the tables of docs/errors.md and its picture: where the shipped model goes wrong.

    python docs/generate_errors.py docs/errors.md dev

What stands before the mark in the page is kept.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from bluered.corpora import documents
from bluered.documents.document import Document
from bluered.inference.bundle import load_bundle
from bluered.pipeline.load import load
from bluered.reports import calibration, errors
from bluered.reports.tables import as_markdown
from bluered.tasks.biored.calibration import answers
from bluered.tasks.biored.evaluate import find
from bluered.tasks.biored.mention_errors import mention_errors, names_of
from bluered.tasks.biored.relation_errors import relation_errors

MARK = "<!-- What follows is written by `make errors`. -->\n"
PICTURE = "images/calibration.svg"


def renew(
    page: Path,
    split: str,
    *,
    system: str,
    tagged: Sequence[Document],
    related: Sequence[Document],
) -> None:
    """Write the part of the page that follows the mark, and the picture."""
    gold = list(documents("biored", split))
    bins = calibration.reliabilities(answers(gold, tagged=tagged, related=related))
    signed = f"task:biored|split:{split}|system:{system}|docs:{len(gold)}"
    drawn = calibration.svg(bins, system=system, split=split, signature=signed)
    (page.parent / PICTURE).write_text(drawn, encoding="utf-8")
    names = names_of(documents("biored", "train"))
    mentions = mention_errors(gold, tagged, names=names)
    tables = [
        *errors.tables(mentions, relation_errors(gold, related)),
        *calibration.tables(bins),
    ]
    lines = [
        f"## {system} on BioRED {split}, {len(gold)} documents",
        "",
        f"![Reliability of its confidences]({PICTURE})",
        "",
        *(line for table in tables for line in [*as_markdown(table), ""]),
    ]
    kept = page.read_text(encoding="utf-8").split(MARK)[0]
    page.write_text(kept + MARK + "\n" + "\n".join(lines), encoding="utf-8")


def run(split: str) -> tuple[Sequence[Document], Sequence[Document]]:
    """Return what the shipped model finds: mentions from text, relations of gold concepts."""
    found = find(list(documents("biored", split)), load(), end_to_end=False)
    return found.tagged, found.related


if __name__ == "__main__":
    target, part = sys.argv[1:]
    by_text, by_gold = run(part)
    renew(Path(target), part, system=load_bundle().name, tagged=by_text, related=by_gold)
