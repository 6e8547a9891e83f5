"""The layout "i2b2-2010": records with concepts and how those of a line are related.

    training data    <beth|partners>/{txt,concept,rel}/<record>.{txt,con,rel}
    reference        {concept,rel}/<record>.{con,rel} of the test records
    test data        <record>.txt, in an archive of its own

in folders or in the official archives (the folder of concepts is also called `concepts`). A text
has a sentence a line and spaces between tokens. A concept's place is `line:token line:token`, lines
from 1, tokens from 0, the last token included; `c="..."` holds its text in lower case:

    .con  c="<text>" L:T L:T||t="<type>"
    .rel  c="<text>" L:T L:T||r="<relation>"||c="<text>" L:T L:T

The rules are those of BLUE's create_i2b2_bert.py: a concept lies on one line; a line that begins
with white space has an empty token 0; a relation names the first concept at its place.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from bluered.corpora.archive_texts import read_text, texts
from bluered.corpora.blue_tables import body_rows
from bluered.corpora.own_split import EVERY_NOTE, divided, share
from bluered.corpora.source import Source, files_of
from bluered.corpora.token_places import Lines
from bluered.documents.document import Document, Entity, MentionRelation, Span
from bluered.errors import CorpusError, FormatError

Files = dict[str, tuple[str, str]]
"""The path and the text of each record's file, by the record's name."""

PLACE = r'c="(.*)" (\d+):(\d+) (\d+):(\d+)'
CONCEPT = re.compile(rf'{PLACE}\|\|t="(\w+)"')
RELATION = re.compile(rf'{PLACE}\|\|r="(\w+)"\|\|{PLACE}')
RELATIONS = ("PIP", "TeCP", "TeRP", "TrAP", "TrCP", "TrIP", "TrNAP", "TrWP")
"""The relations of the task's guidelines, as BLUE's create_i2b2_bert.py has them too."""

FALSE = "false"
"""The label of BLUE's tables for two concepts that are not related."""

SITES = ("beth", "partners")
"""The hospitals of the training data; other folders beside theirs are copies that people made."""


def read(source: Source) -> Iterator[Document]:
    """Yield the records of a split: by name, for training first those of beth, then of partners."""
    if source.split == "test":
        names = "the reference standard", "the test data"
        reference, notes = files_of(source, *names, least=2)
        return _test_records(reference, notes)
    names = "the training data", "BLUE's list of the records for dev"
    training, *listed = files_of(source, *names, least=1)
    records = _training_records(training)
    if not listed:
        return share(records, source.split, EVERY_NOTE)
    return divided(
        records,
        source.split,
        development=development_records(listed[0]),
        listed=listed[0],
        hint="of dev-docids.txt BLUE takes the last line only, with no line end behind it",
    )


def development_records(path: Path) -> frozenset[str]:
    r"""Return the records that BLUE's dev.tsv is made of, from its dev-docids.txt or from dev.tsv.

    BLUE's split_doc reads dev-docids.txt by `readlines()`, which keeps the line ends, so no id
    matches but the last, if no line end follows it: BLUE's development part is one record with
    about ten relations, and the other records of the list are training data. This follows suit,
    since the published numbers do.
    """
    if path.suffix == ".tsv":
        body = body_rows(path, at_least=3, is_row=lambda fields: {*fields} & {*RELATIONS, FALSE})
        return frozenset(row.fields[0].partition(".")[0] for row in body)
    *_, last = read_text(path).split("\n")
    return frozenset({last} - {""})


def _training_records(training: Path) -> Iterator[Document]:
    found = texts(training, (".txt", ".con", ".rel"))
    for site in SITES:
        of_site = {p: t for p, t in found.items() if f"/{site}/" in f"/{p}"}
        if not of_site:
            raise CorpusError(f"{training} has no folder {site!r} with *.txt, *.con and *.rel")
        yield from _records(
            training,
            notes=_of_kind(of_site, ("txt",), ".txt", training),
            concepts=_of_kind(of_site, ("concept", "concepts"), ".con", training),
            relations=_of_kind(of_site, ("rel",), ".rel", training),
        )


