"""One cell of a matrix, in a process of its own: memory is the cell's, and a crash ends only it.

`python -m bluered.training.cell WORK`, where WORK is a Work in JSON, prints a Done in JSON.
"""

import logging
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from bluered.documents.document import Document
from bluered.documents.examples import Example
from bluered.errors import BlueredError

STATUS = Path("/proc/self/status")


class Work(Struct, frozen=True, kw_only=True):
    """What a process has to do.

    "check" whether encoders can be loaded, "train" recipes (each a file and the folder of its
    runs), or "answer" the task of the last of them on a split. `folder` is that of the row and
    seed.
    """

    what: Literal["check", "train", "answer"]
    encoders: tuple[str, ...] = ()
    recipes: tuple[tuple[str, str], ...] = ()
    folder: str = ""
    name: str = ""
    split: str = ""
    row: str = ""
    seed: int = 0
    task: str = ""
    encoder: str = ""
    digest: str = ""


class Done(Struct, frozen=True, kw_only=True):
    """How it went: "" or the reason why not, in one line; `encoders` has the reason of each."""

    reason: str = ""
    encoders: dict[str, str] = {}


class Trained(Struct, frozen=True, kw_only=True):
    """What training took: seconds of the cell's own runs and of those shared; peak bytes."""

    seconds: float
    shared: dict[str, float]
    memory: int | None


def peak_memory() -> int | None:
    """Return the most memory that this process has held, in bytes; None where not known.

    On Linux not getrusage: what a process begins as (a copy of its parent) counts there.
    """
    if STATUS.is_file():
        for line in STATUS.read_text("utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) << 10
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak << 10


def do(work: Work) -> Done:
    """Do a process's work; an error that stops it becomes its reason."""
    try:
        if work.what == "check":
            return Done(encoders={name: _why_not(name) for name in work.encoders})
        _train(work) if work.what == "train" else _answer(work)
    except ModuleNotFoundError as error:
        return Done(reason=f"training needs {error.name}: pip install 'bluered[train]'")
    except BlueredError as error:
        return Done(reason=str(error))
    except Exception as error:
        path = Path(work.folder) / f"{work.name}.error.txt"
        path.write_text(traceback.format_exc(), encoding="utf-8")
        said = f"{error}".splitlines() or [""]
        return Done(reason=f"{type(error).__name__}: {said[0]} (all of it: {path})")
    return Done()


def _why_not(encoder: str) -> str:
    """Return why an encoder cannot be had here, "" if it can."""
    from bluered.models.encoder import encoder_folder

    try:
        encoder_folder(encoder)
    except BlueredError as error:
        return str(error)
    return ""


def trained_path(folder: Path, name: str) -> Path:
    """Return where it is kept what training a cell took."""
    return folder / f"{name}.train.json"


def _train(work: Work) -> None:
    from bluered.training.loop import STATE
    from bluered.training.run import RESULT, train

    folder = Path(work.folder)
    own, shared, did = 0.0, dict[str, float](), False
    for file, runs in work.recipes:
        recipe = Path(file)
        did |= not (Path(runs) / recipe.stem / RESULT).is_file()
        seconds = train(recipe, Path(runs)).seconds
        (Path(runs) / recipe.stem / STATE).unlink(missing_ok=True)  # three times the weights
        if Path(runs) == folder:
            own += seconds
        else:
            shared[recipe.stem] = seconds
    path = trained_path(folder, work.name)
    if did or not path.is_file():  # runs that were finished before tell of no memory
        done = Trained(seconds=own, shared=shared, memory=peak_memory() if did else None)
        path.write_bytes(msgspec.json.encode(done))


def _answer(work: Work) -> None:
    from bluered.corpora.catalog import task
    from bluered.tasks.cell_scores import scored
    from bluered.tasks.cells import Cell, write_cell
    from bluered.training.config import read_content
    from bluered.training.predict import predict
    from bluered.training.run import RECIPE, all_trained_on

    folder, asked = Path(work.folder), task(work.task)
    run = folder / work.name
    answered: list[Example] = []
    seconds = 0.0

    def answer(gold: Sequence[Example]) -> list[Example]:
        nonlocal seconds
        began = time.monotonic()
        answered.extend(predict(run, gold))
        whole = time.monotonic() - began
        seconds = _per_unit(whole, _one(run, gold), gold)
        return answered

    found = scored(asked, work.split, answer, trained_on=tuple(all_trained_on(run)))
    kept = keep(answered, folder / work.split, work.task, work.name)
    path = trained_path(folder, work.name)
    trained = msgspec.json.decode(path.read_bytes(), type=Trained)
    cell = Cell(
        row=work.row,
        recipe=work.name,
        seed=work.seed,
        task=work.task,
        split=work.split,
        encoder=work.encoder,
        model=str(read_content(run / RECIPE)["model"]),
        train_seconds=trained.seconds,
        shared_seconds=trained.shared,
        answer_seconds=seconds,
        train_memory=trained.memory,
        answer_memory=peak_memory(),
        answers=str(kept.relative_to(folder)),
        digest=work.digest,
        **asdict(found),
    )
    write_cell(cell, cell_path(folder, work.name, work.split))


def cell_path(folder: Path, name: str, split: str) -> Path:
    """Return where the cell of a recipe is kept, in the folder of its row and seed."""
    return folder / f"{name}.{split}.json"


def _one(run: Path, gold: Sequence[Example]) -> float:
    """Return the seconds of a first answer: loading, for the most part."""
    from bluered.training.predict import predict

    began = time.monotonic()
    for _ in predict(run, gold[:1]):
        pass
    return time.monotonic() - began


def _per_unit(whole: float, one: float, gold: Sequence[Example]) -> float:
    """Return seconds for a document or pair; what was loaded for the first of them is left out."""
    units = len({getattr(example, "document", example.id) for example in gold})
    if len(gold) < 2 or whole <= one:
        return whole / max(1, units)
    return (whole - one) / (len(gold) - 1) * len(gold) / units


def keep(answered: Sequence[Example], folder: Path, task: str, name: str) -> Path:
    """Write answers so that `bluered score --pred` and `bench --predictions FOLDER` take them.

    Named by the task and the recipe. BioRED's are whole documents, all others hold no text.
    """
    from bluered.corpora.catalog import task as find_task
    from bluered.formats.files import write_file
    from bluered.formats.streams import replacing
    from bluered.tasks.answers.write import ENDINGS, answer_lines

    folder.mkdir(parents=True, exist_ok=True)
    kind = find_task(task).entry.type
    if kind == "document-relations":
        path = folder / f"{task}.{name}.jsonl.gz"
        write_file((e for e in answered if isinstance(e, Document)), path)
        return path
    path = folder / f"{task}.{name}.{ENDINGS.get(kind, 'tsv')}.gz"
    with replacing(path) as stream:
        for line in answer_lines(answered):
            stream.write(line.encode())
    return path


def main() -> None:
    """Do the work that the argument says, and print how it went."""
    logging.basicConfig(format="%(asctime)s %(message)s")
    logging.getLogger("bluered").setLevel(logging.INFO)
    work = msgspec.json.decode(sys.argv[1], type=Work)
    sys.stdout.write(msgspec.json.encode(do(work)).decode() + "\n")


if __name__ == "__main__":
    main()
