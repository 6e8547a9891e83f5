"""Lines of a byte stream: split at LF only, CR dropped before it, UTF-8 checked, BOM skipped."""

from collections.abc import Iterator
from typing import BinaryIO

from bluered.errors import FormatError

_BOM = b"\xef\xbb\xbf"


def numbered_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield (1-based number, line without its end) for each line of a binary stream."""
    for number, line in enumerate(stream, start=1):
        content = line.removesuffix(b"\n").removesuffix(b"\r")
        if number == 1:
            content = content.removeprefix(_BOM)
        yield number, content


def decode_line(line: bytes, *, source: str, line_number: int | None = None) -> str:
    """Decode one line, or raise FormatError that names the byte that is not UTF-8."""
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise FormatError(
            f"byte 0x{line[error.start]:02x} at byte {error.start + 1} of the line is not UTF-8 "
            "(convert the file first, e.g. iconv -f LATIN1 -t UTF-8)",
            source=source,
            line=line_number,
        ) from None
