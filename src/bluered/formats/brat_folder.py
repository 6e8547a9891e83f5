"""A folder of brat standoff: for each document `id.txt` and `id.ann`."""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from urllib.parse import quote, unquote

from bluered.documents.document import Document
from bluered.errors import FormatError
from bluered.formats.brat_lines import annotation_lines, parse
from bluered.formats.lines import BOM, decode_line, numbered_lines
from bluered.formats.streams import TEMPORARY, named

TEXT, ANNOTATIONS = ".txt", ".ann"


def is_brat(path: str | Path) -> bool:
    """Tell whether a path is a brat annotation file or a folder with some in it."""
    path = Path(path)
    return path.suffix == ANNOTATIONS or (path.is_dir() and any(path.glob(f"*{ANNOTATIONS}")))


def read_pairs(
    path: str | Path,
    *,
    check: bool = True,
    on_error: Callable[[FormatError], None] | None = None,
) -> Iterator[Document]:
    """Yield the documents of a folder, by name, or the one of a file of a pair."""
    path = Path(path)
    if path.is_dir():
        names = {p.with_suffix("") for p in path.iterdir() if p.suffix in (TEXT, ANNOTATIONS)}
    else:
        names = {path.with_suffix("")}
    if not names:
        raise FormatError(f"expected files {ANNOTATIONS} and {TEXT}, found none", source=str(path))
    for name in sorted(names):
        try:
            yield _read_pair(name, check=check)
        except FormatError as error:
            if on_error is None:
                raise
            on_error(error)


def _read_pair(name: Path, *, check: bool) -> Document:
    text_path, lines_path = (name.with_name(name.name + end) for end in (TEXT, ANNOTATIONS))
    if not text_path.exists():
        raise FormatError(
            f"expected the text {text_path.name} beside it, found none", source=str(lines_path)
        )
    text = decode_line(text_path.read_bytes().removeprefix(BOM), source=str(text_path))
    key = unquote(name.name)
    if not lines_path.exists():
        return parse(key, text, [], source=str(text_path), check=check)
    with lines_path.open("rb") as stream:
        return parse(key, text, numbered_lines(stream), source=str(lines_path), check=check)


def write_pairs(
    documents: Iterable[Document], folder: str | Path, *, losses: Counter[str] | None = None
) -> int:
    """Write documents as a folder of pairs and return how many; on an error nothing is left.

    The files are put into a folder that exists, or the folder is made.
    """
    lost = Counter[str]() if losses is None else losses
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise FormatError("expected a folder to write brat files to", source=str(folder))
    try:
        return _write_all(documents, folder, lost)
    except OSError as error:  # a full disk: the system names no file, or one that is gone
        raise named(error, folder) from None


def _write_all(documents: Iterable[Document], folder: Path, lost: Counter[str]) -> int:
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=TEMPORARY) as temporary:
        count = 0
        for document in documents:
            name = Path(temporary) / (quote(document.id, safe=" ,;+=@()") or "document")
            text_path, lines_path = (name.with_name(name.name + e) for e in (TEXT, ANNOTATIONS))
            if text_path.exists():
                raise FormatError(
                    "two documents with one id would share a file", document=document.id
                )
            text = document.text.replace("\0", " ")
            lost["NUL characters (written as spaces)"] += document.text.count("\0")
            text_path.write_bytes(text.encode())
            lines = "".join(f"{line}\n" for line in annotation_lines(document, lost))
            lines_path.write_bytes(lines.encode())
            count += 1
        folder.mkdir(exist_ok=True)
        for path in sorted(Path(temporary).iterdir()):
            path.replace(folder / path.name)
    return count
