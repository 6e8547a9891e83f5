"""The layout "ddi": the XML of the DDI corpus 2013, sentences with drugs and every pair of drugs.

A path is the official archive (DDICorpus-2013.zip), the folder it unpacks to, or any other folder
(or zip) of files of the same form. Of the official corpus a split takes its part: "test" the test
files of the DDI extraction task, "train" and "dev" the training files as BLUE shared them out, by
sentences: dev is the 942 sentences of split_ids/ddi.toml, train all others. So a file may give a
document to both, under the same id, each with its own sentences. Of other folders a split takes all
files.
"""

from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import BinaryIO
from zipfile import BadZipFile, ZipFile, is_zipfile

from bluered.corpora.ddi_document import read_document
from bluered.corpora.published_splits import published_ids
from bluered.corpora.source import Source
from bluered.documents.document import Document
from bluered.errors import CorpusError

TRAIN = "Train/"
TEST = "Test/Test for DDI Extraction task/"
PARTS = {"train": TRAIN, "dev": TRAIN, "test": TEST}
"""Which folder of the official corpus a split is taken from."""

Open = Callable[[], BinaryIO]


def read(source: Source) -> Iterator[Document]:
    """Yield the documents of a split in the order of their ids (as text, like BLUE's rows)."""
    found = {name: opening for path in source.paths for name, opening in _xml_files(path)}
    official = any(TRAIN in name for name in found) and any(TEST in name for name in found)
    if official and source.split not in PARTS:
        raise CorpusError(f"the DDI corpus has no part {source.split!r}: only {', '.join(PARTS)}")
    part = PARTS[source.split] if official else ""
    chosen = {name: opening for name, opening in found.items() if part in name}
    if not chosen:
        places = ", ".join(str(path) for path in source.paths)
        raise CorpusError(f"{places}: no XML files for the split {source.split!r}")
    wanted = _wanted(source.split) if official else _all
    documents = (_read(opening, name, wanted) for name, opening in chosen.items())
    yield from sorted((d for d in documents if d.text), key=lambda document: document.id)


def _read(opening: Open, name: str, wanted: Callable[[str], bool]) -> Document:
    with opening() as stream:
        return read_document(stream, name, wanted=wanted)


def _all(_: str) -> bool:
    return True


def _wanted(split: str) -> Callable[[str], bool]:
    """Return the test for the sentences of a split by their ids."""
    dev = frozenset(published_ids("ddi", "dev"))
    if split == "dev":
        return dev.__contains__
    return (lambda sentence: sentence not in dev) if split == "train" else _all


def _xml_files(path: Path) -> Iterator[tuple[str, Open]]:
    """Yield (name for messages, how to open it) for each XML file below a folder or in a zip."""
    if path.is_dir():
        for file in sorted(path.rglob("*.xml")):
            yield file.as_posix(), partial(file.open, "rb")
        return
    if not is_zipfile(path):
        raise CorpusError(f"{path}: expected a folder or a zip of XML files; is the copy complete?")
    try:
        with ZipFile(path) as archive:
            for name in sorted(archive.namelist()):
                if name.endswith(".xml") and not name.startswith("__MACOSX/"):
                    yield f"{path}!{name}", partial(BytesIO, archive.read(name))
    except BadZipFile as error:
        raise CorpusError(f"{path}: the archive is damaged ({error}): fetch it again") from None
