"""Reading a terminology: which concepts bear a name, straight from files mapped into memory."""

from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path

import marisa_trie
import msgspec
import numpy as np
from msgspec import Struct

from bluered.errors import BlueredError
from bluered.normalize.mapped import map_array, map_trie
from bluered.normalize.names import name_key, word_key
from bluered.normalize.ngrams import FILES as INDEX_FILES
from bluered.normalize.store import (
    BLOCK,
    CODES,
    FORMAT,
    KIND_BITS,
    MANIFEST,
    WORDS,
    Manifest,
    sha256,
)
from bluered.normalize.term import KINDS, Kind

_TYPES = tuple(CODES)
_KIND_MASK = (1 << KIND_BITS) - 1
_MANY = 200


class Concept(Struct, frozen=True):
    """A concept: id as BioRED writes it, entity type, preferred name, species ("" if none)."""

    id: str
    type: str
    name: str
    taxon: str


class Bearer(Struct, frozen=True):
    """A concept that bears a name: its number in the terminology, and what kind of name it is.

    `documents` is the number of documents of annotated corpora in which it was called so.
    """

    concept: int
    kind: Kind
    documents: int


class Terminology:
    """A terminology on disk; `Terminology(folder)` opens it in a few milliseconds."""

    def __init__(self, folder: Path) -> None:
        """Map the folder's files; BlueredError if one is missing, cut off or of another format."""
        self.folder = folder
        self.manifest = read_manifest(folder)
        for name, (size, _) in self.manifest.files.items():
            path = folder / name
            if not path.is_file() or path.stat().st_size != size:
                raise BlueredError(
                    f"{path}: expected {size} bytes as {MANIFEST} says: "
                    "the terminology is not whole; build it again (bluered terms build)"
                )
        self._keys = map_trie(folder / "keys.marisa")
        self._concepts = map_trie(folder / "concepts.marisa")
        self._starts = map_array(folder / "starts.npy")
        self._counts = map_array(folder / "counts.npy")
        self._entries = map_array(folder / "entries.npy")
        self._types = map_array(folder / "types.npy")
        self._taxa = map_array(folder / "taxa.npy")
        self._names = map_array(folder / "names.npy")
        self._seen = map_array(folder / "seen.npy")
        self._seen_documents = map_array(folder / "seen_documents.npy")

    def key_number(self, key: str) -> int | None:
        """Return the number of a key (`names.name_key`), or None if no concept bears it."""
        return self._keys.get(key)

    def bearers(self, key: str, *, type: str) -> list[Bearer]:
        """Return the concepts of an entity type that bear a name, given by its key."""
        number = self._keys.get(key)
        return [] if number is None else self.bearers_of(number, type=type)

    def bearers_of(self, number: int, *, type: str) -> list[Bearer]:
        """Return the concepts of an entity type that bear the name of a key number."""
        code = _TYPES.index(type)
        return [
            self._bearer(number, entry)
            for entry in self._entries_of(number)
            if self._types[entry >> KIND_BITS] == code
        ]

    def all_bearers_of(self, number: int) -> dict[str, list[Bearer]]:
        """Return all concepts that bear the name of a key number, by their entity type."""
        found: dict[str, list[Bearer]] = {}
        for entry in self._entries_of(number):
            kind = _TYPES[self._types[entry >> KIND_BITS]]
            found.setdefault(kind, []).append(self._bearer(number, entry))
        return found

    def _entries_of(self, number: int) -> list[int]:
        block = number // BLOCK * BLOCK
        start = int(self._starts[number // BLOCK]) + int(self._counts[block:number].sum())
        return self._entries[start : start + int(self._counts[number])].tolist()

    def _bearer(self, number: int, entry: int) -> Bearer:
        concept = entry >> KIND_BITS
        return Bearer(concept, KINDS[entry & _KIND_MASK], self._documents(number, concept))

    def key(self, number: int) -> str:
        """Return a key by its number."""
        return self._keys.restore_key(number)

    def beginning(self, start: str, *, most: int) -> list[tuple[int, str]]:
        """Return the keys (number and text) that begin so and have at most so many characters.

        The shortest come first. Of very many, those that come first in the alphabet are seen.
        """
        keys = islice(self._keys.iteritems(start), _MANY)
        found = [(number, key) for key, number in keys if len(start) < len(key) <= most]
        return sorted(found, key=lambda pair: (len(pair[1]), pair[1]))

    def named(self, name: str, *, type: str) -> list[Bearer]:
        """Return the concepts of an entity type that bear a name as it is written in a text."""
        return self.bearers(name_key(name, kind=type), type=type)

    def named_in_any_order(self, name: str, *, type: str) -> list[Bearer]:
        """Return the concepts that bear a name of the same words in another order."""
        words = word_key(name, kind=type)
        return self.bearers(WORDS + words, type=type) if words else []

    def concept(self, number: int) -> Concept:
        """Return what is known of a concept by its number."""
        kind = _TYPES[self._types[number]]
        return Concept(
            id=self.concept_id(number),
            type=kind,
            name=self.name(number),
            taxon=self.taxon(number),
        )

    def concept_id(self, number: int) -> str:
        """Return the id of a concept by its number."""
        return self._concepts.restore_key(int(number))[1:]

    def name(self, number: int) -> str:
        """Return the preferred name of a concept by its number."""
        return self._preferred.restore_key(int(self._names[number]))

    def taxon(self, number: int) -> str:
        """Return the species of a gene or cell line, "" where it is unknown."""
        return self.manifest.taxa[self._taxa[number]]

    def number(self, concept_id: str, *, type: str) -> int | None:
        """Return the number of a concept by its id, or None if the terminology lacks it."""
        try:
            return self._concepts.get(CODES[type] + concept_id)
        except UnicodeEncodeError:  # half a surrogate pair, as from bytes that are not UTF-8
            return None

    def holds(self, type: str, concept_id: str) -> bool:
        """Tell whether the terminology has a concept of this type and id."""
        return type in CODES and self.number(concept_id, type=type) is not None

    def keys_of(self, number: int) -> Iterator[tuple[str, Kind]]:
        """Yield all keys of a concept, with the kind of name; reads the whole terminology."""
        places = np.flatnonzero((self._entries >> KIND_BITS) == number)
        keys = np.searchsorted(np.cumsum(self._counts), places, side="right")
        for place, key in zip(places.tolist(), keys.tolist(), strict=True):
            yield self._keys.restore_key(key), KINDS[int(self._entries[place]) & _KIND_MASK]

    def seen_totals(self) -> dict[int, int]:
        """Return in how many documents each concept was named, as the sum over its names."""
        concepts = (self._seen & np.uint64(0xFFFFFFFF)).astype(np.int64)
        totals: dict[int, int] = {}
        for concept, documents in zip(
            concepts.tolist(), self._seen_documents.tolist(), strict=True
        ):
            totals[concept] = totals.get(concept, 0) + documents
        return totals

    @property
    def has_index(self) -> bool:
        """Whether names can be found by how they look (`ngrams`)."""
        return all(name in self.manifest.files for name in INDEX_FILES)

    def damaged(self) -> list[str]:
        """Return the names of the files that differ from what the manifest says of them."""
        return [
            name
            for name, (_, digest) in self.manifest.files.items()
            if sha256(self.folder / name) != digest
        ]

    @cached_property
    def _preferred(self) -> marisa_trie.Trie:
        return map_trie(self.folder / "names.marisa")

    def _documents(self, key: int, concept: int) -> int:
        wanted = np.uint64((key << 32) | concept)
        place = int(self._seen.searchsorted(wanted))
        if place < len(self._seen) and self._seen[place] == wanted:
            return int(self._seen_documents[place])
        return 0


def read_manifest(folder: Path) -> Manifest:
    """Return what a terminology says about itself, or raise BlueredError if it cannot be read."""
    path = folder / MANIFEST
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except (FileNotFoundError, NotADirectoryError):
        raise BlueredError(
            f"{folder}: no terminology there ({MANIFEST} is missing); "
            "`bluered terms list` shows those on this machine"
        ) from None
    except msgspec.DecodeError as error:
        raise BlueredError(f"{path}: not the manifest of a terminology ({error})") from None
    if manifest.format != FORMAT:
        raise BlueredError(
            f"{path}: written in format {manifest.format}, this version reads {FORMAT}: "
            "build it again (bluered terms build)"
        )
    return manifest
