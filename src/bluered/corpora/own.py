"""A corpus of the user's own: one TOML file beside the data makes it a task (BLUE+).

The file says what the catalogue's own entries say, with the same keys and layouts; what may be left
out is in bluered.corpora.entry_file. The files of the splits stand relative to it.
"""

from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from bluered.corpora.added import NAME, added
from bluered.corpora.catalog import catalog, own_entries
from bluered.corpora.entry import Corpus, TaskType, paths_of
from bluered.corpora.entry_file import EntryFile, entry_at, parse_entry
from bluered.corpora.layouts import LAYOUTS
from bluered.corpora.rows import MissingColumnError
from bluered.corpora.source import Source
from bluered.corpora.table import has_header, shape_of
from bluered.corpora.toml_lines import Keys
from bluered.documents.document import Document
from bluered.documents.examples import Example, LabelledText, RelationExample, TextPair
from bluered.errors import CorpusError, FormatError, unknown_name
from bluered.formats.registry import FORMATS

RESERVED = ("blue",)
"""What `bluered bench` takes for a benchmark of several tasks."""


def read_own(path: Path) -> Corpus:
    """Return the corpus that a TOML file describes, after its files have been read through.

    CorpusError names the TOML file and the line of what is wrong: a key, a metric, a split whose
    file is absent, a column, a name that is taken. FormatError names a row of a split's file.
    """
    file = entry_at(path)
    entry = parse_entry(file, name=path.stem)
    for keys, fault in (*_name_faults(entry, path), *_reading_faults(entry)):
        raise file.error(keys, fault)
    types = Counter[str]()
    for split in entry.splits:
        types.update(_read_through(entry, split, file, path.parent))
    for name, task in entry.tasks.items():
        for number, kind in enumerate(task.entity_types):
            if types and kind not in types:
                fault = unknown_name("mention of type", kind, list(types), "in any split")
                raise file.error(("tasks", name, "entity_types", number), fault)
    return entry


def _name_faults(entry: Corpus, path: Path) -> Iterator[tuple[Keys, str]]:
    """Yield why the names of a corpus and its tasks cannot be used."""
    for keys, name in ((("name",), entry.name), *((("tasks", n), n) for n in entry.tasks)):
        if not NAME.fullmatch(name):
            fault = "must be of a-z, 0-9, '.', '_' and '-', 100 at most, a letter or digit first"
            yield keys, f"the name {name!r:.60} {fault}"
        if name in RESERVED:
            yield keys, f"the name {name!r} means all tasks of BLUE: choose another"
    if entry.name in own_entries():
        fault = f"the name {entry.name!r} is that of a corpus of BlueRED's: choose another"
        yield ("name",), fault
    note = added().get(entry.name)
    if note is not None and Path(note.entry).resolve() != path.resolve():
        other = note.entry or note.folder
        fault = f"the name {entry.name!r} is taken by {other}: choose another, or run "
        yield ("name",), fault + f"`bluered corpora remove {entry.name}`"
    if not entry.tasks:
        yield (), "there is no task: add [task] with a type"
    for other in catalog().values():
        for name in entry.tasks if other.name != entry.name else ():
            if name in other.tasks:
                fault = f"the task {name!r} is one of {other.name}: choose another name"
                yield ("tasks", name), fault


def _reading_faults(entry: Corpus) -> Iterator[tuple[Keys, str]]:
    """Yield what keeps the files from being read as the tasks want them."""
    if not entry.splits:
        yield ("splits",), "there is no split: name the files of train, dev or test"
    if entry.layout not in LAYOUTS:
        yield ("layout",), unknown_name("layout", entry.layout, list(LAYOUTS))
    if entry.format and entry.format not in FORMATS:
        yield ("format",), unknown_name("format", entry.format, list(FORMATS))
    for name, task in entry.tasks.items():
        if entry.layout == "table":
            try:
                shape_of(entry)
            except CorpusError as error:
                yield ("tasks", name, "type"), str(error)
        elif entry.layout == "annotated":
            yield from _annotated_faults(entry, name)
        if task.type == "document-relations":
            yield ("tasks", name, "type"), "document-relations are BioRED's own task so far"


