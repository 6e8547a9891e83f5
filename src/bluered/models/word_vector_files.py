"""Files of static word vectors: word2vec (text, binary), fastText .vec, and GloVe-like text.

Text files have a line for each word, its numbers separated by spaces; word2vec and fastText begin
with a line of how many vectors and numbers there are, GloVe does not. In binary files each word
and a space stand before its numbers (float32, little-endian). Any may be packed with gzip. Words
cut inside a character, as word2vec cuts them, are read with a replacement character.
"""

import codecs
import gzip
import re
import zlib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import BinaryIO, Literal, cast

import numpy as np
from msgspec import Struct

from bluered.encoding.viterbi import Floats
from bluered.errors import FormatError, ModelError

Layout = Literal["text", "binary"]

_HEADER = re.compile(rb"(\d{1,12})[ \t](\d{1,6})\s*")
_FASTTEXT_MODEL = b"\xba\x16\x4f\x2f"
_GZIP = b"\x1f\x8b"
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
_BLANKS = b" \r\n\t"
_CHUNK = 1 << 20


class WordVectors(Struct, frozen=True):
    """Vectors of shape (words, size), and the row of each word."""

    rows: dict[str, int]
    vectors: Floats


def row_of(rows: dict[str, int], word: str) -> int | None:
    """Return the row of a word, else that of its lower-cased form, else nothing."""
    found = rows.get(word)
    return rows.get(word.lower()) if found is None else found


def read_vectors(
    path: Path, *, words: Collection[str] | None = None, layout: Layout | None = None
) -> WordVectors:
    """Return the vectors of a file: of all its words, or only those that `words` asks for.

    With `words`, those and their lower-cased forms are kept, so that memory grows with what is
    asked, not with the file. Of a word that stands there twice the first vector counts. The layout
    is seen from the file's beginning; `layout` overrules that.

    FormatError names the line (in a binary file the vector) that is not as promised, and a file
    that ends early; ModelError a file that is absent, or a fastText model (.bin).
    """
    wanted = None if words is None else {w.encode("utf-8", "replace") for w in _forms(words)}
    try:
        with _opened(path) as stream:
            start = stream.read(_CHUNK)
            if start.startswith(_FASTTEXT_MODEL):
                raise ModelError(
                    f"{path} is a fastText model: export its vectors as text and give that file "
                    f"(the .vec beside it; or fasttext print-word-vectors {path.name} < words.txt "
                    "> words.vec, which makes vectors for unknown words too)"
                )
            binary = layout == "binary" if layout else _is_binary(start)
            read = _binary_rows if binary else _text_rows
            return _collected(*read(_Chunks(stream, start), wanted, str(path)))
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FormatError(f"the packed file is damaged: {error}", source=str(path)) from None
    except OSError as error:
        raise ModelError(f"no word vectors at {path}: {error.strerror or error}") from None


class _Chunks:
    """A stream's bytes, taken up to a mark or by number, read a chunk at a time."""

    def __init__(self, stream: BinaryIO, start: bytes) -> None:
        self.stream, self.held, self.at = stream, start, 0

    def until(self, mark: bytes) -> bytes:
        """Return the bytes up to and with the mark, or all that are left where there is none."""
        seen = self.at
        while (found := self.held.find(mark, seen)) < 0:
            seen = len(self.held) - self.at
            if not self._more():
                found = len(self.held)
                break
        return self._taken(found + 1)

    def number(self, size: int) -> bytes:
        """Return so many bytes, or what is left."""
        while len(self.held) - self.at < size and self._more():
            pass
        return self._taken(self.at + size)

    def _more(self) -> bool:
        chunk = self.stream.read(_CHUNK)
        self.held, self.at = self.held[self.at :] + chunk, 0
        return bool(chunk)

    def _taken(self, end: int) -> bytes:
        taken = self.held[self.at : end]
        self.at = min(end, len(self.held))
        return taken


def _opened(path: Path) -> BinaryIO:
    with path.open("rb") as stream:
        packed = stream.read(2) == _GZIP
    return cast("BinaryIO", gzip.open(path)) if packed else path.open("rb")


def _forms(words: Collection[str]) -> Iterator[str]:
    for word in words:
        yield word
        yield word.lower()


