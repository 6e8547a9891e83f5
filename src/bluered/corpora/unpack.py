"""How the members of an archive are taken out: only those the catalogue names, each verified."""

import os
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from bluered.corpora.entry import CorpusFile
from bluered.corpora.locate import INNER, content_hash
from bluered.errors import CorpusError

Open = Callable[[str], IO[bytes]]
"""Open a member of an archive by name; KeyError if there is none."""

MOST_BYTES = 1 << 20
"""A member may exceed its catalogued size (line ends aside) by this much, not by a bomb's worth."""

BROKEN = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError)


def unpack(archive: Path, files: Iterable[CorpusFile], folder: Path) -> None:
    """Write the members that `files` name to their paths in a folder, all or none.

    Names inside the archive are looked up, never used as paths, so no member can leave the folder.
    """
    with TemporaryDirectory(dir=folder, prefix=".unpack-") as name, ExitStack() as stack:
        written: list[tuple[Path, Path]] = []
        try:
            open_member = _with_inner(stack.enter_context(_opened(archive)), stack)
            for number, file in enumerate(files):
                temporary = Path(name) / str(number)
                _extract(open_member, file, temporary, archive=archive)
                written.append((temporary, folder / file.path))
        except BROKEN as error:
            reason = (
                str(error).partition("\n")[0].rstrip(":")
            )  # tarfile tells every format it tried
            raise CorpusError(
                f"{archive} is not an intact archive ({reason}): fetch it again"
            ) from None
        for temporary, target in written:
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(temporary, target)


@contextmanager
def _opened(archive: Path) -> Iterator[Open]:
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as zipped:
            yield zipped.open
        return
    with tarfile.open(archive) as tar:

        def open_member(name: str) -> IO[bytes]:
            stream = tar.extractfile(name)
            if stream is None:  # a folder or a device
                raise KeyError(name)
            return stream

        yield open_member


def _with_inner(open_member: Open, stack: ExitStack) -> Open:
    """Open also `inner.zip!name`: a member of a zip that is itself a member of the archive."""

    @cache
    def inner(name: str) -> zipfile.ZipFile:
        return stack.enter_context(zipfile.ZipFile(stack.enter_context(open_member(name))))

    def open_any(name: str) -> IO[bytes]:
        outer, separator, rest = name.partition(INNER)
        return inner(outer).open(rest) if separator else open_member(name)

    return open_any


def _extract(open_member: Open, file: CorpusFile, target: Path, *, archive: Path) -> None:
    try:
        source = open_member(file.member)
    except KeyError:
        raise CorpusError(
            f"{archive} has no member {file.member!r}: it is not the published archive"
        ) from None
    with source, target.open("wb") as stream:
        room = 2 * (file.bytes or MOST_BYTES) + MOST_BYTES  # CR LF can at most double a file
        while chunk := source.read(min(room + 1, 1 << 16)):
            room -= len(chunk)
            if room < 0:
                raise CorpusError(f"{archive}: member {file.member!r} is far larger than published")
            stream.write(chunk)
    with target.open("rb") as written:
        found = content_hash(written)
    if file.sha256 and found != file.sha256:
        raise CorpusError(
            f"{archive}: member {file.member!r} is not the published file: expected sha256 "
            f"{file.sha256}, found {found} (CR LF as LF); fetch the archive again"
        )
