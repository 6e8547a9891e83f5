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
from bluered.corpora.entry import Corpus, paths_of
from bluered.corpora.entry_file import EntryFile, entry_at, parse_entry
from bluered.corpora.layouts import LAYOUTS
from bluered.corpora.rows import MissingColumnError
from bluered.corpora.source import Source
from bluered.corpora.table import shape_of
from bluered.corpora.toml_lines import Keys
from bluered.documents.document import Document
from bluered.errors import CorpusError, FormatError, unknown_name
from bluered.formats.registry import FORMATS


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
            yield keys, f"the name {name!r} must be of a-z, 0-9, '.', '_' and '-'"
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


def _annotated_faults(entry: Corpus, name: str) -> Iterator[tuple[Keys, str]]:
    kind = entry.tasks[name].type
    if kind == "relation-extraction" and not entry.tasks[name].examples:
        yield (
            ("tasks", name),
            (
                "relations from annotated documents need `examples`, the rule that pairs mentions; "
                'from a table they need layout = "table"'
            ),
        )
    if kind in ("sentence-similarity", "document-classification", "inference"):
        yield ("tasks", name, "type"), f'{kind} is read with layout = "table"'


def _read_through(entry: Corpus, split: str, file: EntryFile, folder: Path) -> Counter[str]:
    """Read a whole split and return how many mentions of each type it has."""
    coming = {described.path for described in entry.files if described.download}
    absent = [path for path in paths_of(entry, split) if not (folder / path).exists()]
    for path in absent:
        if path not in coming:
            raise file.error(("splits", split), _not_there(path, folder))
    types = Counter[str]()
    if absent:  # comes with `bluered corpora fetch`
        return types
    paths = tuple(folder / path for path in paths_of(entry, split))
    seen: set[str] = set()
    try:
        for example in LAYOUTS[entry.layout](Source(entry, split, paths)):
            if isinstance(example, Document):
                if example.id in seen:
                    raise FormatError(
                        "a document with this id came before: give each its own id",
                        source=str(paths[0]),
                        document=example.id,
                    )
                seen.add(example.id)
                types.update(entity.type for entity in example.entities)
    except MissingColumnError as error:
        named = getattr(entry.columns, error.field, "") != ""
        keys = ("columns", error.field) if named else ("splits", split)
        raise file.error(keys, str(error)) from None
    return types


def _not_there(path: str, folder: Path) -> str:
    names = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
    near = get_close_matches(path, names, n=1)
    guess = f"; did you mean '{near[0]}'?" if near else ""
    return f"no file '{path}' in {folder}{guess} (paths are relative to the TOML file)"
