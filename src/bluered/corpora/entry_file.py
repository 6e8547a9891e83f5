"""An entry of the catalogue read from TOML; what is wrong with it is told with its line.

A user may leave out much of what the catalogue's own entries say (`completed`), and write the one
task of a corpus as the table [task]: it is then called as the corpus.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from bluered.corpora.entry import METRICS, Corpus, faults
from bluered.corpora.toml_lines import Keys, line_of
from bluered.errors import CorpusError, unknown_name

DOCUMENTS = ("named-entities", "document-relations")
"""The types of task that are read from annotated documents only."""

_PLACE = re.compile(r"\(at line (\d+), column \d+\)")


class EntryFile(Struct, frozen=True):
    """The text of an entry and what messages call it."""

    text: str
    source: str

    def error(self, keys: Keys, message: str) -> CorpusError:
        """Return the error about what stands under some keys, with the line of the file."""
        line = line_of(self.text, keys)
        if line is None and keys[:1] == ("tasks",):
            line = line_of(self.text, ("task", *keys[2:]))
            message = message.replace(f"[tasks.{keys[1]}]", "[task]")
        return CorpusError(f"{self.source}{f':{line}' if line else ''}: {message}")


def entry_at(path: Path) -> EntryFile:
    """Return the text of a user's TOML file, or raise CorpusError that says why there is none."""
    try:
        if not path.is_file():  # a pipe would be waited for
            raise CorpusError(f"{path}: there is no such file")
        return EntryFile(path.read_text("utf-8-sig"), str(path))
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path}: not UTF-8 text: {error.reason}") from None
    except OSError as error:
        raise CorpusError(f"{path}: {error.strerror}") from None


def parse_entry(file: EntryFile, *, name: str) -> Corpus:
    """Return the corpus that an entry describes, named `name` if it does not say otherwise.

    CorpusError names file and line of the first key or value that does not fit.
    """
    try:
        written = tomllib.loads(file.text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        line = int(place[1]) if place else file.text.rstrip().count("\n") + 1
        raise CorpusError(f"{file.source}:{line}: not valid TOML: {error}") from None
    if "task" in written and "tasks" in written:
        raise file.error(("task",), "both [task] and [tasks]: write [tasks.NAME] for each task")
    if not isinstance(written.get("task", {}), dict):
        fault = "`task`: expected one table with keys, [task]; of several each is [tasks.NAME]"
        raise file.error(("task", 0), fault)
    whole = completed(written, name=name)
    try:
        entry = msgspec.convert(whole, Corpus)
    except msgspec.ValidationError as error:
        for keys, fault in misfits(whole, Corpus):
            raise file.error(keys, fault) from None
        raise file.error((), str(error)) from None
    for keys, fault in faults(entry):
        raise file.error(keys, fault)
    return entry


def completed(written: dict[str, Any], *, name: str) -> dict[str, Any]:
    """Return an entry with what may be left out: title, version, licence, citation, metrics.

    A citation may be a text; [task] is the task that has the name of the corpus. Without layout and
    format the files are tables, unless a task is about named entities.
    """
    whole = {"name": name, "version": "1", "licence": "not stated", "citation": "", **written}
    whole.setdefault("title", whole["name"])
    if isinstance(whole["citation"], str):
        whole["citation"] = {"text": whole["citation"]}
    if "task" in whole:
        called = whole["name"] if isinstance(whole["name"], str) else name
        whole["tasks"] = {called: whole.pop("task")}
    tasks = whole.get("tasks")
    if isinstance(tasks, dict):
        whole["tasks"] = {name: _with_metric(task) for name, task in tasks.items()}
        kinds = [task.get("type") for task in tasks.values() if isinstance(task, dict)]
        if kinds and "format" not in whole and not any(kind in DOCUMENTS for kind in kinds):
            whole.setdefault("layout", "table")
    return whole


def _with_metric(task: Any) -> Any:  # noqa: ANN401 (whatever the file says)
    kind = task.get("type") if isinstance(task, dict) else None
    return {"metric": METRICS[kind][0], **task} if kind in tuple(METRICS) else task


def misfits(value: object, kind: Any, keys: Keys = ()) -> Iterator[tuple[Keys, str]]:  # noqa: ANN401
    """Yield what of a value is not of a type, with the keys that lead to it."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        yield from _struct_misfits(value, kind, keys)
    elif get_origin(kind) is dict and isinstance(value, dict):
        for key, inner in value.items():
            yield from misfits(inner, get_args(kind)[1], (*keys, key))
    elif get_origin(kind) is tuple and isinstance(value, list) and get_args(kind)[-1] is ...:
        for number, inner in enumerate(value):
            yield from misfits(inner, get_args(kind)[0], (*keys, number))
    elif get_origin(kind) is Literal and isinstance(value, str):
        if value not in get_args(kind):
            yield keys, unknown_name(str(keys[-1]), value, list(get_args(kind)))
    else:
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            expected = str(error).partition(" - at")[0].replace("`object`", "`table`")
            yield keys, f"`{keys[-1]}`: {expected}"


def _struct_misfits(value: object, kind: type[Struct], keys: Keys) -> Iterator[tuple[Keys, str]]:
    if not isinstance(value, dict):
        yield keys, f"`{keys[-1]}`: expected a table with keys, found {value!r:.40}"
        return
    where = ".".join(str(key) for key in keys)
    names = {field.encode_name: field for field in fields(kind)}
    for key in value:
        if key not in names:
            hint = f"[{where}]" if where else ""
            yield (*keys, key), unknown_name("key", key, list(names), hint)
    hints = get_type_hints(kind)
    for name, field in names.items():
        if name in value:
            yield from misfits(value[name], hints[field.name], (*keys, name))
    for name, field in names.items():
        if field.required and name not in value:
            yield keys, f"the key `{name}` is missing" + (f" in [{where}]" if where else "")
