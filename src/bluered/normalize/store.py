"""Writing a terminology: a folder of tries and arrays that are mapped into memory to be read.

The names' keys (`names.name_key`, and `names.word_key` after a "~") are a MARISA trie that numbers
them; for each key, `entries.npy` lists the concepts that bear it. The concepts' ids are a trie too,
after a letter for the type. Both tries and all arrays are used where they lie on disk, so opening
costs nothing and processes share one copy. `terms.json` says what the folder holds.
"""

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import marisa_trie
import msgspec
import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from bluered.documents.biored_types import (
    CELL_LINE,
    CHEMICAL,
    DISEASE,
    GENE,
    SPECIES,
    VARIANT,
)
from bluered.errors import BlueredError, unknown_name
from bluered.normalize.names import name_key, name_words, word_key
from bluered.normalize.ngrams import write_index
from bluered.normalize.term import KINDS, Kind, SourceRecord, Term

FORMAT = 1
MANIFEST = "terms.json"
CODES = {GENE: "G", DISEASE: "D", CHEMICAL: "C", SPECIES: "S", CELL_LINE: "L", VARIANT: "V"}
WORDS = "~"
"""What begins the key of a name's words in any order."""

KIND_BITS = 2
BLOCK = 64
_LONGEST = 120  # characters of a key: longer names are never written in a text the same way
_ALIKE_SHORTEST, _ALIKE_LONGEST = 5, 36
_IN_ANY_ORDER = {DISEASE, CHEMICAL}


class TypeCounts(Struct, frozen=True):
    """How much of one entity type a terminology holds."""

    concepts: int
    names: int


