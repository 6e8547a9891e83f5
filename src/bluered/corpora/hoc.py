"""The layout "hoc": sentences of abstracts with the hallmarks of cancer they give evidence of.

Three forms are read, told apart by what the path is:

- BLUE's table, `index sentence labels` (a file; index `<pmid>_s<i>`, labels joined by commas);
- BLUE's folder HoCCorpus, a file for each abstract with a line `sentence TAB ['label', ...]`;
- the authors' folder text, a file for each abstract with a line for each sentence, beside the
  folder labels, whose files hold a `<` before the classes of each sentence.

For a folder the abstracts of a split are those in `<split>_docid.txt` beside it, else those that
BLUE published (split_ids/hoc.toml).
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from bluered.corpora.published_splits import published_ids
from bluered.corpora.source import Source
from bluered.documents.examples import LabelledText
from bluered.errors import CorpusError, FormatError, unknown_name

HALLMARKS = (
    "activating invasion and metastasis",
    "avoiding immune destruction",
    "cellular energetics",
    "enabling replicative immortality",
    "evading growth suppressors",
    "genomic instability and mutation",
    "inducing angiogenesis",
    "resisting cell death",
    "sustaining proliferative signaling",
    "tumor promoting inflammation",
)
"""The ten classes in the order of BLUE's eval_hoc.py."""

HEADER = ["index", "sentence", "labels"]
AND = re.compile(r"\s+AND\s*(?=[A-Z])")
"""What stands between two classes of a sentence; the space behind it is often missing."""

NO_CLASS = frozenset({"", "NULL"})


def read(source: Source) -> Iterator[LabelledText]:
    """Yield the sentences of a split, document by document; labels in alphabetical order."""
    for path in source.paths:
        if path.is_file():
            yield from _table(path)
            continue
        authors = path.name == "text" and (path.parent / "labels").is_dir()
        of_document = _authors_document if authors else _blue_document
        for pmid in _document_ids(path, source.split):
            yield from of_document(path, pmid)


def hallmark(name: str) -> str:
    """Return which of the ten hallmarks one of the authors' 37 classes belongs to, "" if none.

    A class is written as its path, from the hallmark down: `Resisting cell death--Apoptosis`.

    >>> hallmark("Evading growth suppressors--By deregulating cell cycle checkpoints--Cell cycle")
    'evading growth suppressors'
    """
    top = name.partition("--")[0].strip().lower()
    return top if top in HALLMARKS else ""


def _table(path: Path) -> Iterator[LabelledText]:
    """Yield the rows of BLUE's table; a quotation mark is a sign of the text like any other."""
    seen: set[str] = set()
    for number, line in enumerate(_lines(path), start=1):
        fields = line.split("\t")
        if number == 1:
            if fields != HEADER:
                message = f"expected the columns {', '.join(HEADER)}, found {line[:80]!r}"
                raise FormatError(message, source=str(path), line=1)
            continue
        pmid, separator, _ = fields[0].rpartition("_s")
        if len(fields) != len(HEADER) or not separator:
            message = f"expected <pmid>_s<i>, sentence and labels, found {line[:60]!r}"
            raise FormatError(message, source=str(path), line=number)
        if fields[0] in seen:
            raise FormatError(f"{fields[0]} stands twice", source=str(path), line=number)
        seen.add(fields[0])
        labels = _known(fields[2].split(",") if fields[2] else [], path, number)
        yield LabelledText(id=fields[0], document=pmid, text=fields[1], labels=labels)


def _document_ids(folder: Path, split: str) -> tuple[str, ...]:
    listed = folder.parent / f"{split}_docid.txt"
    if listed.is_file():
        return tuple(listed.read_text("utf-8").split())
    return published_ids("hoc", split)


def _blue_document(folder: Path, pmid: str) -> Iterator[LabelledText]:
    path = folder / f"{pmid}.txt"
    for number, line in enumerate(_lines(path), start=1):
        text, _, written = line.partition("\t")
        try:
            names = ast.literal_eval(written)
        except (ValueError, SyntaxError):
            names = None
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            message = f"expected a sentence, a tab and ['label', ...], found {line[-60:]!r}"
            raise FormatError(message, source=str(path), line=number)
        labels = _known(names, path, number)
        yield LabelledText(id=f"{pmid}_s{number - 1}", document=pmid, text=text, labels=labels)


def _authors_document(folder: Path, pmid: str) -> Iterator[LabelledText]:
    path = folder.parent / "labels" / f"{pmid}.txt"
    before, *segments = "".join(_lines(path)).split("<")
    texts = _lines(folder / f"{pmid}.txt")
    if before.strip() or len(segments) != len(texts):
        raise FormatError(
            f"expected '<' before the labels of each of {len(texts)} sentences, found "
            f"{len(segments)}",
            source=str(path),
        )
    for number, (text, segment) in enumerate(zip(texts, segments, strict=True)):
        classes = [name.strip() for name in AND.split(segment)]
        names = [hallmark(name) or name for name in classes if name not in NO_CLASS]
        labels = _known(names, path, 1)
        yield LabelledText(id=f"{pmid}_s{number}", document=pmid, text=text, labels=labels)


def _known(names: list[str], path: Path, number: int) -> tuple[str, ...]:
    """Return the labels without repetitions, sorted; an unknown one is an error."""
    for name in names:
        if name not in HALLMARKS:
            message = unknown_name("hallmark", name, list(HALLMARKS))
            raise FormatError(message, source=str(path), line=number)
    return tuple(sorted(set(names)))


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise CorpusError(f"{path} is missing: the copy of HoC is not complete") from None
    except UnicodeDecodeError as error:
        raise FormatError(f"not UTF-8: {error.reason}", source=str(path)) from None
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return lines[:-1] if lines[-1] == "" else lines
