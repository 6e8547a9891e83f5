"""The layout "shareclef": notes with disorders (ShARe/CLEF eHealth 2013, task 1).

The notes are text files; their mentions stand in a pipe file of the same name

    <note>.txt||Disease_Disorder||<CUI or CUI-less>||<start>||<end>[||<start>||<end> ...]

or in a Knowtator file `<note>.txt.knowtator.xml`. Either lies in folders or in the official
archives; where in them does not matter. Mentions keep the order of their file. As in BLUE's
create_clefe_test_gs.py the text is shown without de-identification marks, offsets unchanged, and a
note without a file of mentions is left out.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from pathlib import Path

from bluered.corpora.archive_texts import read_text, texts
from bluered.corpora.blue_tables import rows
from bluered.corpora.knowtator import Mention, mentions
from bluered.corpora.own_split import EVERY_NOTE, divided, share
from bluered.corpora.source import Source, files_of
from bluered.documents.document import Document, Entity, Passage, Span, covered_text
from bluered.errors import CorpusError, FormatError

TYPE = "Disease_Disorder"
"""The one class of the corpus; BLUE takes every mention for one of it, whatever its file says."""

NOTE = ".txt"
KNOWTATOR = ".knowtator.xml"
GOLD_ENDINGS = (".txt.knowtator.xml", ".pipe.txt", ".pipe", ".txt")
"""What of a gold file's name stands behind the note's name, longest first."""

MARK = re.compile(r"\[\*\*.*?\*\*\]")
RULERS = re.compile(r"\|{4}|___|~~")
TOKEN = re.compile(r"[\w']+|[^\w\s]")


def read(source: Source) -> Iterator[Document]:
    """Yield the notes of a split by name."""
    names = "the notes", "their mentions", "BLUE's list of the notes for dev"
    notes, gold, *listed = files_of(source, *names, least=2)
    documents = _documents(notes, gold)
    if not listed:
        return share(documents, source.split, EVERY_NOTE)
    development = development_notes(listed[0])
    return divided(documents, source.split, development=development, listed=listed[0])


def development_notes(path: Path) -> frozenset[str]:
    """Return the names of BLUE's development notes, from one of three things BLUE makes or reads.

    Its list devel_docids.txt, a name a line; the folder DEV_REPORTS of its split_development; or
    its derived Development.tsv, where the second column names the note of a sentence.
    """
    if path.is_dir():
        names = {Path(name).name.removesuffix(NOTE) for name in texts(path, (NOTE,))}
    elif path.suffix == ".tsv":
        names = {row.fields[1] for row in rows(path, at_least=4)} - {"-"}
    else:
        names = {line.strip().removesuffix(NOTE) for line in read_text(path).split("\n")} - {""}
    return frozenset(names)


def without_marks(text: str) -> str:
    """Return a note's text as BLUE shows it, every character at its old place.

    A mark `[**...**]` becomes PATTERN behind as many spaces as fill its length; `||||`, `___` and
    `~~` become spaces (create_clefe_bert.py, pattern_repl). A mark shorter than PATTERN, which
    BLUE's rule would lengthen, is cut to its own length, so that offsets hold.

    >>> without_marks("Dr. [**Name**] ____ here~~")
    'Dr.    PATTERN    _ here  '
    """
    shown = MARK.sub(lambda mark: "PATTERN".rjust(len(mark[0]))[: len(mark[0])], text)
    return RULERS.sub(lambda ruler: " " * len(ruler[0]), shown)


def tagged_mentions(documents: Iterable[Document]) -> int:
    """Return how many mentions there are as BLUE counts them: by the tokens that it tags B.

    BLUE writes a mention's tags over those of earlier ones (create_clefe_bert.py, map_anns), so of
    mentions that share their first token, or begin within a later one, fewer are counted.
    """
    count = 0
    for document in documents:
        tokens = [match.span() for match in TOKEN.finditer(document.text)]
        tags = [""] * len(tokens)
        for entity in document.entities:
            inside = [i for span in entity.spans for i in _tokens_of(span, tokens)]
            for place, number in enumerate(inside):
                tags[number] = "I" if place else "B"
        count += tags.count("B")
    return count


def _tokens_of(span: Span, tokens: list[tuple[int, int]]) -> list[int]:
    """Return the numbers of the tokens within a span, or of the one that holds it."""
    first = bisect_left(tokens, span.start, key=lambda token: token[1])
    last = bisect_right(tokens, span.end, key=lambda token: token[0])
    return [
        number
        for number, (start, end) in enumerate(tokens[first:last], start=first)
        if (span.start <= start and end <= span.end) or (start <= span.start and span.end <= end)
    ]


def _documents(notes: Path, gold: Path) -> Iterator[Document]:
    written = _by_note(_original(texts(notes, (NOTE,)), "ALLREPORTS/"), (NOTE,), notes)
    annotated = _by_note(_original(texts(gold, GOLD_ENDINGS), KNOWTATOR), GOLD_ENDINGS, gold)
    without = sorted(set(annotated) - set(written))
    if without:
        raise CorpusError(f"{notes} lacks the notes of {some(without)}, which {gold} annotates")
    if not annotated:
        raise CorpusError(f"{gold} has no file of mentions (*.txt or *.txt{KNOWTATOR})")
    for note, (name, content) in annotated.items():
        text = without_marks(written[note][1])
        source = f"{gold}/{name}"
        of_xml = name.endswith(KNOWTATOR)
        found = mentions(content, source) if of_xml else _pipe_mentions(note, content, source)
        entities = tuple(
            _entity(f"T{number}", mention, text, source)
            for number, mention in enumerate(found, start=1)
        )
        passages = (Passage(type="note", start=0, end=len(text)),)
        yield Document(id=note, text=text, passages=passages, entities=entities)


def _original(contents: dict[str, str], sign: str) -> dict[str, str]:
    """Return the files whose path shows them to be original, if any does, else all.

    BLUE's scripts put copies of the notes (TRAIN_REPORTS, DEV_REPORTS) and pipe files made of the
    Knowtator files (Task1Gold) beside the originals.
    """
    return {path: text for path, text in contents.items() if sign in path} or contents


def _by_note(
    contents: dict[str, str], endings: tuple[str, ...], place: Path
) -> dict[str, tuple[str, str]]:
    """Return (path, content) by the note's name; a name that two files have is an error."""
    found: dict[str, tuple[str, str]] = {}
    for path, content in contents.items():
        name = path.split("/")[-1]
        ending = next(e for e in endings if name.endswith(e))
        note = name.removesuffix(ending)
        if note in found:
            raise CorpusError(f"{place} has {found[note][0]} and {path} for one note: keep one")
        found[note] = (path, content)
    return dict(sorted(found.items()))