class Manifest(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a terminology says about itself; `files` gives size and sha256 of each file."""

    format: int
    name: str
    built: str
    sources: tuple[SourceRecord, ...]
    counts: dict[str, TypeCounts]
    taxa: tuple[str, ...]
    files: dict[str, tuple[int, str]] = field(default_factory=dict)


def write_terminology(
    terms: Iterable[Term],
    folder: Path,
    *,
    name: str,
    built: str,
    sources: Sequence[SourceRecord],
) -> Manifest:
    """Write a terminology into an existing folder and return its manifest, which is written last.

    `built` is the date to be written down. BlueredError if there is no term at all.
    """
    collected = _Collected()
    for term in terms:
        collected.add(term)
    if not collected.keys:
        raise BlueredError(f"{folder}: no terms to write; expected at least one with a name")
    taxa = collected.write(folder)
    collected.write_index(folder)
    manifest = Manifest(
        format=FORMAT,
        name=name,
        built=built,
        sources=tuple(sources),
        counts=collected.counts(),
        taxa=taxa,
    )
    return write_manifest(manifest, folder)


def write_manifest(manifest: Manifest, folder: Path) -> Manifest:
    """Write the manifest with size and hash of every other file of the folder."""
    files = {
        path.name: (path.stat().st_size, sha256(path))
        for path in sorted(folder.iterdir())
        if path.name != MANIFEST
    }
    manifest = msgspec.structs.replace(manifest, files=files)
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
    (folder / MANIFEST).write_bytes(text + b"\n")
    return manifest


def sha256(path: Path) -> str:
    """Return a file's sha256 in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def keys_of(term: Term) -> Iterator[tuple[str, Kind]]:
    """Yield the keys of a term's names, each with what kind of name it comes from."""
    preferred = () if term.name in term.seen else (term.name,)  # a corpus prefers no name
    named: tuple[tuple[Kind, Iterable[str]], ...] = (
        ("name", preferred),
        ("synonym", term.synonyms),
        ("description", term.descriptions),
        ("corpus", term.seen),
    )
    for kind, names in named:
        for name in names:
            key = name_key(name, kind=term.type)
            if not 0 < len(key) <= _LONGEST:
                continue
            yield key, kind
            if term.type in _IN_ANY_ORDER and (words := word_key(name, kind=term.type)):
                yield WORDS + words, kind


class _Collected:
    """The terms as they come in, under numbers that the tries replace by their own."""

    def __init__(self) -> None:
        self.concepts: dict[str, int] = {}
        self._names: list[str] = []
        self._taxa: list[str] = []
        self.keys: dict[str, int] = {}
        self._entries = array("Q")  # key, concept, kind
        self._seen: Counter[tuple[int, int]] = Counter()
        self._name_counts: Counter[str] = Counter()
        self._alike: dict[str, None] = {}

    def add(self, term: Term) -> None:
        if term.type not in CODES:
            raise BlueredError(unknown_name("entity type", term.type, [*CODES], f"term {term.id}"))
        concept_key = CODES[term.type] + term.id
        concept = self.concepts.setdefault(concept_key, len(self.concepts))
        if concept == len(self._names):
            self._names.append(term.name)
            self._taxa.append(term.taxon)
        elif term.taxon and not self._taxa[concept]:
            self._taxa[concept] = term.taxon
        self._name_counts[term.type] += (
            1 + len(term.synonyms) + len(term.descriptions) + len(term.seen)
        )
        alike = set(_alike(term))
        for key, kind in keys_of(term):
            number = self.keys.setdefault(key, len(self.keys))
            code = KINDS.index(kind)
            if key in alike:
                self._alike[key] = None
            self._entries.append((number << 32) | (concept << KIND_BITS) | code)
        for name, documents in term.seen.items():
            if (number := self.keys.get(name_key(name, kind=term.type))) is not None:
                self._seen[number, concept] += documents

    def counts(self) -> dict[str, TypeCounts]:
        codes = Counter(key[0] for key in self.concepts)
        return {
            kind: TypeCounts(codes[code], self._name_counts[kind])
            for kind, code in CODES.items()
            if codes[code]
        }

    def write(self, folder: Path) -> tuple[str, ...]:
        """Write tries and arrays; return the taxa that `taxa.npy` counts from."""
        concepts = _trie(self.concepts, folder / "concepts.marisa")
        keys = _trie(self.keys, folder / "keys.marisa")
        new_concept = _numbers(concepts, self.concepts)
        new_key = _numbers(keys, self.keys)
        np.save(folder / "types.npy", _by_concept(new_concept, _type_codes(self.concepts)))
        self._write_entries(folder, new_key, new_concept)
        self._write_seen(folder, new_key, new_concept)
        names = _trie(self._names, folder / "names.marisa")
        of_concept = np.array([names[name] for name in self._names], dtype=np.uint32)
        np.save(folder / "names.npy", _by_concept(new_concept, of_concept))
        taxa = tuple(sorted({"", *self._taxa}))
        place = {taxon: number for number, taxon in enumerate(taxa)}
        codes = np.array([place[taxon] for taxon in self._taxa], dtype=_smallest(len(taxa)))
        np.save(folder / "taxa.npy", _by_concept(new_concept, codes))
        return taxa

    def write_index(self, folder: Path) -> None:
        """Write the index of look-alikes; the tries must have been written."""
        trie = marisa_trie.Trie().load(str(folder / "keys.marisa"))
        write_index([(trie[key], key) for key in self._alike], folder)

    def _write_entries(
        self, folder: Path, new_key: NDArray[np.uint32], new_concept: NDArray[np.uint32]
    ) -> None:
        """Write the entries (concept and kind) in the order of the keys, and how many each has.

        Where they begin is written for every 64th key; the counts between lead to the others.
        """
        entries = np.array(self._entries, dtype=np.uint64)
        key = new_key[(entries >> np.uint64(32)).astype(np.int64)].astype(np.uint64)
        low = entries & np.uint64(0xFFFFFFFF)
        concept = new_concept[(low >> np.uint64(KIND_BITS)).astype(np.int64)].astype(np.uint64)
        kind = low & np.uint64((1 << KIND_BITS) - 1)
        ordered = np.unique((key << np.uint64(32)) | (concept << np.uint64(KIND_BITS)) | kind)
        pair = ordered >> np.uint64(KIND_BITS)
        strongest = np.concatenate(([True], pair[1:] != pair[:-1]))
        ordered = ordered[strongest]
        counts = np.bincount((ordered >> np.uint64(32)).astype(np.int64), minlength=len(new_key))
        starts = np.concatenate(([0], np.cumsum(counts)))[::BLOCK]
        np.save(folder / "starts.npy", starts.astype(np.uint32))
        np.save(folder / "counts.npy", counts.astype(_smallest(int(counts.max()) + 1)))
        np.save(folder / "entries.npy", (ordered & np.uint64(0xFFFFFFFF)).astype(np.uint32))

    def _write_seen(
        self, folder: Path, new_key: NDArray[np.uint32], new_concept: NDArray[np.uint32]
    ) -> None:
        """Write in how many documents each name was seen for each concept, sorted by both."""
        rows = sorted(
            ((int(new_key[key]) << 32) | int(new_concept[concept]), documents)
            for (key, concept), documents in self._seen.items()
        )
        np.save(folder / "seen.npy", np.array([row[0] for row in rows], dtype=np.uint64))
        counts = [min(row[1], 65535) for row in rows]
        np.save(folder / "seen_documents.npy", np.array(counts, dtype=np.uint16))


def _alike(term: Term) -> Iterator[str]:
    """Yield the keys by which a term can be found by how it looks: one for each set of words.

    Only diseases and the chemicals among MeSH's descriptors, whose names vary most; the hundreds of
    thousands of others are found by their letters anyway, or not at all.
    """
    if term.type not in _IN_ANY_ORDER or (term.type == CHEMICAL and term.id[:1] == "C"):
        return
    known: set[tuple[str, ...]] = set()
    for name in (term.name, *term.synonyms, *term.descriptions, *term.seen):
        words = tuple(sorted(set(name_words(name, kind=term.type))))
        key = name_key(name, kind=term.type)
        if _ALIKE_SHORTEST <= len(key) <= _ALIKE_LONGEST and words not in known:
            known.add(words)
            yield key


def _trie(keys: Iterable[str], path: Path) -> marisa_trie.Trie:
    trie = marisa_trie.Trie(keys)
    trie.save(str(path))
    return trie


def _numbers(trie: marisa_trie.Trie, keys: dict[str, int]) -> NDArray[np.uint32]:
    """Return the trie's number of each key, in the keys' own order."""
    return np.fromiter((trie[key] for key in keys), dtype=np.uint32, count=len(keys))


def _type_codes(concepts: Iterable[str]) -> NDArray[np.uint8]:
    places = {code: number for number, code in enumerate(CODES.values())}
    return np.array([places[key[0]] for key in concepts], dtype=np.uint8)


def _by_concept(new_concept: NDArray[np.uint32], values: NDArray[Any]) -> NDArray[Any]:
    ordered = np.empty_like(values)
    ordered[new_concept] = values
    return ordered


def _smallest(numbers: int) -> type[np.unsignedinteger]:
    return np.uint8 if numbers <= 256 else np.uint16 if numbers <= 65536 else np.uint32