SUITED: dict[type[Example], tuple[TaskType, ...]] = {
    TextPair: ("sentence-similarity", "inference"),
    LabelledText: ("document-classification",),
    RelationExample: ("relation-extraction",),
    Document: ("named-entities", "relation-extraction"),
}
"""The types of task that are made of what a layout gives; a pair has either a score or a label."""


def _annotated_faults(entry: Corpus, name: str) -> Iterator[tuple[Keys, str]]:
    kind = entry.tasks[name].type
    if kind == "relation-extraction":
        yield from _without_rule(entry, name)
    if kind in ("sentence-similarity", "document-classification", "inference"):
        yield ("tasks", name, "type"), f'{kind} is read with layout = "table"'


def _without_rule(entry: Corpus, name: str) -> Iterator[tuple[Keys, str]]:
    if not entry.tasks[name].examples:
        yield (
            ("tasks", name),
            (
                "relations from annotated documents need `examples`, the rule that pairs mentions; "
                'from a table they need layout = "table"'
            ),
        )


def _read_through(entry: Corpus, split: str, file: EntryFile, folder: Path) -> Counter[str]:
    """Read a whole split and return how many mentions of each type it has."""
    keys = ("splits", split)
    coming = {described.path for described in entry.files if described.download}
    absent = [path for path in paths_of(entry, split) if not (folder / path).exists()]
    for path in paths_of(entry, split):
        if path in absent and path not in coming:
            raise file.error(keys, _not_there(path, folder))
        if path not in absent and not (folder / path).is_file() and not (folder / path).is_dir():
            raise file.error(keys, f"{folder / path} is neither a file nor a folder")
    types = Counter[str]()
    if absent:  # comes with `bluered corpora fetch`
        return types
    paths = tuple(folder / path for path in paths_of(entry, split))
    seen: set[str] = set()
    nothing = True
    for example in _examples(Source(entry, split, paths), file):
        for fault_keys, fault in _unsuited(entry, example) if nothing else ():
            raise file.error(fault_keys, fault)
        nothing = False
        if isinstance(example, Document):
            if example.id in seen:
                raise FormatError(
                    "a document with this id came before: give each its own id",
                    source=str(paths[0]),
                    document=example.id,
                )
            seen.add(example.id)
            types.update(entity.type for entity in example.entities)
    if nothing:
        raise file.error(keys, f"{' and '.join(map(str, paths))} hold nothing for {split}")
    return types


def _examples(source: Source, file: EntryFile) -> Iterator[Example]:
    """Yield what a split holds; what is wrong with all of it is told of the TOML file."""
    entry, keys = source.corpus, ("splits", source.split)
    try:
        yield from LAYOUTS[entry.layout](source)
    except MissingColumnError as error:
        named = getattr(entry.columns, error.field, "") != ""
        raise file.error(("columns", error.field) if named else keys, str(error)) from None
    except FormatError as error:
        if entry.layout != "table" or error.line != 1 or has_header(entry):
            raise
        why = "all [columns] are numbers, which means that there is no header: else name them"
        raise FormatError(f"{error.message} ({why})", source=error.source, line=1) from None
    except OSError as error:
        raise file.error(keys, f"{error.filename or file.source}: {error.strerror}") from None
    except CorpusError as error:
        raise file.error(keys, str(error)) from None


def _unsuited(entry: Corpus, example: Example) -> Iterator[tuple[Keys, str]]:
    """Yield which tasks are of a type that is not made of what the layout gives."""
    types = SUITED[type(example)]
    if isinstance(example, TextPair):
        types = types[:1] if example.score is not None else types[1:]
    for name, task in entry.tasks.items():
        if task.type not in types:
            fault = f"the layout {entry.layout} gives data for {' and '.join(types)}"
            yield ("tasks", name, "type"), f"{fault}, not for {task.type}"
        if isinstance(example, Document) and task.type == "relation-extraction":
            yield from _without_rule(entry, name)


def _not_there(path: str, folder: Path) -> str:
    names = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
    near = get_close_matches(path, names, n=1)
    guess = f"; did you mean '{near[0]}'?" if near else ""
    return f"no file '{path}' in {folder}{guess} (paths are relative to the TOML file)"
