"""The texts of a corpus's splits, or of any file of documents, as they are compared for overlap."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby
from pathlib import Path

from msgspec import Struct

from bluered.corpora import load
from bluered.corpora.catalog import catalog, corpus
from bluered.corpora.entry import Corpus
from bluered.corpora.fingerprints import SHORTEST, Fingerprints, fingerprints
from bluered.corpora.locate import counted_splits, split_paths
from bluered.corpora.normal_text import normal_text
from bluered.documents.document import Document, Passage, Span
from bluered.documents.examples import Example, LabelledText, RelationExample, TextPair
from bluered.documents.sentences import sentences
from bluered.errors import CorpusError
from bluered.formats.conll import SENTENCE
from bluered.formats.files import read_file

_PUBMED_ID = re.compile(r"(?:PMID[: ]?)?0*([1-9]\d{3,7})", re.IGNORECASE)


class Text(Struct, frozen=True):
    """A document, or a sentence where a corpus has no more than that, with its id."""

    id: str
    text: str


class Part(Struct, frozen=True):
    """What is compared: the texts of a split or a file, by their fingerprints.

    `corpus` is empty for a file, and for sentences, whose ids are ours. `too_short` counts texts
    that are not compared, being a few words only.
    """

    name: str
    corpus: str
    ids: tuple[str, ...]
    prints: Fingerprints
    too_short: int


class Source(Struct, frozen=True):
    """What an argument names, before it is read; `corpus` is empty for a file."""

    name: str
    corpus: str
    read: Callable[[], Iterable[Example]]


def sources(argument: str) -> list[Source]:
    """Return what an argument names: CORPUS (all its splits), CORPUS:SPLIT, NAME=FILE, FILE.

    Of splits that stand for each other a corpus has those on this machine.
    What is not on this machine is a CorpusError, before anything is read.
    """
    name, equals, file = argument.partition("=")
    if equals:
        return [_file(name, Path(file))]
    name, colon, split = argument.partition(":")
    if name not in catalog() and Path(argument).exists():
        return [_file(Path(argument).stem, Path(argument))]
    entry = corpus(name)
    return [_split(entry, each) for each in ((split,) if colon else counted_splits(entry))]


def _file(name: str, path: Path) -> Source:
    if not path.exists():
        raise CorpusError(
            f"no file {path}: name a corpus (bluered corpora list), CORPUS:SPLIT or NAME=FILE"
        )
    return Source(name, "", partial(read_file, path, check=False))


def _split(entry: Corpus, split: str) -> Source:
    split_paths(entry, split)
    return Source(f"{entry.name}:{split}", entry.name, partial(load, entry.name, split))


def parts_of(argument: str, *, by_sentence: bool = False) -> Iterator[Part]:
    """Yield the texts of what an argument names; with `by_sentence` the sentences instead."""
    return (read_part(source, by_sentence=by_sentence) for source in sources(argument))


def read_part(source: Source, *, by_sentence: bool = False) -> Part:
    """Return the texts of a split or a file."""
    return part(source.name, source.read(), corpus=source.corpus, by_sentence=by_sentence)


def split_part(entry: Corpus, split: str) -> Part:
    """Return the texts of a split."""
    return read_part(_split(entry, split))


def part(
    name: str, examples: Iterable[Example], *, corpus: str = "", by_sentence: bool = False
) -> Part:
    """Return the texts of examples, reduced to their fingerprints while they are read."""
    ids: list[str] = []
    short = 0

    def normal() -> Iterator[bytes]:
        nonlocal short
        for text in texts(examples, by_sentence=by_sentence):
            ids.append(text.id)
            reduced = normal_text(text.text)
            short += len(reduced) < SHORTEST
            yield reduced

    prints = fingerprints(normal())
    return Part(name, "" if by_sentence else corpus, tuple(ids), prints, short)


def texts(examples: Iterable[Example], *, by_sentence: bool = False) -> Iterator[Text]:
    """Yield the texts of examples; those of one document that follow each other come as one.

    So the passages of a full text that a file gives as documents of one id are one text, and the
    labelled sentences of a document too. Of a pair each of the two texts counts.
    """
    for (name, is_pair), group in groupby(examples, key=_belongs_to):
        pieces = dict.fromkeys(
            piece for each in group for piece in _pieces(each, by_sentence=by_sentence)
        )
        if is_pair or by_sentence:
            yield from (Text(f"{name}.{n}", piece) for n, piece in enumerate(pieces, start=1))
        else:
            yield Text(name, " ".join(pieces))


def _belongs_to(example: Example) -> tuple[str, bool]:
    """Return the document an example is of, and whether it is a pair of texts instead."""
    if isinstance(example, LabelledText | RelationExample):
        return example.document or example.id, False
    return example.id, isinstance(example, TextPair)


def _pieces(example: Example, *, by_sentence: bool) -> Iterator[str]:
    match example:
        case TextPair():
            yield from (example.first, example.second)
        case RelationExample():
            yield example.sentence or example.text
        case LabelledText():
            yield example.text
        case Document() if by_sentence:
            yield from (example.text[s.start : s.end] for s in _sentences(example))
        case Document():
            yield example.text


def _sentences(document: Document) -> Iterable[Span | Passage]:
    """Return where the sentences are: the corpus's own where it has them."""
    if document.passages and all(p.type == SENTENCE for p in document.passages):
        return document.passages
    return sentences(document)


def pubmed_id(name: str) -> str | None:
    """Return the PubMed id that an id is, without leading zeros; None for other ids.

    >>> pubmed_id("PMID:00012345")
    '12345'
    """
    match = _PUBMED_ID.fullmatch(name)
    return match[1] if match else None