def _pipe_mentions(note: str, content: str, source: str) -> Iterator[Mention]:
    for number, line in enumerate(content.split("\n"), start=1):
        if not line.strip():
            continue
        named, *facts = line.strip().split("||")
        numbers = facts[2:]
        if len(numbers) < 2 or len(numbers) % 2 or not all(n.isdecimal() for n in numbers):
            raise FormatError(
                "expected file||type||concept||start||end, and further pairs of start and end",
                source=source,
                line=number,
            )
        if named.removesuffix(NOTE) != note:
            message = f"the mention is of another file than {note}{NOTE}: is the copy mixed up?"
            raise FormatError(message, source=source, line=number)
        ends = list(map(int, numbers))
        spans = tuple(map(Span, ends[::2], ends[1::2]))
        yield Mention(number, facts[0], facts[1], spans)


def _entity(name: str, mention: Mention, text: str, source: str) -> Entity:
    spans = tuple(sorted(mention.spans))
    for span in spans:
        if not 0 <= span.start < span.end <= len(text):
            raise FormatError(
                f"the span {span.start}-{span.end} does not lie in the note's {len(text)} "
                "characters: do the note and its mentions belong together?",
                source=source,
                line=mention.line,
            )
    return Entity(
        type=TYPE,
        spans=spans,
        text=covered_text(text, spans),
        id=name,
        concepts=() if mention.concept.lower() == "cui-less" else (mention.concept,),
        infons={} if mention.type == TYPE else {"class": mention.type},
    )


def some(names: list[str]) -> str:
    """Return the first names of a list and how many more there are."""
    more = len(names) - 3
    return ", ".join(names[:3]) + (f" and {more} more" if more > 0 else "")
