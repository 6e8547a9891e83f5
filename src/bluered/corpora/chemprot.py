"""The layout "chemprot": the tables of BioCreative VI track 5, documents with related mentions.

A split is three files, in this order: abstracts (`id title abstract`), entities (`id mention type
start end text`) and the gold standard (`id CPR:n Arg1:mention Arg2:mention`); without the third the
documents have no relations. The fields stand between tabs. Offsets count code points of the title,
one space and the abstract.
"""

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from bluered.corpora.source import Source, files_of
from bluered.documents.document import Document, Entity, MentionRelation, Span, simple_document
from bluered.errors import FormatError
from bluered.formats.lines import decode_line, numbered_lines

ROLES = ("Arg1", "Arg2")
"""A relation's ends as the gold standard names them: Arg1 is a chemical, Arg2 a gene."""

Row = tuple[int, list[str]]


def read(source: Source) -> Iterator[Document]:
    """Yield the documents of a split in the order of the abstracts."""
    names = "the abstracts", "the entities", "the gold standard"
    abstracts, entities, *gold = files_of(source, *names, least=2)
    documents = _read_abstracts(abstracts)
    documents = _with_entities(documents, entities)
    if gold:
        documents = _with_relations(documents, gold[0])
    yield from documents.values()


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[Row]:
    """Yield (line number, fields) for each line that is not empty."""
    with path.open("rb") as stream:
        for number, line in numbered_lines(stream):
            if not line.strip():
                continue
            fields = decode_line(line, source=str(path), line_number=number).split("\t")
            if len(fields) != len(columns):
                raise FormatError(
                    f"expected {len(columns)} columns ({', '.join(columns)}), found {len(fields)}"
                    f"{_guess(len(fields))}",
                    source=str(path),
                    line=number,
                )
            yield number, fields


def _guess(columns: int) -> str:
    kinds = {3: "abstracts", 4: "the gold standard", 5: "relations", 6: "entities or relations"}
    return f"; is it the file of {kinds[columns]}?" if columns in kinds else ""


def _read_abstracts(path: Path) -> dict[str, Document]:
    documents: dict[str, Document] = {}
    for number, (name, title, abstract) in _rows(path, ("id", "title", "abstract")):
        if name in documents:
            raise FormatError(
                "the document stands twice", source=str(path), line=number, document=name
            )
        documents[name] = simple_document(name, title, abstract)
    return documents


def _with_entities(documents: dict[str, Document], path: Path) -> dict[str, Document]:
    found: dict[str, dict[str, Entity]] = {name: {} for name in documents}
    for number, (name, mention, kind, start, end, text) in _rows(
        path, ("id", "mention", "type", "start", "end", "text")
    ):
        fault = ""
        if name not in documents:
            fault = "there is no abstract of this document"
        elif mention in found[name]:
            fault = f"mention {mention} stands twice"
        elif not (start.isdecimal() and end.isdecimal()):
            fault = f"{mention}: expected two offsets, found {start!r} and {end!r}"
        elif documents[name].text[int(start) : int(end)] != text or not text:
            covered = documents[name].text[int(start) : int(end)]
            fault = f"{mention}: the text at {start}-{end} is {covered!r}, not {text!r}"
        if fault:
            raise FormatError(fault, source=str(path), line=number, document=name)
        found[name][mention] = Entity(kind, (Span(int(start), int(end)),), text, id=mention)
    return {n: replace(d, entities=tuple(found[n].values())) for n, d in documents.items()}


def _with_relations(documents: dict[str, Document], path: Path) -> dict[str, Document]:
    mentions = {name: {e.id for e in d.entities} for name, d in documents.items()}
    found: dict[str, list[MentionRelation]] = {name: [] for name in documents}
    for number, (name, kind, first, second) in _rows(path, ("id", "class", "Arg1", "Arg2")):
        ends = [
            end.removeprefix(f"{role}:") for role, end in zip(ROLES, (first, second), strict=True)
        ]
        fault = ""
        if name not in documents:
            fault = "there is no abstract of this document"
        elif [first, second] != [f"{role}:{end}" for role, end in zip(ROLES, ends, strict=True)]:
            fault = f"expected Arg1:mention and Arg2:mention, found {first!r} and {second!r}"
        elif unknown := [end for end in ends if end not in mentions[name]]:
            fault = f"the document has no mention {unknown[0]}"
        if fault:
            raise FormatError(fault, source=str(path), line=number, document=name)
        relation = MentionRelation(type=kind, head=ends[0], tail=ends[1], roles=ROLES)
        found[name].append(relation)
    return {n: replace(d, mention_relations=tuple(found[n])) for n, d in documents.items()}
