"""The layout "biosses": sentence pairs with the scores of five annotators, the mean as gold.

The file is a table with a header: the pair's number, two sentences, one column for each annotator.
Its rows are shared out by BLUE's published numbers and come in BLUE's order.
"""

from collections.abc import Iterator
from pathlib import Path

from bluered.corpora.published_splits import published_ids
from bluered.corpora.source import Source
from bluered.documents.examples import TextPair
from bluered.errors import CorpusError, FormatError

HEADER = (
    "sentence_id",
    "sentence_1",
    "sentence_2",
    *(f"annotator_{letter}" for letter in "abcde"),
)
HIGHEST = 4
"""Each annotator gives 0 (unrelated) to 4 (equivalent), after SemEval 2012 task 6."""


def read(source: Source) -> Iterator[TextPair]:
    """Yield the pairs of a split; `score` is the mean of the annotators, white space is trimmed."""
    pairs = {pair.id: pair for path in source.paths for pair in read_pairs(path)}
    for name in published_ids("biosses", source.split):
        if name not in pairs:
            raise CorpusError(
                f"{source.paths[0]}: pair {name} of BLUE's {source.split} part is not in the file: "
                "it is not the whole corpus of 100 pairs"
            )
        yield pairs[name]


def read_pairs(path: Path) -> Iterator[TextPair]:
    """Yield all pairs of the file in its order; FormatError names the line that is wrong."""
    seen: set[str] = set()
    with path.open(encoding="utf-8-sig", newline=None) as stream:
        for number, line in enumerate(stream, start=1):
            fields = line.rstrip("\n").split("\t")
            if number == 1:
                if tuple(fields) != HEADER:
                    raise FormatError(
                        f"expected the columns {', '.join(HEADER)}, found {', '.join(fields)[:80]}",
                        source=str(path),
                        line=1,
                    )
                continue
            fault = _fault(fields, seen)
            if fault:
                raise FormatError(fault, source=str(path), line=number)
            seen.add(fields[0])
            scores = [int(field) for field in fields[3:]]
            yield TextPair(
                id=fields[0],
                first=fields[1].strip(),
                second=fields[2].strip(),
                score=sum(scores) / len(scores),
            )


def _fault(fields: list[str], seen: set[str]) -> str:
    if len(fields) != len(HEADER):
        return f"expected {len(HEADER)} columns, found {len(fields)}"
    if fields[0] in seen:
        return f"the number {fields[0]} of a pair stands twice"
    wrong = [f for f in fields[3:] if f not in map(str, range(HIGHEST + 1))]
    return f"expected a score of 0 to {HIGHEST}, found {wrong[0]!r}" if wrong else ""