def _test_records(reference: Path, notes: Path) -> Iterator[Document]:
    found = texts(reference, (".con", ".rel"))
    yield from _records(
        reference,
        notes=_of_kind(texts(notes, (".txt",)), (), ".txt", notes),
        concepts=_of_kind(found, ("concept", "concepts"), ".con", reference),
        relations=_of_kind(found, ("rel",), ".rel", reference),
    )


def _of_kind(found: dict[str, str], folders: tuple[str, ...], ending: str, place: Path) -> Files:
    """Return the files of a kind: by their ending and, if any are named, the folder they lie in."""
    files: Files = {}
    for path, text in found.items():
        *above, name = path.split("/")
        if not name.endswith(ending) or (folders and (above[-1:] or [""])[0] not in folders):
            continue
        record = name.removesuffix(ending)
        if record in files:
            raise CorpusError(f"{place} has {files[record][0]} and {path} for one record: keep one")
        files[record] = (f"{place}/{path}", text)
    return files


def _records(place: Path, *, notes: Files, concepts: Files, relations: Files) -> Iterator[Document]:
    kinds = {".txt": notes, ".con": concepts, ".rel": relations}
    names = sorted(set(notes) | set(concepts) | set(relations))
    lacking = [f"{n}{ending}" for n in names for ending, files in kinds.items() if n not in files]
    if lacking:
        more = f" and {len(lacking) - 3} more" if len(lacking) > 3 else ""
        raise CorpusError(f"{place}: {', '.join(lacking[:3])}{more} missing")
    for name in names:
        yield _record(name, notes[name][1], concepts=concepts[name], relations=relations[name])


def _record(
    name: str, text: str, *, concepts: tuple[str, str], relations: tuple[str, str]
) -> Document:
    lines = Lines(text)
    entities = tuple(_concepts(name, lines, *concepts))
    return Document(
        id=name,
        text=text,
        passages=tuple(lines.passages()),
        entities=entities,
        mention_relations=tuple(_relations(lines, entities, *relations)),
    )


def _concepts(name: str, lines: Lines, source: str, content: str) -> Iterator[Entity]:
    """Yield the concepts with the ids BLUE gives them: `<record>.con.l<number of the line>`."""
    for number, line in _numbered(content):
        match = CONCEPT.match(line.strip())
        if match is None:
            message = 'expected c="..." line:token line:token||t="..."'
            raise FormatError(message, source=source, line=number)
        span = lines.span(match.groups()[:5], source, number)
        yield Entity(match[6], (span,), lines.covered(span), id=f"{name}.con.l{number - 1}")


def _relations(
    lines: Lines, entities: tuple[Entity, ...], source: str, content: str
) -> Iterator[MentionRelation]:
    at: dict[Span, str] = {}
    for entity in entities:
        at.setdefault(entity.spans[0], entity.id)
    for number, line in _numbered(content):
        match = RELATION.match(line.strip())
        if match is None:
            message = 'expected c="..." ...||r="..."||c="..." ...'
            raise FormatError(message, source=source, line=number)
        *head, type_ = match.groups()[:6]
        if type_ not in RELATIONS:
            message = f"expected r to be one of {', '.join(RELATIONS)}"
            raise FormatError(message, source=source, line=number)
        ends = [lines.span(place, source, number) for place in (head, match.groups()[6:])]
        if not all(end in at for end in ends):
            message = "a relation to a place where the .con file has no concept"
            raise FormatError(message, source=source, line=number)
        yield MentionRelation(type=type_, head=at[ends[0]], tail=at[ends[1]], id=f"R{number - 1}")


def _numbered(content: str) -> Iterator[tuple[int, str]]:
    return ((n, line) for n, line in enumerate(content.split("\n"), start=1) if line.strip())