def _is_binary(start: bytes) -> bool:
    """Whether numbers follow the header's first word as bytes; text has a whole line of numbers."""
    first, _, rest = start.partition(b"\n")
    header = _HEADER.fullmatch(first)
    if header is None or not rest:
        return False
    fields = rest.partition(b"\n")[0].rstrip(b" \r").rsplit(b" ", int(header[2]))
    if len(fields) == int(header[2]) + 1 and _numbers(fields[1:]) is not None:
        return False
    if _CONTROLS.search(rest):
        return True
    try:
        codecs.getincrementaldecoder("utf-8")().decode(rest)  # it may end inside a character
    except UnicodeDecodeError:
        return True
    return False


def _numbers(fields: list[bytes]) -> Floats | None:
    """Return finite numbers, or nothing where a field is none."""
    try:
        with np.errstate(over="ignore"):
            numbers = np.fromiter(map(float, fields), dtype=np.float32, count=len(fields))
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


Rows = Iterator[tuple[bytes, Floats]]


def _text_rows(chunks: _Chunks, wanted: set[bytes] | None, source: str) -> tuple[int, Rows]:
    """Return how many numbers a vector has, and the wanted words with their vectors."""
    line = chunks.until(b"\n")
    header = _HEADER.fullmatch(line)
    size = int(header[2]) if header else line.rstrip(_BLANKS).count(b" ")
    if size == 0:
        raise FormatError("expected a word and its numbers", source=source, line=1)
    first = (2, chunks.until(b"\n")) if header else (1, line)
    lines = _text_lines(chunks, first, int(header[1]) if header else None, source)

    def rows() -> Rows:
        spaces = wanted is None or any(b" " in word for word in wanted)
        for number, line in lines:
            found = line.count(b" ")
            if found < size or line.startswith(b" "):
                said = f"expected a word and {size} numbers, found {_text(line[:40])!r}"
                raise FormatError(said, source=source, line=number)
            if not spaces and found == size and line[: line.index(b" ")] not in (wanted or ()):
                continue  # most lines of a large file end here
            word, *fields = line.rsplit(b" ", size)
            if (vector := _numbers(fields)) is None:
                said = f"expected {size} finite numbers after {_text(word[:40])!r}"
                raise FormatError(said, source=source, line=number)
            if wanted is None or word in wanted:
                yield word, vector

    return size, rows()


def _text_lines(
    chunks: _Chunks, first: tuple[int, bytes], promised: int | None, source: str
) -> Iterator[tuple[int, bytes]]:
    """Yield the numbered lines, and see that there are as many as promised."""
    number, line = first
    while line.strip():
        yield number, line.rstrip(_BLANKS)
        number, line = number + 1, chunks.until(b"\n")
    if line and chunks.until(b"\n").strip():
        raise FormatError("an empty line before the end", source=source, line=number)
    if promised is not None:
        _check_count(promised, number - first[0], source)


def _binary_rows(chunks: _Chunks, wanted: set[bytes] | None, source: str) -> tuple[int, Rows]:
    """Return the same of a binary file."""
    header = _HEADER.fullmatch(chunks.until(b"\n"))
    if header is None or not int(header[2]):
        raise FormatError("expected how many vectors and numbers", source=source, line=1)
    promised, size = int(header[1]), int(header[2])

    def rows() -> Rows:
        for count in range(promised):
            word = chunks.until(b" ").lstrip(b"\n")[:-1]  # word2vec ends a vector with a line end
            content = chunks.number(4 * size)
            if len(content) < 4 * size:
                _check_count(promised, count, source)
            if wanted is None or word in wanted:
                vector = np.frombuffer(content, dtype="<f4")
                if not word or not np.isfinite(vector).all():
                    said = f"vector {count + 1}: expected a word and {size} finite numbers, found "
                    raise FormatError(f"{said}{_text(word[:40])!r}", source=source)
                yield word, vector
        if chunks.number(2).strip():
            _check_count(promised, promised + 1, source)

    return size, rows()


def _check_count(promised: int, found: int, source: str) -> None:
    if found < promised:
        raise FormatError(
            f"its first line promises {promised} vectors, but the file ends after {found}: "
            "it is cut off",
            source=source,
        )
    if found > promised:
        raise FormatError(
            f"its first line promises {promised} vectors, but the file goes on after them",
            source=source,
        )


def _collected(size: int, found: Rows) -> WordVectors:
    rows: dict[str, int] = {}
    content = bytearray()  # grows in place, where a list of arrays would need twice the memory
    for word, vector in found:
        text = _text(word)
        if text not in rows:
            rows[text] = len(rows)
            content += vector.tobytes()
    return WordVectors(rows, np.frombuffer(content, dtype=np.float32).reshape(-1, size))


def _text(word: bytes) -> str:
    return word.decode("utf-8", "replace")
