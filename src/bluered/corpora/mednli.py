"""The layout "mednli": a premise from a patient's record, a hypothesis, and how it follows.

The distribution has a JSON object a line (mli_<split>_v1.jsonl), alone or in PhysioNet's zip.
BLUE's derived tables (*.tsv) come in two orders of columns: create_mednli_bert.py writes `index
sentence1 sentence2 label`, while bluebert's MedNLIProcessor and mt-bluebert read label, index,
sentence1, sentence2. Both are read; the labels tell which it is.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from bluered.corpora.archive_texts import read_text, texts
from bluered.corpora.blue_tables import Row, body_rows
from bluered.corpora.source import Source, files_of
from bluered.documents.examples import TextPair
from bluered.errors import CorpusError, FormatError

LABELS = ("contradiction", "entailment", "neutral")
"""In the order of BLUE's eval_mednli.py."""


class _Line(Struct, frozen=True, rename={"id": "pairID"}):
    """What is read of a line; the parses beside it are left alone."""

    id: str
    gold_label: str
    sentence1: str
    sentence2: str


_DECODER = msgspec.json.Decoder(_Line)


def read(source: Source) -> Iterator[TextPair]:
    """Yield the pairs of a split in the order of its file."""
    (path,) = files_of(source, "the file of its pairs", least=1)
    if path.suffix == ".tsv":
        return _distinct(_table(path), path)
    if path.suffix == ".zip":
        name, text = _member(path, f"mli_{source.split}_v1.jsonl")
        return _distinct(_lines(text, name), name)
    return _distinct(_lines(read_text(path), str(path)), str(path))


def _member(archive: Path, wanted: str) -> tuple[str, str]:
    found = {n: t for n, t in texts(archive, (wanted,)).items() if n.split("/")[-1] == wanted}
    if len(found) != 1:
        raise CorpusError(f"{archive} has {len(found)} members named {wanted}: expected one")
    ((name, text),) = found.items()
    return f"{archive}/{name}", text


def _lines(text: str, source: str) -> Iterator[tuple[int, TextPair]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            pair = _DECODER.decode(line)
        except msgspec.DecodeError as error:
            detail = str(error) if isinstance(error, msgspec.ValidationError) else "no JSON"
            message = f"expected an object with pairID, gold_label and two sentences: {detail}"
            raise FormatError(message, source=source, line=number) from None
        if pair.gold_label not in LABELS:
            message = f"expected gold_label to be one of {', '.join(LABELS)}"
            raise FormatError(message, source=source, line=number)
        yield (
            number,
            TextPair(
                id=pair.id, first=pair.sentence1, second=pair.sentence2, label=pair.gold_label
            ),
        )


def _table(path: Path) -> Iterator[tuple[int, TextPair]]:
    body = list(body_rows(path, at_least=4, is_row=lambda fields: set(fields) & set(LABELS)))
    label, id_, first, second = _order(body)
    for row in body:
        fields = row.fields
        if len(fields) != 4 or fields[label] not in LABELS:
            message = f"expected four columns, one of them {', '.join(LABELS)}"
            raise FormatError(message, source=str(path), line=row.line)
        yield (
            row.line,
            TextPair(
                id=fields[id_], first=fields[first], second=fields[second], label=fields[label]
            ),
        )


def _order(body: list[Row]) -> tuple[int, int, int, int]:
    """Return the columns of label, id and the two sentences, by where the first row has a label."""
    label_first = bool(body) and body[0].fields[0] in LABELS
    return (0, 1, 2, 3) if label_first else (3, 0, 1, 2)


def _distinct(pairs: Iterator[tuple[int, TextPair]], source: object) -> Iterator[TextPair]:
    lines: dict[str, int] = {}
    for number, pair in pairs:
        if pair.id in lines:
            message = f"the pair's id stands in line {lines[pair.id]} too"
            raise FormatError(message, source=str(source), line=number)
        lines[pair.id] = number
        yield pair
