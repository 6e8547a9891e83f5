"""Byte streams of files: opened for reading with their head at hand, written in one step."""

import gzip
import io
import os
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

from bluered.errors import FormatError

STANDARD = "-"
"""The path that stands for standard input or output."""

TEMPORARY = ".bluered-"
"""How the names of files begin that are not whole yet (short: a name may be long already)."""

_HEAD = 1 << 16  # bytes looked at to recognise a format
_GZIP = b"\x1f\x8b"


class _Joined(io.RawIOBase):
    """A stream that begins with bytes already taken from it."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head = memoryview(head)
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        data = self._head[: len(buffer)] or self._rest.read(len(buffer))
        self._head = self._head[len(data) :]
        buffer[: len(data)] = data
        return len(data)


def source_name(path: str | Path) -> str:
    """Return what messages call a path."""
    return "<stdin>" if str(path) == STANDARD else str(path)


@contextmanager
def opened(path: str | Path) -> Iterator[tuple[bytes, BinaryIO]]:
    """Open a file, or standard input for `-`, gunzip it, give its first bytes and its stream."""
    if Path(path).is_dir():
        raise FormatError(
            "expected a file, found a directory (name the files in it; only a folder with .ann "
            "files is read as a whole)",
            source=str(path),
        )
    try:
        if str(path) == STANDARD:
            yield _headed(sys.stdin.buffer)
        else:
            with Path(path).open("rb") as file:
                yield _headed(file)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FormatError(f"broken gzip data: {error}", source=source_name(path)) from None
    except OSError as error:  # reading may fail late, and then the system names no file
        raise named(error, source_name(path)) from None


def _headed(file: BinaryIO) -> tuple[bytes, BinaryIO]:
    head = file.read(_HEAD)
    stream = io.BufferedReader(_Joined(head, file), _HEAD)
    if not head.startswith(_GZIP):
        return head, stream
    unpacked = cast("BinaryIO", gzip.GzipFile(fileobj=stream))
    head = unpacked.read(_HEAD)
    return head, io.BufferedReader(_Joined(head, unpacked), _HEAD)


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """Give a stream whose content becomes the file at the end; on an error nothing is left.

    `-` is standard output; a name that ends in `.gz` is compressed; a link's target is written.
    """
    if str(path) == STANDARD:
        try:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise named(error, "<stdout>") from None
        return
    path = Path(os.path.realpath(path))
    if path.is_dir():
        raise FormatError("expected a file to write, found a directory", source=str(path))
    if path.exists() and not path.is_file():  # a device or a pipe: nothing to put in place
        try:
            with path.open("wb") as stream:
                yield stream
        except BrokenPipeError:
            raise
        except OSError as error:
            raise named(error, path) from None
        return
    try:
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=TEMPORARY)
    except OSError as error:
        raise named(error, path) from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            if path.suffix == ".gz":
                with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                    yield cast("BinaryIO", packed)
            else:
                yield file
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except BaseException as error:
        with suppress(OSError):
            Path(temporary).unlink()
        if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
            raise named(error, path) from None
        raise


def named(error: OSError, path: str | Path) -> OSError:
    """Return the error with the name of the file it is about, where the system named none."""
    if error.filename is None or TEMPORARY in str(error.filename):
        return OSError(error.errno, error.strerror, str(path))
    return error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
