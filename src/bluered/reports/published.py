"""Published results, each with the documents it is about and its source."""

from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

TableName = Literal["ner", "mention_ids", "concepts", "linking", "relations", "end_to_end"]


class PublishedRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One system's published F1 in per cent, by measure."""

    system: str
    table: TableName
    documents: str
    f1: dict[str, float]
    source: str

    @property
    def comparable(self) -> bool:
        """Whether the figures are about the documents that the bench scores."""
        return self.documents == "BioRED test"


class _File(msgspec.Struct, forbid_unknown_fields=True):
    rows: tuple[PublishedRow, ...]


@cache
def published_rows() -> tuple[PublishedRow, ...]:
    """Return all published rows, in the order of the file."""
    content = files("bluered.reports").joinpath("published.toml").read_bytes()
    return msgspec.toml.decode(content, type=_File).rows
