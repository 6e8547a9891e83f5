"""The layout "medsts": pairs of clinical sentences with a score of likeness from 0 to 5.

The distribution (ClinicalSTS 2018) has lines of `sentence TAB sentence TAB score` for training and
`sentence TAB sentence` for the test, whose scores stand in a file of their own, one a line. BLUE's
derived tables (*.tsv) have a header, the id in the first and the pair in the last three columns, as
bluebert's run_bluebert_sts.py reads them. A pair of the distribution has no id: it gets its line's
number, from 0, as the tables of the STS benchmark count.
"""

from collections.abc import Iterator
from pathlib import Path

from bluered.corpora.archive_texts import read_text
from bluered.corpora.blue_tables import body_rows
from bluered.corpora.own_split import EVERY_PAIR, share
from bluered.corpora.source import Source, files_of
from bluered.documents.examples import TextPair
from bluered.errors import FormatError
from bluered.formats.numbers import as_number

LOWEST, HIGHEST = 0.0, 5.0


def read(source: Source) -> Iterator[TextPair]:
    """Yield the pairs of a split in the order of its file."""
    pairs, *scores = files_of(source, "the file of its pairs", "that of their scores", least=1)
    if pairs.suffix == ".tsv":
        return _table(pairs)
    if scores:
        return _test(pairs, scores[0])
    return share(_training(pairs), source.split, EVERY_PAIR)


def _training(path: Path) -> Iterator[TextPair]:
    for number, line in enumerate(_lines(path), start=1):
        first, second, written = _fields(line, 3, path, number)
        score = _score(written, path, number)
        yield TextPair(id=str(number - 1), first=first, second=second, score=score)


def _test(path: Path, gold: Path) -> Iterator[TextPair]:
    """Yield the test pairs with the scores of the other file (its last column, if it has more)."""
    pairs, scores = _lines(path), _lines(gold)
    if len(pairs) != len(scores):
        raise FormatError(
            f"expected a score for each of the {len(pairs)} pairs of {path.name}, found "
            f"{len(scores)}",
            source=str(gold),
        )
    for number, (line, written) in enumerate(zip(pairs, scores, strict=True), start=1):
        first, second, *_ = _fields(line, 2, path, number)
        score = _score(written.rpartition("\t")[2], gold, number)
        yield TextPair(id=str(number - 1), first=first, second=second, score=score)


def _table(path: Path) -> Iterator[TextPair]:
    seen: set[str] = set()
    for row in body_rows(path, at_least=4, is_row=lambda fields: _is_number(fields[-1])):
        *_, first, second, written = row.fields
        if row.fields[0] in seen:
            message = "the id in the first column stands in an earlier row too"
            raise FormatError(message, source=str(path), line=row.line)
        seen.add(row.fields[0])
        score = _score(written, path, row.line)
        yield TextPair(id=row.fields[0], first=first, second=second, score=score)


def _is_number(written: str) -> bool:
    try:
        float(written)
    except ValueError:
        return False
    return True


def _lines(path: Path) -> list[str]:
    lines = read_text(path).split("\n")
    while lines and not lines[-1].strip():  # some copies end in blank lines
        del lines[-1]
    return lines


def _fields(line: str, expected: int, path: Path, number: int) -> list[str]:
    fields = [field.strip() for field in line.split("\t")]
    if len(fields) != expected and not (expected == 2 and len(fields) == 3):
        raise FormatError(
            f"expected {expected} columns with tabs between them, found {len(fields)}",
            source=str(path),
            line=number,
        )
    return fields


def _score(written: str, path: Path, number: int) -> float:
    try:
        score = as_number(written)
    except ValueError:
        score = float("nan")
    if not LOWEST <= score <= HIGHEST:  # false for NaN too
        raise FormatError(
            "expected a score from 0 to 5 in the last column, found something else",
            source=str(path),
            line=number,
        )
    return score
