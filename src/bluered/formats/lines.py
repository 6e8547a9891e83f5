"""Lines of a byte stream: split at LF only, CR dropped before it, UTF-8 checked, BOM skipped."""

from collections.abc import Iterator
from typing import BinaryIO

from bluered.errors import FormatError

BOM = b"\xef\xbb\xbf"


def numbered_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield (1-based number, line without its end) for each line of a binary stream."""
    for number, line in enumerate(stream, start=1):
        content = line.removesuffix(b"\n").removesuffix(b"\r")
        if number == 1:
            content = content.removeprefix(BOM)
        yield number, content


def decode_line(line: bytes, *, source: str, line_number: int | None = None) -> str:
    """Decode one line, or raise FormatError that names the byte that is not UTF-8 text."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise FormatError(
            f"byte 0x{line[error.start]:02x} at {_place(line, error.start, line_number)} is not "
            "UTF-8 (convert the file first, e.g. iconv -f LATIN1 -t UTF-8)",
            source=source,
            line=line_number or line.count(b"\n", 0, error.start) + 1,
        ) from None
    if "\0" in text:
        position = line.index(0)
        raise FormatError(
            f"NUL byte at {_place(line, position, line_number)}: not text, or a broken copy "
            "(bluered doctor --fix puts a space for each NUL)",
            source=source,
            line=line_number or line.count(b"\n", 0, position) + 1,
        )
    return text


def _place(data: bytes, position: int, line_number: int | None) -> str:
    """Name a byte's place: in its line; without a line number, in the whole data."""
    return f"byte {position + 1} of the {'line' if line_number else 'file'}"
