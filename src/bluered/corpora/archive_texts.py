"""The texts of a folder or of an archive (zip, tar), by path: corpora lie about in either form.

Messages name the file and the byte, never what stands there: it may be a patient's note.
"""

import os
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from bluered.corpora.unpack import BROKEN
from bluered.errors import CorpusError, FormatError

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2")
"""How the names of archives end."""


def texts(place: Path, endings: tuple[str, ...]) -> dict[str, str]:
    """Return the texts of all files of a folder or archive whose names end so, by path, sorted.

    Hidden files and what macOS puts beside files in archives (`__MACOSX`, `._name`) are left out.
    """
    contents = _of_folder(place, endings) if place.is_dir() else _of_archive(place, endings)
    return {name: decoded(data, f"{place}/{name}") for name, data in sorted(contents)}


def decoded(data: bytes, source: str) -> str:
    """Return UTF-8 bytes as text, a byte order mark dropped, CR LF and CR as LF.

    That is how Python opens a text, so offsets are those that BLUE's scripts see.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte {error.start + 1} of the file is not UTF-8: is the copy intact?"
        raise FormatError(message, source=source, line=line) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_text(path: Path) -> str:
    """Return the text of one file; CorpusError for a folder in its place, or a pipe."""
    return decoded(_content(path), str(path))


def _wanted(name: str, endings: tuple[str, ...]) -> bool:
    parts = name.split("/")
    return name.endswith(endings) and not any(p.startswith((".", "__MACOSX")) for p in parts)


def _of_folder(folder: Path, endings: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    for place, _, names in os.walk(folder):
        for name in names:
            path = Path(place) / name
            relative = path.relative_to(folder).as_posix()
            if _wanted(relative, endings):
                yield relative, _content(path)


def _content(path: Path) -> bytes:
    if not path.is_file():  # a pipe would be waited for
        raise CorpusError(f"{path} is no regular file: a folder, a pipe or a link to nothing")
    return path.read_bytes()


def _of_archive(archive: Path, endings: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as zipped:
                for name in zipped.namelist():
                    if _wanted(name, endings):
                        yield name, zipped.read(name)
            return
        with tarfile.open(archive) as tar:
            for member in tar:
                name = member.name.removeprefix("./")
                stream = tar.extractfile(member) if _wanted(name, endings) else None
                if stream is not None:
                    yield name, stream.read()
    except (*BROKEN, OSError) as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise
        raise CorpusError(f"{archive} is not an intact archive: copy it again") from None
